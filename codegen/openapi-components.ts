import type { ErrorCodeEntry } from './error-codes.ts';
import type { JsonSchema } from './json-schema.ts';

/** A reference to a schema of the components. */
export function schemaReference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The parts of an OpenAPI document that operations share. */
export function components(
  codes: ErrorCodeEntry[],
  schemas: Record<string, JsonSchema>,
  securitySchemes: object,
): object {
  return {
    securitySchemes,
    parameters: {
      IdempotencyKey: {
        name: 'Idempotency-Key',
        in: 'header',
        required: true,
        description:
          'Stable identity of the business event, bare or quoted as a structured-field string. The same key with ' +
          'the same input is answered as the first time; with another input it is refused.',
        schema: { type: 'string', minLength: 1, maxLength: 257, pattern: '^[\\x21-\\x7e]+$' },
        example: 'purchase-order-5001',
      },
      RequestId: {
        name: 'X-Request-Id',
        in: 'header',
        required: false,
        description: 'Trace id, given back. Anything but 1 to 128 visible ASCII characters is replaced.',
        schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' },
      },
    },
    headers: {
      'X-Request-Id': header('Identifies the request in logs and the audit trail.', { type: 'string' }),
      'RateLimit-Policy': header('The limit of the credential: requests (q) in a window of seconds (w).', {
        type: 'string',
        examples: ['"default";q=600;w=60'],
      }),
      RateLimit: header('Requests left (r) and seconds until the window ends (t).', {
        type: 'string',
        examples: ['"default";r=599;t=60'],
      }),
      'Retry-After': header('Whole seconds to wait before the same request is sent again.', {
        type: 'integer',
        minimum: 1,
      }),
      'Cache-Control': header('What a response carries is not to be stored.', { const: 'no-store' }),
      'Idempotent-Replayed': header('Present where an earlier, identical request is answered again.', {
        const: 'true',
      }),
    },
    schemas: { Error: errorSchema(codes), ...schemas },
  };
}

function header(description: string, schema: JsonSchema): object {
  return { description, schema };
}

function errorSchema(codes: ErrorCodeEntry[]): JsonSchema {
  const detail: JsonSchema = {
    type: 'object',
    required: ['path', 'message'],
    properties: {
      path: { description: 'Where, such as `items[2].quantity`.', type: 'string' },
      message: { description: 'What is wrong there.', type: 'string' },
    },
  };
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'requestId'],
        properties: {
          code: {
            description: 'What clients decide by. New codes may come with new operations.',
            type: 'string',
            enum: codes.map(({ code }) => code),
          },
          message: { description: 'For a developer; not to be parsed.', type: 'string' },
          requestId: { type: 'string' },
          details: {
            description: 'One entry for each path that breaks a rule.',
            type: 'array',
            items: detail,
          },
        },
      },
    },
  };
}
