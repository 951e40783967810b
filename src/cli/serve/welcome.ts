import { join, relative } from 'node:path';
import type { Demo } from '../../admin/demo/demo.ts';
import type { Config } from '../../config.ts';

/** What `serve` prints once it listens: its addresses, and with a demo a command to try it with. */
export function welcome(url: string, config: Config, demo: Demo | null): string {
  const rows: [string, string][] = [
    ['REST', `${url}/api/v1`],
    ['GraphQL', `${url}/api/graphql`],
    ['Customers', `${url}/loyalty/v1`],
    ['GraphiQL', `${url}/graphiql`],
    ['OpenAPI', `${url}/openapi.json`],
    ['SDL', `${url}/api/graphql/schema.graphql`],
    ['Health', `${url}/readyz`],
  ];
  if (!demo) return `\n${table(rows)}\n`;
  rows.push(['Widget', `${url}/demo/widget`]);
  rows.push(['Demo key', demo.sandbox.apiKey], ['Environment', demo.sandbox.environmentId]);
  rows.push(['All keys', nearest(join(config.dataDir, 'demo.json'))]);
  return [
    `\n${table(rows)}`,
    `Try a purchase:\n\n${curl(url, demo)}\n`,
    `Try it as the customer:\n\n${customerCurl(url, demo)}\n`,
    `See what the widget shows:\n\ncurl -sS ${url}/api/v1/widgets/${demo.sandbox.deploymentId}/surface\n`,
  ].join('\n');
}

function curl(url: string, { sandbox, programId }: Demo): string {
  // A new order at every start, so that the first call returns 201 and a repeated call 200.
  const order = `order-${Date.now().toString(36)}`;
  const body = {
    type: 'purchase.completed',
    programId,
    externalCustomerId: 'customer-ada',
    amountMinor: 1250,
    channel: 'web',
    sourceReference: order,
  };
  return [
    `curl -sS ${url}/api/v1/events`,
    `  -H 'Authorization: Bearer ${sandbox.apiKey}'`,
    `  -H 'X-Environment: ${sandbox.environmentId}'`,
    `  -H 'Idempotency-Key: ${order}'`,
    `  -H 'Content-Type: application/json'`,
    `  -d '${JSON.stringify(body)}'`,
  ].join(' \\\n');
}

function customerCurl(url: string, { sandbox }: Demo): string {
  return [
    `curl -sS ${url}/loyalty/v1/member`,
    `  -H "Authorization: Bearer $(npx rewards demo token --customer customer-ada)"`,
    `  -H 'X-Environment: ${sandbox.environmentId}'`,
  ].join(' \\\n');
}

/** The path from the working directory, or the absolute path where that is far away. */
function nearest(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
}

function table(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}\n`).join('');
}
