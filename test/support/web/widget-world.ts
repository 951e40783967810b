import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { publishWidget } from '../../../src/admin/widgets/publish-widget.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { RunningServer } from '../../../src/server/process/http-server.ts';
import type { Surface } from '../../../src/widget/surface.ts';
import type { WidgetDocument } from '../../../src/widget/widget-document.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { startTestServer } from '../server.ts';
import { addMembers, Client, earn, rest } from '../surfaces/client.ts';
import { widgetDocument } from '../surfaces/widgets.ts';
import { createWorld, type TestEnvironment, type World } from '../surfaces/world.ts';
import { openBrowser } from './browser.ts';
import { type FaultyProxy, startProxy } from './proxy.ts';
import { type Shop, startShop } from './shop.ts';

const REWARDS = /^rewards:\n(?: .*\n|\n(?= ))*/m;
/** How many purchases Ada has made: more than a widget shows. */
const PURCHASES = 22;
/** Points of each of them. */
const POINTS_OF_PURCHASE = 100;

/** A reward of the program of the tests. */
export interface TestReward {
  id: string;
  name: string;
  points: number;
  description?: string;
  inventory?: number;
}

/** What the page tells of itself. */
export interface Seen {
  events: { name: string; timeStamp: number; detail: Record<string, unknown> }[];
  violations: string[];
  /** Times and scores of layout shifts. */
  shifts: [number, number][];
  /** How often the page was asked for a token. */
  tokens: number;
  /** When the frame was shown in which the widget was drawn first; null before. */
  firstFrameAt: number | null;
}

/** A server with a program, a deployment and a member, a shop that embeds its widget through a proxy, and a browser. */
export interface WidgetWorld {
  world: World;
  server: RunningServer;
  client: Client;
  environment: TestEnvironment;
  shop: Shop;
  proxy: FaultyProxy;
  browser: Browser;
  publish(document: Partial<WidgetDocument>): Promise<void>;
  publishRewards(rewards: readonly TestReward[]): Promise<void>;
  addMember(externalCustomerId: string, purchases?: number): Promise<void>;
  /** Opens the shop's page, and waits until its widget shows something. @param customer null for nobody */
  open(customer: string | null, options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

export const TWELVE_REWARDS: readonly TestReward[] = Array.from({ length: 12 }, (_, index) => ({
  id: `reward-${index}`,
  name: `Reward number ${index}`,
  points: 150 + index * 400,
  ...(index % 3 === 0
    ? {}
    : { description: 'A good thing, with a description that takes more than one line of a card.' }),
}));

export async function openWidgetWorld(): Promise<WidgetWorld> {
  const database: TestDatabase = await createTestDatabase();
  const world = createWorld(database);
  const environment = await world.environment();
  const server = await startTestServer(database);
  const shop = await startShop();
  const proxy = await startProxy(server.url);
  const browser = await openBrowser();
  const client = new Client(server.url);
  const opened: WidgetWorld = {
    ...{ world, server, client, environment, shop, proxy, browser },
    async publish(document) {
      const published = await publishWidget(
        world.administrator,
        environment.id,
        widgetDocument({ origins: [shop.url], ...document }),
      );
      if (isRefusal(published)) throw new Error(published.message);
      const { deploymentId, version } = published;
      shop.widget = { deploymentId, base: proxy.url };
      await until(
        async () => (await readSurface(client, deploymentId))?.context.deployment.version === version,
      );
    },
    async publishRewards(rewards) {
      await world.publish(environment.id, (yaml) =>
        yaml.replace(REWARDS, () => `rewards: ${JSON.stringify(rewards)}\n`),
      );
      const { deploymentId } = shop.widget;
      if (deploymentId === '') return;
      const [first] = rewards;
      const shown = first ? JSON.stringify(first.name) : '"items":[],"pagination"';
      await until(async () => JSON.stringify(await readSurface(client, deploymentId))?.includes(shown));
    },
    async addMember(externalCustomerId, purchases = PURCHASES) {
      await addMembers(client, environment, [externalCustomerId]);
      for (let index = 0; index < purchases; index += 1) {
        const sourceReference = `${externalCustomerId}-${index}`;
        const purchase = { externalCustomerId, sourceReference, amountMinor: POINTS_OF_PURCHASE * 100 };
        const { status, text } = await client.send(earn(environment, purchase, sourceReference));
        if (status !== 201) throw new Error(text);
      }
    },
    async open(customer, options = {}) {
      const page = await (await browser.newContext(options)).newPage();
      await page.goto(`${shop.url}/${customer === null ? '' : `?customer=${encodeURIComponent(customer)}`}`);
      await page.locator('svc-rewards h2, svc-rewards .failed').first().waitFor({ timeout: 60_000 });
      return page;
    },
    async close() {
      await browser.close();
      client.close();
      await Promise.all([shop.close(), proxy.close()]);
      await server.close();
      await database.drop();
    },
  };
  shop.openSession = async (externalCustomerId) => {
    const path = `/widgets/${shop.widget.deploymentId}/sessions`;
    const body = { externalCustomerId, origin: shop.url };
    const answer = await client.send(rest(environment, 'POST', path, body));
    if (answer.status !== 201) throw new Error(answer.text);
    return String(answer.body.token);
  };
  await opened.publishRewards(TWELVE_REWARDS);
  await opened.publish({});
  return opened;
}

/** What the page has told so far. */
export function seenBy(page: Page): Promise<Seen> {
  return page.evaluate<Seen>('seen');
}

async function readSurface(client: Client, deploymentId: string): Promise<Surface | null> {
  const { status, text } = await client.send({
    method: 'GET',
    path: `/api/v1/widgets/${deploymentId}/surface`,
  });
  return status === 200 ? (JSON.parse(text) as Surface) : null;
}

/** Waits for something that happens soon, on a busy machine too. */
export async function until(holds: () => Promise<boolean | undefined>): Promise<void> {
  const giveUpAt = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > giveUpAt) throw new Error('It did not happen within a minute');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
