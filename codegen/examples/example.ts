/** A request and its response, as openapi.json shows them. A test validates both against their schemas. */
export interface Example {
  request: object | null;
  response: object;
}

/** The request id that every example shows. */
export const requestId = 'req_01jz8k2v9qf5sv4m1c7d3e0abc';
