/** A prepared statement. It has a name, so that a session parses it only once. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** In place of a name: the statement is parsed and planned each time, and nothing of it is kept. */
export const UNPREPARED = '';
