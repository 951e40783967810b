import { SvcRewardsElement } from './element.ts';

export type { Messages } from './messages.ts';
export { SvcRewardsElement };

// A page may load the module twice, by two of its addresses.
if (globalThis.customElements && !customElements.get('svc-rewards')) {
  customElements.define('svc-rewards', SvcRewardsElement);
}
