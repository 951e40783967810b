import { createHash } from 'node:crypto';
import { StaticDocument } from '../../http/static-document.ts';

/** Path of the page of links, and of what its button sends. */
export const LINK_PATH = '/sign-in/link';

const STYLE = `
:root { color-scheme: light dark; color: light-dark(#1d1b26, #f1eff7); background: light-dark(#f5f3f9, #14121b); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 18vh auto 0; padding: 0 1.25rem; }
main { background: light-dark(#fff, #1e1b29); border-radius: 14px; padding: 1.5rem 1.75rem 1.75rem; }
h1 { font-size: 1.35rem; margin: 0 0 .5rem; }
p { margin: .5rem 0 1rem; }
button { font: inherit; font-weight: 600; border: 0; border-radius: 8px; padding: .6rem 1.2rem; cursor: pointer;
  color: #fff; background: #5636c8; }
button:disabled { opacity: .55; cursor: default; }
button:focus-visible { outline: 3px solid light-dark(#bdaeff, #fff); outline-offset: 2px; }
[role=alert] { color: light-dark(#a3123a, #ff9db5); margin-bottom: 0; }
`;

/** Takes the token out of the address at once, so that it is in no history, and sends it only on a click. */
const SCRIPT = `
const token = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
const button = document.querySelector('button');
const says = document.querySelector('[role=alert]');
const tell = (text) => { says.textContent = text; };
const missing = 'This address has no link in it. Ask for a new one: rewards person sign-in PERSON';
const send = (path, method, body) => fetch(path, { method, body, credentials: 'same-origin', cache: 'no-store',
  headers: { 'X-Rewards-Console': '1', ...(body && { 'Content-Type': 'application/json' }) } });
if (token === '') { button.disabled = true; tell(missing); }
else send('/api/v1/session', 'GET').then(async (answer) => {
  if (!answer.ok) return;
  const { person } = await answer.json();
  tell('You are signed in as ' + person.name + '. Signing in again ends that session.');
}).catch(() => undefined);
button.addEventListener('click', async () => {
  button.disabled = true;
  tell('');
  try {
    const answer = await send('${LINK_PATH}', 'POST', JSON.stringify({ token }));
    const body = await answer.json();
    if (!answer.ok) return tell(body.error.message);
    document.querySelector('h1').textContent = 'Signed in';
    document.querySelector('p').textContent = 'Hello ' + body.name + '. You can close this page.';
    button.remove();
  } catch {
    button.disabled = false;
    tell('The service does not answer. Try again.');
  }
});
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page may send to its own origin alone. Its style and its script are allowed by their hashes. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page of a sign-in link. It is the same for every link: the token is in the fragment, which no server gets. */
export function createLinkPage(): StaticDocument {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Sign in</title>
<style>${STYLE}</style>
<main>
<h1>Sign in</h1>
<p>This link signs you in once, on this device.</p>
<button type="button">Sign in</button>
<p role="alert"></p>
</main>
<script>${SCRIPT}</script>
`;
  return new StaticDocument(html, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  });
}
