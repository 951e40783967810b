/** A prepared statement: named, so that a session parses it once. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}
