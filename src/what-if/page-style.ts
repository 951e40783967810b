/** The style sheet of a simulation's page. It is light or dark as the reader's system prefers, and light in print. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --text: #1b2430; --muted: #5b6776; --rule: #e2e6eb;
  --now: #9aa7b8; --draft: #2563eb; --more: #15803d; --less: #b45309;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #10151c; --card: #182029; --text: #e6ebf1; --muted: #9dabbb; --rule: #2b3643;
    --now: #66758a; --draft: #6ea0ff; --more: #4ade80; --less: #fbbf24;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 2.5rem 1.25rem 4rem; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main { max-width: 62rem; margin: 0 auto; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em; }
h2 { font-size: 1.1rem; margin: 0 0 .2rem; }
p { margin: .2rem 0 .6rem; }
.lead, .note, .unit { color: var(--muted); }
.verdict { font-size: 1.15rem; font-weight: 600; margin: .3rem 0 .6rem; }
.note, .unit { font-size: .875rem; }
.warning { border-left: 4px solid var(--less); padding: .5rem .9rem; background: var(--card); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; margin: 1.5rem 0; }
.card { background: var(--card); border: 1px solid var(--rule); border-radius: 12px; padding: 1.1rem 1.25rem; }
section.card { margin: 0 0 1rem; }
.figure b { display: block; font-size: 1.65rem; line-height: 1.25; font-variant-numeric: tabular-nums; }
.figure small { font-size: .875rem; font-weight: 400; }
.figure span { color: var(--muted); font-size: .875rem; }
.up { color: var(--more); } .down { color: var(--less); }
.legend { display: flex; gap: 1.2rem; margin: .3rem 0 .4rem; font-size: .875rem; color: var(--muted); }
.legend i { display: inline-block; width: .75rem; height: .75rem; border-radius: 3px; margin-right: .4rem; }
.legend .series-0 { background: var(--now); } .legend .series-1 { background: var(--draft); }
svg { display: block; width: 100%; height: auto; overflow: visible; }
svg text { font: 12px system-ui, sans-serif; fill: var(--text); font-variant-numeric: tabular-nums; }
svg .tick { fill: var(--muted); }
svg .series-0 { fill: var(--now); } svg .series-1 { fill: var(--draft); }
section.members svg .series-0 { fill: var(--draft); }
svg .line-0, svg .line-1 { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
svg .line-0 { stroke: var(--now); stroke-dasharray: 6 4; } svg .line-1 { stroke: var(--draft); }
svg .more { fill: var(--more); } svg .less { fill: var(--less); }
svg .axis { stroke: var(--muted); } svg .grid { stroke: var(--rule); }
details { margin-top: .8rem; }
summary { cursor: pointer; color: var(--muted); font-size: .875rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--muted); font-size: .875rem; padding: .5rem 0; }
th, td { padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--rule); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
thead th { color: var(--muted); font-weight: 600; }
tbody th { font-weight: 400; }
.pair tbody th { white-space: normal; overflow-wrap: anywhere; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 0 2rem; }
.narrow { display: none; }
@media screen and (max-width: 34rem) {
  .wide { display: none; }
  .narrow { display: block; }
  body { padding: 1.5rem .75rem 3rem; }
  .card { padding: 1rem .9rem; }
  .figures { grid-template-columns: 1fr 1fr; gap: .75rem; }
  .figure b { font-size: 1.2rem; }
  .pair { grid-template-columns: 1fr; }
  table:not(.short) { display: grid; grid-template-columns: repeat(4, auto); column-gap: .4rem; font-size: .72rem; }
  table:not(.short) :is(thead, tbody) { display: contents; }
  table:not(.short) caption { grid-column: 1 / -1; }
  table:not(.short) tr {
    display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; border-bottom: 1px solid var(--rule); padding: .3rem 0;
  }
  table:not(.short) :is(th, td) { border: 0; padding: .1rem 0; }
  table:not(.short) th { white-space: normal; overflow-wrap: anywhere; }
  table:not(.short) tr > :first-child { grid-column: 1 / -1; font-weight: 600; }
  table.counted tr > :nth-child(4) { grid-column: 1; }
}
@media print { body { padding: 0; background: #fff; } .card { break-inside: avoid; } }
`;
