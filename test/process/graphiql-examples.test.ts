import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, Kind, type OperationDefinitionNode, parse, validate } from 'graphql';
import { exampleDocuments, FRESH } from '../../src/graphql/graphiql-examples.ts';
import { useDemoServer } from '../support/demo-server.ts';

interface Tab {
  query: string;
  headers: string;
}

let tabs: Tab[];

const server = useDemoServer();

beforeAll(async () => {
  const html = await (await fetch(`${server.url}/graphiql`)).text();
  const options = html.slice(html.lastIndexOf('{"title"'), html.lastIndexOf('}') + 1);
  tabs = (JSON.parse(options.slice(0, options.lastIndexOf(']}') + 2)) as { defaultTabs: Tab[] }).defaultTabs;
});

const operationsOf = (query: string): OperationDefinitionNode[] =>
  parse(query).definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);

test('every operation of every tab runs against the demo, in the order of the page', async () => {
  let ids: { quote?: string; reservation?: string } = {};
  const statuses: [string, number, unknown][] = [];
  for (const { query, headers } of tabs) {
    for (const operation of operationsOf(query)) {
      const filledIn = query
        // As the page does.
        .replaceAll(FRESH, () => crypto.randomUUID())
        .replace('<id of the quote>', ids.quote ?? '')
        .replace('<id of the reservation>', ids.reservation ?? '');
      expect(filledIn).not.toContain('<');
      const response = await fetch(`${server.url}/api/graphql`, {
        method: 'POST',
        headers: { ...(JSON.parse(headers) as object), 'content-type': 'application/json' },
        body: JSON.stringify({ query: filledIn, operationName: operation.name?.value }),
      });
      const body = (await response.json()) as {
        errors?: unknown;
        data: Record<string, Record<string, { id: string }>>;
      };
      const [answer] = Object.values(body.data ?? {});
      ids = { quote: answer?.quote?.id ?? ids.quote ?? '', reservation: answer?.reservation?.id ?? '' };
      statuses.push([operation.name?.value ?? '', response.status, body.errors]);
    }
  }
  expect(statuses).toEqual(
    ['Member', 'Purchase', 'Transactions', 'Return', 'Redemption', 'Reserve', 'Commit', 'Close'].map(
      (name) => [name, 200, undefined],
    ),
  );
});

describe('each tab', () => {
  test('is valid against the SDL that is served, with the demo and without', async () => {
    const sdl = await (await fetch(`${server.url}/api/graphql/schema.graphql`)).text();
    const schema = buildSchema(sdl);
    const documents = [...tabs.map(({ query }) => query), ...exampleDocuments(null)];
    expect(documents.flatMap((document) => validate(schema, parse(document)))).toEqual([]);
  });

  test('without a demo says what goes where, in the first line', () => {
    for (const document of exampleDocuments(null)) {
      expect(document).toMatch(/^# Before you run it, replace each <…>,\n/);
      for (const [placeholder] of document.matchAll(/(?<=")<[^"]*/g))
        expect(placeholder).toMatch(/^<(?:an? |the )?id of (?:an?|the) [a-z ]+>$/);
    }
  });
});
