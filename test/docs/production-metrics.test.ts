import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { RunningServer } from '../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer } from '../support/server.ts';

const FOLDER = new URL('../../docs/operate/production/', import.meta.url);
const PAGE = readFileSync(new URL('../production.md', FOLDER), 'utf8');

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
}

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

const rules = (parse(readFileSync(new URL('alerts.yml', FOLDER), 'utf8')) as Rules).groups.flatMap(
  (group) => group.rules,
);
const dashboard = JSON.parse(readFileSync(new URL('dashboard.json', FOLDER), 'utf8')) as Dashboard;
const expressions: [where: string, expr: string][] = [
  ...rules.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }): [string, string] => [title, expr]),
  ),
];

/** Labels that Prometheus adds to each sample, and its own label of a bucket. */
const LABELS_OF_SCRAPES = new Set(['job', 'instance', 'le']);

describe('the rules and the dashboard of docs/operate/production', () => {
  let database: TestDatabase;
  let server: RunningServer;
  let text: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await startTestServer(database);
    text = await (await fetch(`${server.url}/metrics`)).text();
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  test.each(expressions)('%s reads metrics that exist: %s', (_where, expr) => {
    const names = metricsIn(expr).filter((name) => name !== 'up');
    expect(names.filter((name) => !isServed(name, text))).toEqual([]);
  });

  test('every metric of the service is on the dashboard', () => {
    const own = [...text.matchAll(/^# TYPE (rewards_\w+) /gm)].map(([, name = '']) => name);
    const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n');
    expect(own.filter((name) => !shown.includes(name))).toEqual([]);
  });

  test('every alert is explained in docs/operate/production.md', () => {
    expect(rules.filter(({ alert }) => !PAGE.includes(`\`${alert}\``)).map(({ alert }) => alert)).toEqual([]);
  });

  test('labels are those of the metrics', async () => {
    const source = readFileSync(new URL('../../src/server/service/metrics.ts', import.meta.url), 'utf8');
    const labels = new Set(
      [...source.matchAll(/labelNames(?:: | = )\[([^\]]*)\]/g)].flatMap(([, list = '']) =>
        [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name),
      ),
    );
    const used = expressions.flatMap(([, expr]) => labelsIn(expr));
    expect(used.filter((label) => !labels.has(label) && !LABELS_OF_SCRAPES.has(label))).toEqual([]);
  });
});

/** The names of metrics in an expression of PromQL: words with an underscore that are no functions, and `up`. */
function metricsIn(expr: string): string[] {
  const bare = expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"|by \([^)]*\)/g, ' ');
  return [...bare.matchAll(/\b[a-z]\w*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => /_|^up$/.test(name));
}

function labelsIn(expr: string): string[] {
  const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
  const matched = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)].map(([, name = '']) => name),
  );
  return [...grouped, ...matched];
}

/** Whether /metrics declares a metric, or the histogram that a name with _bucket, _sum or _count belongs to. */
function isServed(name: string, text: string): boolean {
  return [name, name.replace(/_(bucket|sum|count)$/, '')].some((candidate) => {
    const type = new RegExp(`^# TYPE ${candidate} (\\w+)$`, 'm').exec(text)?.[1];
    return type !== undefined && (candidate === name ? type !== 'histogram' : type === 'histogram');
  });
}
