import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describeWhere } from '../where.ts';

const BINARY = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** A `describe` for tests that need Chromium. A CI run installs it, and fails without. */
export const describeWithChromium = describeWhere(
  BINARY !== undefined || process.env.CI !== undefined,
  'no chromium',
);

/** Starts a Chromium with a new profile, which sends nothing of its own. Close it in afterAll. */
export function openBrowser(): Promise<Browser> {
  const quiet = ['quic', 'background-networking', 'component-update', 'sync'].map(
    (name) => `--disable-${name}`,
  );
  return chromium.launch({
    executablePath: BINARY ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quiet],
    timeout: 120_000,
  });
}
