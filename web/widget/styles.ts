/**
 * The styles of the element. They are a constructed sheet, so that a page can forbid inline styles. Custom properties
 * named `--svc-rewards-…` are the theme: docs/guide/widget.md lists them.
 */
const CSS = `
:host {
  --_text: var(--svc-rewards-text, light-dark(#1d1b26, #f1eff7));
  --_muted: var(--svc-rewards-muted, light-dark(#5f5b6e, #b3aec4));
  --_card: var(--svc-rewards-card, light-dark(#ffffff, #211f2b));
  --_border: var(--svc-rewards-border, light-dark(#e2dfeb, #3a3748));
  --_accent: var(--svc-rewards-accent, light-dark(#5636c8, #bdaeff));
  --_on-accent: var(--svc-rewards-on-accent, light-dark(#ffffff, #1c1438));
  --_positive: var(--svc-rewards-positive, light-dark(#146c43, #7fd8a6));
  --_negative: var(--svc-rewards-negative, light-dark(#b3261e, #ffb4ab));
  --_track: var(--svc-rewards-track, light-dark(#eae7f2, #3a3748));
  --_radius: var(--svc-rewards-radius, 0.875rem);
  --_gap: var(--svc-rewards-gap, 1rem);
  display: block;
  container-type: inline-size;
  font: var(--svc-rewards-font, 1rem/1.5 system-ui, sans-serif);
  color: var(--_text);
  -webkit-text-size-adjust: 100%;
}
:host([theme='auto']) { color-scheme: light dark; }
:host([theme='light']) { color-scheme: light; }
:host([theme='dark']) { color-scheme: dark; }
:host([hidden]) { display: none; }
*, *::before, *::after { box-sizing: border-box; }
h2, h3, p, ul, ol, dl, dd { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h2, h3, p, dd, bdi, button { overflow-wrap: anywhere; }
.body { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--_gap); }
.loading { min-height: 100vh; align-content: start; }
.wide { grid-column: 1 / -1; }
.visually-hidden {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.card {
  background: var(--_card); border: 1px solid var(--_border); border-radius: var(--_radius); padding: 1.125rem 1.25rem;
}
.summary { display: flex; flex-direction: column; min-height: 8.75rem; }
.summary h2 { font-size: 0.875rem; font-weight: 500; color: var(--_muted); }
.summary .figure {
  font-size: 1.875rem; font-weight: 700; line-height: 1.25; letter-spacing: -0.015em; font-variant-numeric: tabular-nums;
  margin-block: 0.25rem 0.5rem;
}
.summary .figure .unit { font-size: 1rem; font-weight: 500; letter-spacing: 0; color: var(--_muted); }
.quiet { font-size: 0.875rem; color: var(--_muted); }
.summary .sign-in { margin-block: 0.5rem; }
.summary .quiet + .quiet { margin-block-start: 0.125rem; }
.section { margin-block-start: 0.5rem; }
.section > .quiet { margin-block-start: 0.75rem; }
.section > h2 { font-size: 1.125rem; font-weight: 650; line-height: 1.4; margin-block-end: 0.75rem; }
.rewards { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--_gap); }
.reward { display: flex; flex-direction: column; gap: 0.375rem; }
.reward h3 { font-size: 1rem; font-weight: 600; line-height: 1.4; }
.reward .foot {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 0.75rem;
  margin-block-start: auto; padding-block-start: 0.75rem; min-height: 3.5rem;
}
.reward .cost { font-weight: 650; font-variant-numeric: tabular-nums; }
.reward .state { font-size: 0.875rem; color: var(--_muted); }
.reward .state.done { color: var(--_positive); font-weight: 600; }
.bar { height: 0.5rem; border-radius: 1rem; background: var(--_track); overflow: hidden; margin-block: 0.25rem 0.5rem; }
.bar > div { height: 100%; border-radius: inherit; background: var(--_accent); width: var(--_done, 0%); }
.activity { padding-block: 0.25rem; }
.activity li {
  display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1rem; align-items: baseline; padding-block: 0.625rem;
}
.activity li + li { border-block-start: 1px solid var(--_border); }
.activity .change { font-weight: 600; font-variant-numeric: tabular-nums; grid-row: span 2; align-self: center; }
.activity .gain { color: var(--_positive); }
.activity time { font-size: 0.8125rem; color: var(--_muted); }
.empty { color: var(--_muted); padding: 1.75rem 1.25rem; text-align: center; border-style: dashed; background: none; }
.notice:empty { display: none; }
.notice, .failed {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.75rem;
  margin-block-end: var(--_gap); border-inline-start: 0.25rem solid var(--_accent);
}
.failed { margin: 0; min-height: 6rem; }
.notice p { flex: 1 1 14rem; }
button {
  appearance: none; font: inherit; font-weight: 600; line-height: 1.25; min-height: 2.75rem; padding: 0.5rem 1.125rem;
  border-radius: calc(var(--_radius) * 0.75); border: 1px solid var(--_border); background: transparent; color: var(--_text);
  cursor: pointer;
}
button.primary { background: var(--_accent); border-color: var(--_accent); color: var(--_on-accent); }
button:hover { filter: brightness(1.08); }
button[aria-disabled='true'] { cursor: progress; opacity: 0.7; }
:focus-visible { outline: 0.1875rem solid var(--_accent); outline-offset: 0.125rem; }
h2:focus, h3:focus, .dialog-title:focus { outline: none; }
dialog {
  width: min(26rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem); overflow: auto; padding: 1.5rem;
  color: var(--_text); background: var(--_card); border: 1px solid var(--_border); border-radius: calc(var(--_radius) * 1.25);
  box-shadow: 0 1.5rem 4rem rgb(0 0 0 / 0.3);
}
dialog::backdrop { background: rgb(14 10 28 / 0.55); }
dialog .dialog-title { font-size: 1.25rem; font-weight: 650; line-height: 1.35; margin-block-end: 0.5rem; }
dialog dl { margin-block: 1rem; }
dialog dl > div { display: flex; justify-content: space-between; gap: 1rem; padding-block: 0.5rem; }
dialog dl > div + div { border-block-start: 1px solid var(--_border); }
dialog dt { color: var(--_muted); }
dialog dd { font-weight: 600; font-variant-numeric: tabular-nums; text-align: end; }
dialog .message { min-height: 1.5rem; }
dialog .message p + p { margin-block-start: 0.375rem; }
dialog .buttons { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 0.75rem; margin-block-start: 1.25rem; }
.skeleton { color: transparent; border-radius: 0.375rem; background: var(--_track); }
.skeleton.line { height: 0.875rem; margin-block: 0.3125rem; }
.skeleton.large { height: 1.75rem; margin-block: 0.5rem; }
.skeleton.short { width: 45%; }
.skeleton.pill { height: 2.75rem; width: 6.5rem; border-radius: calc(var(--_radius) * 0.75); }
.reward.waiting { min-height: 9.5rem; }
@container (min-width: 34rem) {
  .body { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .rewards { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
@container (min-width: 48rem) { .rewards { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
@media (prefers-reduced-motion: no-preference) {
  .skeleton { animation: pulse 1.4s ease-in-out infinite alternate; }
  .bar > div { transition: width 0.4s ease-out; }
  dialog[open] { animation: appear 0.16s ease-out; }
}
@keyframes pulse { from { opacity: 0.55; } to { opacity: 1; } }
@keyframes appear { from { opacity: 0; translate: 0 0.5rem; } }
@media (forced-colors: active) {
  .bar { border: 1px solid; }
  .bar > div { background: Highlight; forced-color-adjust: none; }
}
`;

/** Makes the sheet of the document that the element is in. */
export function createStyleSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  return sheet;
}
