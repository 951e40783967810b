import type { Route } from '../../rest-adapter/route.ts';

/** A document that is a body as it stands: as YAML, or as JSON. */
interface TextBody {
  /** Where its JSON Schema is served. */
  schema: string;
  example: Readonly<Record<string, unknown>> & { id: string };
  yaml: string;
}

/** The documents that operations take, by their names. */
const textBodies: Readonly<Partial<Record<Route['operation'], TextBody>>> = {
  publishProgram: {
    schema: '/schemas/program.v1.json',
    example: { id: 'coffee-club', name: 'Coffee Club' },
    yaml: 'id: coffee-club\nname: Coffee Club\n',
  },
  publishWidget: {
    schema: '/schemas/widget.v1.json',
    example: {
      id: 'coffee-widget',
      program: 'coffee-club',
      origins: ['https://shop.example'],
      components: [{ id: 'balance', kind: 'svc.balance' }],
    },
    yaml: 'id: coffee-widget\nprogram: coffee-club\norigins: [https://shop.example]\n',
  },
};

/** The bodies that a route takes whose body is the text of a document: JSON as it is, others as text. */
export function textContent({
  operation,
  textBody,
}: Pick<Route, 'operation' | 'textBody'>): Record<string, object> {
  const body = textBodies[operation];
  if (!body || !textBody) throw new Error(`codegen/examples/text-bodies.ts has no document for ${operation}`);
  const asJson = {
    schema: {
      type: 'object',
      description: `As ${body.schema} describes it.`,
      required: Object.keys(body.example),
      properties: { id: { type: 'string' } },
    },
    example: body.example,
  };
  const asText = { schema: { type: 'string', minLength: 1 }, example: body.yaml };
  return Object.fromEntries(
    textBody.mediaTypes.map((mediaType) => [mediaType, mediaType === 'application/json' ? asJson : asText]),
  );
}
