/** Stands for all types of events in the `eventTypes` of an endpoint, also for those that come later. */
export const EVERY_TYPE = '*';

/** Whether an endpoint with these `eventTypes` gets events of a type. */
export function subscribesTo(eventTypes: readonly string[], type: string): boolean {
  return eventTypes[0] === EVERY_TYPE || eventTypes.includes(type);
}
