import type { SvcRewardsElement } from '../element.ts';
import { ARABIC, GERMAN } from './words.ts';

/** What the controls of the page are named. */
type Control = 'customer' | 'theme' | 'look' | 'locale' | 'direction' | 'network';

const WORDS: Readonly<Record<string, SvcRewardsElement['messages']>> = { 'de-DE': GERMAN, 'ar-EG': ARABIC };
const MOST_LOGGED = 12;
const SLOW_MS = 3_000;

const widget = document.querySelector('svc-rewards') as SvcRewardsElement;
const shop = document.getElementById('shop') as HTMLElement;
const controls = document.getElementById('controls') as HTMLFormElement;
const log = document.getElementById('log') as HTMLElement;

/** What is chosen for a control. */
function chosen(control: Control): string {
  return String(new FormData(controls).get(control) ?? '');
}

/** Asks this page's own server, which is the shop's backend here. */
async function askShop(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`/demo/widget/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The shop answered ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
}

/** A session of a customer. A real shop asks its backend, which knows who is signed in. */
async function openSession(externalCustomerId: string): Promise<string> {
  const { token } = await askShop('session', { externalCustomerId });
  return String(token);
}

/** The customer buys something; then the widget shows the points for it. */
async function buy(): Promise<void> {
  const externalCustomerId = chosen('customer');
  if (externalCustomerId === '') return;
  await askShop('purchase', { externalCustomerId, sourceReference: `demo-${crypto.randomUUID()}` });
  await widget.refresh();
}

function signIn(): void {
  const customer = chosen('customer');
  widget.getToken = customer === '' ? null : () => openSession(customer);
}

function dress(): void {
  const locale = chosen('locale');
  shop.dataset.theme = chosen('theme');
  shop.dataset.look = chosen('look');
  setOrRemove('locale', locale);
  setOrRemove('dir', chosen('direction'));
  widget.messages = WORDS[locale] ?? {};
}

function setOrRemove(name: string, value: string): void {
  if (value === '') widget.removeAttribute(name);
  else widget.setAttribute(name, value);
}

/** Does to the requests of the widget what the page's network control says. Other requests are left alone. */
const send = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const network = chosen('network');
  if (network === '' || !String(input).includes('/api/v1/widgets/')) return send(input, init);
  if (network === 'down') throw new TypeError('Failed to fetch');
  if (network === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  if (network === 'expired') {
    // The next request has a token that no longer holds; the widget gets another one.
    (controls.elements.namedItem('network') as RadioNodeList).value = '';
    const headers = new Headers(init?.headers);
    if (headers.has('Authorization')) headers.set('Authorization', 'Bearer expired');
    return send(input, { ...init, headers });
  }
  const response = await send(input, init);
  if (network === 'lost' && init?.method === 'POST') throw new TypeError('Failed to fetch');
  return response;
};

// A session is bound to an origin, which browsers name only to other origins: the widget is given the service under
// this machine's other name, as if the shop were another site.
const { protocol, hostname, port } = location;
const other = hostname === 'localhost' ? '127.0.0.1' : 'localhost';
widget.setAttribute('base', `${protocol}//${other}${port === '' ? '' : `:${port}`}`);

for (const name of ['loaded', 'redeemed', 'signed-out', 'error']) {
  widget.addEventListener(`svc-rewards:${name}`, (event) => {
    const { detail } = event as CustomEvent<Record<string, unknown>>;
    const { surface: _surface, ...rest } = detail;
    const entry = document.createElement('li');
    entry.textContent = `svc-rewards:${name} ${name === 'loaded' ? '' : JSON.stringify(rest)}`;
    log.prepend(entry);
    while (log.childElementCount > MOST_LOGGED) log.lastElementChild?.remove();
  });
}

controls.addEventListener('change', ({ target }) => {
  const { name } = target as HTMLInputElement;
  if (name === 'customer') signIn();
  else if (name === 'network') void widget.refresh();
  else dress();
});
document.getElementById('purchase')?.addEventListener('click', () => void buy());
document.getElementById('reload')?.addEventListener('click', () => void widget.refresh());
// On a phone the widget comes first to the eye.
if (matchMedia('(max-width: 60rem)').matches) controls.querySelector('details')?.removeAttribute('open');
dress();
signIn();
