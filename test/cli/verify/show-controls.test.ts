import { expect, test } from '@jest/globals';
import { showControls } from '../../../src/cli/verify/show-controls.ts';
import { until } from '../../support/until.ts';

/** Shows a long control. @returns what was written until its time was told twice, and after the end */
async function shown(isTTY: boolean, asked: boolean): Promise<string> {
  let text = '';
  const display = showControls({ isTTY, write: (part) => (text += part) }, asked, 5);
  display.onProgress(1, 59, 'No points are lost');
  await until(() => text.split('(for ').length > 2, 'the time to be told twice');
  display.stop();
  const atEnd = text;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(text).toBe(atEnd);
  return text;
}

test('while a control runs, a line tells for how long', async () => {
  const lines = (await shown(false, true)).trimEnd().split('\n');
  expect(lines[0]).toBe('0 s: 2 of 59: No points are lost');
  expect(lines[1]).toBe('0 s: 2 of 59: No points are lost (for 0 s)');
});

test('on a terminal it is one line, which ends with the run', async () => {
  const text = await shown(true, false);
  expect(text).toContain('\r\u001b[K2/59 No points are lost (for 0 s)');
  expect(text.indexOf('\n')).toBe(text.length - 1);
});

test('elsewhere it is shown only where it is asked for', () => {
  let text = '';
  const display = showControls({ write: (part) => (text += part) }, false, 1);
  display.onProgress(0, 59, 'No points are lost');
  display.stop();
  expect(text).toBe('');
});
