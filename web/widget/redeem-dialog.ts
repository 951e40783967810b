import type { RedeemAction, SurfaceReward } from '../../src/widget/surface.ts';
import { button, h, phrase } from './dom.ts';
import type { Formats } from './formats.ts';
import { type Messages, wordsFor } from './messages.ts';
import type { Failure } from './service.ts';
import type { Redeemed } from './surface.ts';

/** What a customer is about to redeem. */
export interface Offer {
  reward: SurfaceReward;
  action: RedeemAction;
  /** Id of the surface that shows it. */
  surfaceId: string;
  /** The customer's available points; null where the surface does not show them. */
  available: number | null;
  messages: Messages;
  formats: Formats;
}

/** How a redemption ended, in words for the customer. */
export type Ending =
  | { kind: 'done'; answer: Redeemed; replayed: boolean }
  /** `changed`: the deployment was published anew while the dialog was open. */
  | { kind: 'failed'; failure: Failure; canRepeat: boolean; changed: boolean };

export interface RedeemDialogOptions {
  /** Sends what was confirmed. It never rejects. */
  redeem(offer: Offer, onRepeat: () => void): Promise<Ending>;
  /** The dialog was closed: the focus goes back to what opened it. */
  closed(offer: Offer): void;
}

/**
 * The dialog in which a customer confirms a redemption, and hears how it ended. Nothing is sent before it is confirmed.
 */
export class RedeemDialog {
  readonly element: HTMLDialogElement;
  readonly #options: RedeemDialogOptions;
  readonly #title = h('h2', {
    id: 'dialog-title',
    class: 'dialog-title',
    part: 'dialog-title',
    tabindex: '-1',
  });
  readonly #details = h('div');
  readonly #message = h('div', {
    id: 'dialog-message',
    class: 'message',
    part: 'dialog-message',
    role: 'status',
  });
  readonly #buttons = h('div', { class: 'buttons' });
  #offer: Offer | null = null;
  #sending = false;

  constructor(options: RedeemDialogOptions) {
    this.#options = options;
    this.element = h(
      'dialog',
      { part: 'dialog', 'aria-labelledby': 'dialog-title' },
      ...[this.#title, this.#details, this.#message, this.#buttons],
    );
    this.element.addEventListener('cancel', (event) => {
      if (this.#sending) event.preventDefault();
    });
    this.element.addEventListener('click', ({ target }) => {
      if (target === this.element) this.close();
    });
    this.element.addEventListener('close', () => {
      const offer = this.#offer;
      this.#offer = null;
      if (offer) this.#options.closed(offer);
    });
  }

  /** Asks whether to redeem a reward. */
  open(offer: Offer): void {
    if (this.#offer) return;
    this.#offer = offer;
    const { messages, formats, reward, available } = offer;
    this.#title.replaceChildren(...nodes(phrase(messages.confirmTitle, { reward: reward.name })));
    const row = (words: string, points: number): HTMLElement =>
      h('div', {}, h('dt', {}, words), h('dd', {}, h('bdi', {}, formats.amount(points))));
    this.#details.replaceChildren(
      ...(reward.description === null ? [] : [h('p', { class: 'quiet' }, h('bdi', {}, reward.description))]),
      h(
        'dl',
        {},
        row(messages.confirmCost, reward.pointsCost),
        available !== null && row(messages.confirmBefore, available),
        available !== null && row(messages.confirmAfter, available - reward.pointsCost),
      ),
    );
    this.#message.replaceChildren();
    const cancel = button('button', () => this.close(), messages.cancel);
    cancel.autofocus = true;
    this.#buttons.replaceChildren(cancel, this.#confirmButton(offer, messages.confirm));
    this.element.showModal();
  }

  /** Closes the dialog, unless something is being sent. */
  close(): void {
    if (!this.#sending) this.element.close();
  }

  #confirmButton(offer: Offer, words: string): HTMLButtonElement {
    return button('button primary', () => void this.#confirm(offer), words);
  }

  async #confirm(offer: Offer): Promise<void> {
    // Further clicks are the same intent.
    if (this.#sending) return;
    this.#sending = true;
    const { messages } = offer;
    for (const each of this.#buttons.children) each.setAttribute('aria-disabled', 'true');
    this.#say(messages.sending);
    const ending = await this.#options.redeem(offer, () => this.#say(messages.sendingAgain));
    this.#sending = false;
    if (this.#offer === offer) this.#show(offer, ending);
  }

  #show(offer: Offer, ending: Ending): void {
    const { messages } = offer;
    const close = button('button', () => this.close(), messages.close);
    this.#details.replaceChildren();
    if (ending.kind === 'done') {
      this.#title.replaceChildren(messages.successTitle);
      this.#say(...doneWords(offer, ending));
      close.classList.add('primary');
      this.#buttons.replaceChildren(close);
      close.focus();
      return;
    }
    this.#title.replaceChildren(messages.failedTitle);
    this.#say(...failedWords(messages, ending));
    this.#buttons.replaceChildren(close);
    if (ending.canRepeat) this.#buttons.append(this.#confirmButton(offer, messages.tryAgain));
    const [first] = this.#buttons.children;
    (ending.canRepeat ? (this.#buttons.lastElementChild as HTMLElement) : (first as HTMLElement)).focus();
  }

  /** Replaces the message, which is a live region: a screen reader reads it. */
  #say(...paragraphs: (string | ReturnType<typeof phrase>)[]): void {
    this.#message.replaceChildren(
      ...paragraphs.map((words) => h('p', {}, ...(typeof words === 'string' ? [words] : words))),
    );
  }
}

function doneWords(
  { messages, formats, reward }: Offer,
  { answer, replayed }: Ending & { kind: 'done' },
): (string | ReturnType<typeof phrase>)[] {
  const { redemption, balance } = answer;
  const words = redemption.state === 'reserved' ? messages.doneHeld : messages.doneCommitted;
  return [
    phrase(words, { reward: reward.name, amount: formats.amount(redemption.points) }),
    ...(replayed ? [messages.alreadyRedeemed] : []),
    phrase(messages.balanceLeft, { amount: formats.amount(balance.available) }),
  ];
}

function failedWords(messages: Messages, { failure, changed }: Ending & { kind: 'failed' }): string[] {
  if (failure.uncertain) {
    return [failure.status === 401 ? messages.uncertainSession : messages.uncertain];
  }
  return [changed ? messages.changed : wordsFor(messages, 'error', failure.code), messages.notTaken];
}

function nodes(children: ReturnType<typeof phrase>): (Node | string)[] {
  return children.filter((child) => child !== null && child !== undefined && child !== false);
}
