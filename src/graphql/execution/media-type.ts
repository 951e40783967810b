const graphqlResponse = 'application/graphql-response+json';
const json = 'application/json';

export type MediaType = typeof graphqlResponse | typeof json;

/**
 * The media type of the response: `application/graphql-response+json`, unless the client explicitly accepts only
 * `application/json`.
 * @param accept the header Accept, as it was sent
 */
export function mediaTypeFor(accept: string | undefined): MediaType {
  if (accept === json) return json;
  if (accept === undefined || accept === '*/*' || accept === graphqlResponse) return graphqlResponse;
  let acceptsJson = false;
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))) continue;
    if (type === graphqlResponse || type === 'application/*' || type === '*/*') return graphqlResponse;
    if (type === json) acceptsJson = true;
  }
  return acceptsJson ? json : graphqlResponse;
}
