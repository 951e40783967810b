/** A prepared statement. It has a name, so that a session parses it only once. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}
