import type { RedeemAction, Surface, SurfaceReward } from '../../src/widget/surface.ts';
import { button, h } from './dom.ts';
import { type Formats, formatsFor } from './formats.ts';
import { ENGLISH, type Messages, wordsFor } from './messages.ts';
import { type Ending, type Offer, RedeemDialog } from './redeem-dialog.ts';
import { type Drawing, drawComponents, drawSkeleton } from './render.ts';
import { type Failure, type Result, Service } from './service.ts';
import { type CustomerToken, Session } from './session.ts';
import { createStyleSheet } from './styles.ts';

/** A module of this element can also be loaded where there is no page, such as by a server that renders. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

let sheet: CSSStyleSheet | null = null;

/**
 * `<svc-rewards deployment="…" base="…">` shows the surface of a widget deployment: balance, tier, rewards and
 * activity, and lets a customer redeem. docs/guide/widget.md describes its attributes, properties, events, parts and
 * custom properties.
 */
export class SvcRewardsElement extends Base {
  static readonly observedAttributes = ['deployment', 'base', 'locale', 'dir'];

  #token: CustomerToken = null;
  #getToken: (() => Promise<CustomerToken> | CustomerToken) | null = null;
  #messages: Partial<Messages> = {};
  #session = new Session(null, null);
  #surface: Surface | null = null;
  /** Counts the readings of the surface: an answer that a later one has overtaken is dropped. */
  #reading = 0;
  #scheduled = false;
  #stop = new AbortController();
  /** The key of each redemption that is wanted and of which no answer has told the end. */
  readonly #keys = new Map<string, string>();
  readonly #redeemed = new Map<string, string>();
  readonly #notice = h('div', { class: 'card notice', part: 'notice' });
  readonly #announced = h('p', { class: 'visually-hidden', role: 'status' });
  readonly #body = h('div', { class: 'body', part: 'body' });
  readonly #frame = h('div', { part: 'widget' }, this.#announced, this.#notice, this.#body);
  readonly #dialog = new RedeemDialog({
    redeem: (offer, onRepeat) => this.#redeem(offer, onRepeat),
    closed: ({ reward }) => this.#focusReward(reward.id),
  });

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    sheet ??= createStyleSheet();
    root.adoptedStyleSheets = [sheet];
    this.#frame.append(this.#dialog.element);
    root.append(this.#frame);
  }

  /** The session's token of the customer who is signed in, as the merchant's backend gets it; null for nobody. */
  get token(): CustomerToken {
    return this.#token;
  }

  set token(token: CustomerToken) {
    this.#token = token;
    this.#startSession();
  }

  /**
   * Called for a token, at first and when one is refused. All its tokens have to be of the same customer: for another
   * one, set it anew.
   */
  get getToken(): (() => Promise<CustomerToken> | CustomerToken) | null {
    return this.#getToken;
  }

  set getToken(getToken: (() => Promise<CustomerToken> | CustomerToken) | null) {
    this.#getToken = getToken;
    this.#startSession();
  }

  /** Words in place of the element's own, in any language. */
  get messages(): Partial<Messages> {
    return this.#messages;
  }

  set messages(messages: Partial<Messages>) {
    this.#messages = messages;
    this.#draw();
  }

  /** Reads the surface again, such as after a purchase. */
  async refresh(): Promise<void> {
    await this.#read();
  }

  connectedCallback(): void {
    // What the page has set before the element was defined.
    for (const name of ['token', 'getToken', 'messages'] as const) {
      if (!Object.hasOwn(this, name)) continue;
      const { [name]: value } = this;
      delete (this as Record<string, unknown>)[name];
      Object.assign(this, { [name]: value });
    }
    this.#stop = new AbortController();
    globalThis.addEventListener('online', () => this.#scheduleReading(), { signal: this.#stop.signal });
    if (!this.#surface) this.#drawLoading();
    this.#scheduleReading();
  }

  disconnectedCallback(): void {
    this.#stop.abort();
    this.#reading += 1;
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return;
    if (name === 'deployment' || name === 'base') this.#startSession();
    else this.#draw();
  }

  /** Forgets what belongs to the customer before, and begins anew. */
  #startSession(): void {
    this.#dialog.close();
    this.#session = new Session(this.#token, this.#getToken);
    this.#keys.clear();
    this.#redeemed.clear();
    this.#scheduleReading();
  }

  /** Several changes of one task lead to one reading. */
  #scheduleReading(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      if (this.isConnected) void this.#read();
    });
  }

  #service(): Service | null {
    const deployment = this.getAttribute('deployment');
    if (!deployment) return null;
    const base = this.getAttribute('base') ?? new URL(import.meta.url).origin;
    return new Service(base, deployment, this.#session);
  }

  async #read(): Promise<void> {
    const service = this.#service();
    if (!service) return;
    this.#reading += 1;
    const reading = this.#reading;
    const { signal } = this.#stop;
    this.#frame.setAttribute('aria-busy', 'true');
    let result = await service.surface({ signal });
    let notice: string | null = null;
    if (!result.ok && (result.code === 'unauthorized' || result.code === 'enrollment_required')) {
      notice = wordsFor(this.#words(), 'error', result.code);
      this.#tell(result.code === 'unauthorized' ? 'signed-out' : 'error', result);
      if (reading === this.#reading) result = await service.surface({ anonymous: true, signal });
    }
    // What was overtaken by a later reading, or by the end of the element.
    if (reading !== this.#reading) return;
    this.#frame.removeAttribute('aria-busy');
    if (result.ok) this.#take(result, notice);
    else this.#fail(result);
  }

  #take({ value }: Result<Surface> & { ok: true }, notice: string | null): void {
    this.#surface = value;
    this.#draw();
    const signedOut = !value.context.personalized;
    const words = this.#words();
    const message = notice ?? (signedOut ? words.signIn : null);
    this.#note(message, signedOut ? h('slot', { name: 'sign-in' }) : null);
    this.#announced.textContent = notice ?? '';
    this.#tell('loaded', { surface: value });
  }

  #fail(failure: Failure): void {
    this.#tell('error', failure);
    const words = this.#words();
    const message = wordsFor(words, 'error', failure.code);
    const retry = (): HTMLButtonElement => button('button', () => void this.#retry(), words.tryAgain);
    this.#announced.textContent = message;
    if (this.#surface) {
      this.#note(`${message} ${words.stale}`, retry());
      return;
    }
    this.#note(null);
    const attributes = { class: 'card failed wide', part: 'card failed' };
    this.#body.classList.remove('loading');
    this.#body.replaceChildren(h('div', attributes, h('p', {}, message), retry()));
  }

  async #retry(): Promise<void> {
    if (!this.#surface) this.#drawLoading();
    await this.#read();
    this.#focusHeading();
  }

  #drawLoading(): void {
    this.#announced.textContent = this.#words().loading;
    // As high as a window at least: what stands below on the page is not drawn up to it and down again.
    this.#body.classList.add('loading');
    this.#body.replaceChildren(...drawSkeleton());
  }

  #draw(): void {
    const surface = this.#surface;
    if (!surface) return;
    const formats = this.#formats(surface);
    this.#frame.dir = this.getAttribute('dir') || formats.direction;
    this.#frame.lang = formats.locale;
    const drawing: Drawing = {
      ...{ surface, formats },
      messages: this.#words(),
      redeemed: this.#redeemed,
      redeem: (reward, action) => this.#open(surface, reward, action),
    };
    const focused = (this.shadowRoot?.activeElement as HTMLElement | null)?.dataset.reward;
    this.#body.classList.remove('loading');
    this.#body.replaceChildren(...drawComponents(drawing));
    if (focused !== undefined) this.#focusReward(focused);
  }

  #formats({ context }: Surface): Formats {
    return formatsFor(this.getAttribute('locale') ?? context.program.locale, context.program.unitName);
  }

  #words(): Messages {
    return { ...ENGLISH, ...this.#messages };
  }

  #open(surface: Surface, reward: SurfaceReward, action: RedeemAction): void {
    let available: number | null = null;
    for (const component of surface.components) {
      if (component.kind === 'svc.balance' && 'available' in component.state) {
        available = component.state.available;
      }
    }
    const formats = this.#formats(surface);
    this.#dialog.open({
      reward,
      action,
      surfaceId: surface.surface.id,
      available,
      messages: this.#words(),
      formats,
    });
  }

  async #redeem({ reward, action, surfaceId }: Offer, onRepeat: () => void): Promise<Ending> {
    const service = this.#service();
    const session = this.#session;
    // One key for one intent, also when it is sent again from a dialog that was opened again.
    const key = this.#keys.get(reward.id) ?? crypto.randomUUID();
    this.#keys.set(reward.id, key);
    const intent = { action, rewardId: reward.id, surfaceId, pointsCost: reward.pointsCost };
    const result = (await service?.redeem(intent, key, onRepeat)) ?? GONE;
    const isCurrent = session === this.#session;
    if (result.ok) {
      this.#keys.delete(reward.id);
      if (isCurrent) this.#redeemed.set(reward.id, result.value.redemption.state);
      this.#tell('redeemed', { ...result.value, replayed: result.status === 200 });
      void this.#read();
      return { kind: 'done', answer: result.value, replayed: result.status === 200 };
    }
    this.#tell('error', result);
    const canRepeat = result.uncertain || result.code === 'offline' || result.status === 429;
    if (!canRepeat && result.status !== 401) this.#keys.delete(reward.id);
    if (result.code !== 'offline') await this.#read();
    const changed =
      result.code === 'deployment_replaced' ||
      result.code === 'price_changed' ||
      this.#surface?.surface.id !== surfaceId;
    return { kind: 'failed', failure: result, canRepeat: canRepeat && result.status !== 401, changed };
  }

  /** Shows a notice above the components; null for none. */
  #note(words: string | null, ...more: (Node | null)[]): void {
    this.#notice.replaceChildren(
      ...(words === null ? [] : [h('p', {}, words), ...more.filter((node) => node !== null)]),
    );
  }

  #focusReward(rewardId: string): void {
    const buttons = this.#body.querySelectorAll<HTMLElement>('[data-reward]');
    const button = [...buttons].find(({ dataset }) => dataset.reward === rewardId);
    if (button) button.focus();
    else this.#focusHeading();
  }

  #focusHeading(): void {
    this.#body.querySelector<HTMLElement>('.section h2, h2')?.focus();
  }

  #tell(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(`svc-rewards:${name}`, { detail, bubbles: true, composed: true }));
  }
}

const GONE: Failure = { ok: false, code: 'unknown', status: null, requestId: null, uncertain: false };
