import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithChromium } from '../support/web/browser.ts';
import type { Passed } from '../support/web/proxy.ts';
import { openWidgetWorld, seenBy, until, type WidgetWorld } from '../support/web/widget-world.ts';

const PATIENCE = { timeout: 60_000 };

describeWithChromium('redeeming in the widget', () => {
  let world: WidgetWorld;
  let customer: string;
  let page: Page;
  let members = 0;

  beforeAll(async () => {
    world = await openWidgetWorld();
  }, 180_000);

  afterAll(() => world.close());

  beforeEach(async () => {
    members += 1;
    customer = `customer-${members}`;
    await world.addMember(customer, 10);
    world.proxy.passed.length = 0;
    page = await world.open(customer);
  });

  afterEach(async () => {
    world.proxy.fault = () => null;
    await page.context().close();
  });

  const dialog = () => page.locator('svc-rewards dialog');
  const said = () => page.locator('svc-rewards dialog [role=status]');
  const heading = () => page.locator('svc-rewards dialog h2');
  const press = (name: string) => dialog().getByRole('button', { name, exact: true });
  const openDialog = () => page.locator('svc-rewards [data-reward="reward-0"]').click();
  const redemptions = (): Passed[] =>
    world.proxy.passed
      .filter(({ path }) => path.endsWith('/actions/redeem'))
      .filter(({ method }) => method === 'POST');
  const keysSent = (): Set<string> =>
    new Set(redemptions().map(({ body }) => (JSON.parse(body) as { idempotencyKey: string }).idempotencyKey));
  /** How many redemptions of the customer there are, and what it has left. */
  const stored = async (): Promise<[number, number]> => [
    await world.world.count(
      `select count(*)::int from redemption_reservations r
       join members m on m.environment_id = r.environment_id and m.id = r.member_id
       where m.external_customer_id = $1`,
      [customer],
    ),
    await world.world.count(
      `select p.available::int from program_profiles p
       join members m on m.environment_id = p.environment_id and m.id = p.member_id
       where m.external_customer_id = $1`,
      [customer],
    ),
  ];
  const eventsOf = async (name: string) => (await seenBy(page)).events.filter((event) => event.name === name);

  test('asks first, sends one action, says what is left, and gives the focus back', async () => {
    await openDialog();
    await expectText(heading, 'Redeem Reward number 0?');
    expect(await dialog().locator('dd').allTextContents()).toEqual([
      '150 points',
      '1,000 points',
      '850 points',
    ]);
    expect(redemptions()).toEqual([]);
    await press('Cancel').click();
    expect(await focused(page)).toBe('reward-0');
    expect(redemptions()).toEqual([]);
    await openDialog();
    await press('Redeem now').click();
    await press('Close').waitFor(PATIENCE);
    expect(await said().textContent()).toBe(
      'Reward number 0 is held for you. 150 points are set aside until it is handed over.You have 850 points left.',
    );
    expect(await stored()).toEqual([1, 850]);
    const [sent] = redemptions();
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      ...{ action: 'redeem', rewardId: 'reward-0', confirmed: true },
      idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    await press('Close').click();
    await until(async () => (await focused(page)) === 'reward-0');
    await page.locator('svc-rewards .figure').getByText('850').waitFor(PATIENCE);
    expect(await page.locator('svc-rewards .state.done').textContent()).toBe('✓ Held for you');
    const [told] = await eventsOf('redeemed');
    expect(told?.detail).toMatchObject({
      replayed: false,
      redemption: { rewardId: 'reward-0', points: 150 },
    });
  });

  test('works with the keyboard alone', async () => {
    await page.locator('svc-rewards [data-reward]').first().focus();
    await page.keyboard.press('Enter');
    expect(await focusedText(page)).toBe('Cancel');
    await page.keyboard.press('Escape');
    expect(await dialog().isVisible()).toBe(false);
    expect(await focused(page)).toBe('reward-0');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    expect(await focusedText(page)).toBe('Redeem now');
    await page.keyboard.press('Enter');
    await press('Close').waitFor(PATIENCE);
    expect(await focusedText(page)).toBe('Close');
    await page.keyboard.press('Enter');
    await until(async () => (await focused(page)) === 'reward-0');
    expect(await stored()).toEqual([1, 850]);
  });

  test('takes 64 clicks at once as one', async () => {
    await openDialog();
    await press('Redeem now').evaluate(clickManyTimes);
    await press('Close').waitFor(PATIENCE);
    expect(redemptions().length).toBe(1);
    expect(await stored()).toEqual([1, 850]);
  });

  test('sends the same key again where the answer is lost, and says that it counted once', async () => {
    let cuts = 0;
    world.proxy.fault = ({ path, method }) =>
      method === 'POST' && path.endsWith('/redeem') && cuts++ === 0 ? 'cut' : null;
    await openDialog();
    await press('Redeem now').click();
    await press('Close').waitFor(PATIENCE);
    expect(await said().textContent()).toContain('This had already gone through, and counted once.');
    expect({ redemptions: redemptions().length, keysSent: keysSent().size }).toEqual({
      redemptions: 2,
      keysSent: 1,
    });
    expect(redemptions().map(({ status }) => status)).toEqual([201, 200]);
    expect(await stored()).toEqual([1, 850]);
  });

  test('keeps the key while no answer comes, also where the dialog is opened again', async () => {
    world.proxy.fault = ({ path, method }) => (method === 'POST' && path.endsWith('/redeem') ? 'cut' : null);
    await openDialog();
    await press('Redeem now').click();
    await press('Try again').waitFor(PATIENCE);
    expect(await said().textContent()).toContain('it may or may not have gone through');
    await press('Close').click();
    world.proxy.fault = () => null;
    await openDialog();
    await press('Redeem now').click();
    await press('Close').waitFor(PATIENCE);
    expect(await said().textContent()).toContain('counted once');
    expect(keysSent().size).toBe(1);
    expect(await stored()).toEqual([1, 850]);
    // The next one is another intent.
    await press('Close').click();
    await openDialog();
    await press('Redeem now').click();
    await press('Close').waitFor(PATIENCE);
    expect(keysSent().size).toBe(2);
    expect(await stored()).toEqual([2, 700]);
  }, 180_000);

  test('says that nothing was taken where there is no network, and goes on when there is', async () => {
    await openDialog();
    await page.context().setOffline(true);
    await press('Redeem now').click();
    await press('Try again').waitFor(PATIENCE);
    expect(await said().textContent()).toBe('You are offline.No points were taken.');
    await page.context().setOffline(false);
    await press('Try again').click();
    await press('Close').waitFor(PATIENCE);
    await until(async () => (await stored())[0] === 1);
  });

  test('gets another token where the first has expired, without another key', async () => {
    await openDialog();
    expect((await seenBy(page)).tokens).toBe(1);
    let refused = 0;
    world.proxy.fault = (passed) => {
      // What an expired token gets; the deployment takes no part in it.
      if (passed.path.endsWith('/redeem') && passed.method === 'POST' && refused++ === 0) {
        passed.headers.authorization = 'Bearer wst_expired';
      }
      return null;
    };
    await press('Redeem now').click();
    await press('Close').waitFor(PATIENCE);
    expect(redemptions().map(({ status }) => status)).toEqual([401, 201]);
    expect({ keysSent: keysSent().size, tokens: (await seenBy(page)).tokens }).toEqual({
      keysSent: 1,
      tokens: 2,
    });
    expect(await stored()).toEqual([1, 850]);
  });

  test('says that the session is over where the page has no other token', async () => {
    await openDialog();
    world.proxy.fault = (passed) => {
      if (passed.headers.authorization) passed.headers.authorization = 'Bearer wst_expired';
      return null;
    };
    await press('Redeem now').click();
    await press('Close').waitFor(PATIENCE);
    expect(await said().textContent()).toBe('Your session has ended. Sign in again.No points were taken.');
    await press('Close').click();
    await page
      .locator('svc-rewards [part~=notice]')
      .getByText('Your session has ended. Sign in again.')
      .waitFor();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await page.locator('svc-rewards [data-reward]').count()).toBe(0);
    expect((await eventsOf('signed-out')).length).toBeGreaterThan(0);
    expect(await stored()).toEqual([0, 1_000]);
  });

  test('shows what there is now, and says so, where the deployment was replaced meanwhile', async () => {
    await openDialog();
    await world.publish({ components: [{ id: 'rewards', kind: 'svc.reward_catalog', label: 'All new' }] });
    await press('Redeem now').click();
    await press('Close').waitFor(PATIENCE);
    expect(redemptions().map(({ status }) => status)).toEqual([409]);
    expect(await said().textContent()).toBe(
      'The rewards have changed meanwhile. This is what there is now.No points were taken.',
    );
    await press('Close').click();
    await page.getByRole('heading', { name: 'All new' }).waitFor();
    expect(await stored()).toEqual([0, 1_000]);
    await world.publish({});
  });

  test('tells nothing to another site, and stores nothing', async () => {
    await openDialog();
    await press('Redeem now').click();
    await press('Close').waitFor(PATIENCE);
    expect((await seenBy(page)).violations).toEqual([]);
    expect(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length')).toBe(
      0,
    );
    const html = await page.evaluate<string>(
      'document.documentElement.outerHTML + document.querySelector("svc-rewards").shadowRoot.innerHTML',
    );
    expect(html).not.toContain('wst_');
  });
});

describeWithChromium('a widget that cannot be shown', () => {
  let world: WidgetWorld;

  beforeAll(async () => {
    world = await openWidgetWorld();
    await world.addMember('ada', 1);
  }, 180_000);

  afterAll(() => world.close());

  test('says why, and shows it once it can', async () => {
    world.proxy.fault = ({ path }) => (path.endsWith('/surface') ? 'refuse' : null);
    const page = await world.open('ada');
    await page.locator('svc-rewards .failed').getByText('The rewards cannot be reached.').waitFor();
    world.proxy.fault = () => null;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Your balance' }).waitFor(PATIENCE);
    // What is shown stays where it can be read no more.
    world.proxy.fault = ({ path }) => (path.endsWith('/surface') ? 'refuse' : null);
    await page.evaluate('document.querySelector("svc-rewards").refresh()');
    await page.getByText('This could not be brought up to date.').waitFor(PATIENCE);
    expect(await page.getByRole('heading', { name: 'Your balance' }).isVisible()).toBe(true);
    await page.context().close();
    world.proxy.fault = () => null;
  });

  test('shows a skeleton meanwhile, in the same place', async () => {
    const { promise, resolve } = Promise.withResolvers<null>();
    world.proxy.fault = ({ path }) => (path.endsWith('/surface') ? promise : null);
    const page = await (await world.browser.newContext()).newPage();
    await page.goto(`${world.shop.url}/?customer=ada`);
    const first = page.locator('svc-rewards .summary').first();
    await first.waitFor(PATIENCE);
    expect(await page.locator('svc-rewards [part=widget]').getAttribute('aria-busy')).toBe('true');
    const before = await first.boundingBox();
    resolve(null);
    await page.getByRole('heading', { name: 'Your balance' }).waitFor(PATIENCE);
    expect(await first.boundingBox()).toMatchObject({ x: before?.x, y: before?.y, width: before?.width });
    await page.context().close();
    world.proxy.fault = () => null;
  });

  test('shows the words for nothing, and a sign-in of the page', async () => {
    await world.publishRewards([]);
    await world.publish({
      components: [
        { id: 'rewards', kind: 'svc.reward_catalog', label: 'Rewards', emptyLabel: 'Come back soon' },
      ],
    });
    const page = await world.open(null);
    await page.getByText('Sign in to see your points and to redeem rewards.').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await page.locator('svc-rewards .empty').getByText('Come back soon').waitFor();
    await page.context().close();
  });
});

/** Waits until an element has a text. */
async function expectText(locate: () => ReturnType<Page['locator']>, text: string): Promise<void> {
  await until(async () => (await locate().textContent()) === text);
}

/** The reward whose button has the focus; undefined where none has it. */
function focused(page: Page): Promise<string | undefined> {
  return page.evaluate<string | undefined>(
    `document.activeElement?.shadowRoot?.activeElement?.dataset?.reward`,
  );
}

function focusedText(page: Page): Promise<string | undefined> {
  return page.evaluate<string | undefined>(`document.activeElement?.shadowRoot?.activeElement?.textContent`);
}

function clickManyTimes(element: object): void {
  for (let click = 0; click < 64; click += 1) (element as { click(): void }).click();
}
