import type { Place } from './scenarios.ts';

/** The headers of every request to the service. API keys take turns, so that none reaches its rate limit. */
export function headerLines({ apiKeys, environmentId }: Place): (number: number) => string {
  const lines = apiKeys.map(
    (key) => `Host: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nX-Environment: ${environmentId}\r\n`,
  );
  return (number) => lines[number % lines.length] as string;
}

/** The last headers of a request, and its body. @param body only ASCII */
export function content(body: string): string {
  return `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Makes the text of POST requests to the REST API of a place. */
export function restPosts(
  place: Place,
): (number: number, path: string, idempotencyKey: string, body: object) => string {
  const headers = headerLines(place);
  return (number, path, idempotencyKey, body) =>
    `POST /api/v1${path} HTTP/1.1\r\n${headers(number)}Idempotency-Key: ${idempotencyKey}\r\n` +
    content(JSON.stringify(body));
}
