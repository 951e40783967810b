/** The requests of a scenario and the expected responses. */
export interface HttpScenario {
  port: number;
  /** Sent one after the other; all of them together count as one request. */
  steps: readonly Step[];
  /** The number after the last request; null where there is no end. */
  end: number | null;
  /** The text before the points in the last step's response, which are summed; null where there are none. */
  points: string | null;
  /** Called with the last step's response. @throws where it is not right */
  take?: (answer: string, number: number) => void;
}

export interface Step {
  /**
   * The complete request, in ASCII.
   * @param number the number of the request in the scenario
   * @param answer the complete response of the step before
   */
  request(number: number, answer: string): string;
  /** The beginning of every response. */
  statusLine: string;
  /** A text that every response contains. */
  mark: string;
}

export const CREATED = 'HTTP/1.1 201 ';
export const OK = 'HTTP/1.1 200 ';

/** The string or number after a text of a JSON response, such as `"id":"`. @throws where the text is missing */
export function textAfter(answer: string, before: string): string {
  const start = answer.indexOf(before);
  const value =
    start === -1 ? null : /^[\w-]+/.exec(answer.slice(start + before.length, start + before.length + 100));
  if (!value) throw new Error(`Nothing follows ${before} in:\n${answer.slice(0, 2_000)}`);
  return value[0];
}
