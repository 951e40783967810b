/** The requests of a scenario and how each answer must look. */
export interface HttpScenario {
  port: number;
  /** Sent one after the other; together they are what is counted. */
  steps: readonly Step[];
  /** The number that there is no request for any more; null where there is no end. */
  end: number | null;
  /** The text before the points in the last step's answer, which are added up; null where there are none. */
  points: string | null;
  /** Told of each last answer. */
  take?: (answer: string) => void;
}

export interface Step {
  /**
   * The whole request, ASCII alone.
   * @param number counts through the scenario's requests
   * @param answer to the step before, whole
   */
  request(number: number, answer: string): string;
  /** What every answer begins with. */
  statusLine: string;
  /** What every answer holds besides. */
  mark: string;
}

export const CREATED = 'HTTP/1.1 201 ';
export const OK = 'HTTP/1.1 200 ';

/** The string or number behind a text of a JSON answer, such as `"id":"`. @throws where it is not there */
export function textAfter(answer: string, before: string): string {
  const start = answer.indexOf(before);
  const value =
    start === -1 ? null : /^[\w-]+/.exec(answer.slice(start + before.length, start + before.length + 100));
  if (!value) throw new Error(`Nothing follows ${before} in:\n${answer.slice(0, 2_000)}`);
  return value[0];
}
