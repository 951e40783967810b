import type { GraphQLSchema } from 'graphql';
import { messageSchemas } from './event-schemas.ts';
import { eventExamples } from './examples/event-examples.ts';
import type { JsonSchema } from './json-schema.ts';
import { schemaReference } from './openapi-components.ts';

/** The section `webhooks` of openapi.json, with the schemas of its messages. */
export interface OpenapiWebhooks {
  webhooks: Record<string, object>;
  schemas: Record<string, JsonSchema>;
}

/** Describes what is sent to webhook endpoints: a request for each type of event, and that of tests. */
export function openapiWebhooks(schema: GraphQLSchema): OpenapiWebhooks {
  const webhooks: OpenapiWebhooks['webhooks'] = {};
  const schemas: OpenapiWebhooks['schemas'] = {};
  const examples = new Map<string, object>(Object.entries(eventExamples));
  for (const [type, message] of messageSchemas(schema)) {
    const name = pascalCase(type);
    const example = examples.get(type);
    if (!example) throw new Error(`codegen/examples/event-examples.ts has no ${type}`);
    schemas[`${name}Message`] = message;
    webhooks[type] = {
      post: {
        operationId: `on${name}`,
        tags: ['Webhooks'],
        summary: type,
        description: message.description ?? '',
        // Instead of a credential the message has a signature.
        security: [],
        parameters: HEADERS,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: schemaReference(`${name}Message`), example } },
        },
        responses: RESPONSES,
      },
    };
  }
  return { webhooks, schemas };
}

const HEADERS = [
  header('webhook-id', 'The id of the delivery, `msg_…`, the same on every attempt.', { type: 'string' }),
  header('webhook-timestamp', 'When the attempt was made, in seconds since 1970.', {
    type: 'string',
    pattern: '^[0-9]+$',
  }),
  header(
    'webhook-signature',
    'As Standard Webhooks has it: `v1,` and the HMAC-SHA256 over `webhook-id.webhook-timestamp.body` in ' +
      'base64. Two of them, separated by a space, while a replaced secret is still valid.',
    { type: 'string', pattern: '^v1,\\S+(?: v1,\\S+)*$' },
  ),
];

const RESPONSES = {
  '2XX': { description: 'Taken. It has to come within 15 seconds.' },
  410: { description: 'The receiver wants no more: the endpoint is disabled.' },
  default: {
    description:
      'Anything else is a failure, redirects too: the message is sent again ' +
      'later. A `Retry-After` of up to 24 hours is waited for.',
  },
};

function header(name: string, description: string, schema: JsonSchema): object {
  return { name, in: 'header', required: true, description, schema };
}

/** `redemption.dispute_opened` as `RedemptionDisputeOpened`. */
function pascalCase(type: string): string {
  return type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
