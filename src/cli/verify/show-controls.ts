/** Where progress is written: standard error, or what stands for it in a test. */
export interface ProgressStream {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows which control is running. */
export interface ControlsDisplay {
  /** The next control begins. */
  onProgress(done: number, total: number, title: string): void;
  stop(): void;
}

const TERMINAL_EVERY_MS = 1_000;
/** A control of ten million transactions takes up to a minute. */
const LINE_EVERY_MS = 10_000;

/**
 * Names the running control, and while it runs how long it has been running: on a terminal in one line; elsewhere,
 * where it is asked for, in a line each. Postgres does not tell how far a statement is, so within a control the time is
 * all there is to tell.
 * @param everyMs how often the time is told
 */
export function showControls(
  stream: ProgressStream,
  isRequested: boolean,
  everyMs: number = stream.isTTY ? TERMINAL_EVERY_MS : LINE_EVERY_MS,
): ControlsDisplay {
  if (!stream.isTTY && !isRequested) return { onProgress() {}, stop() {} };
  const startedAt = performance.now();
  let running: { step: string; title: string; since: number } | null = null;
  const secondsFrom = (since: number): number => Math.round((performance.now() - since) / 1000);
  const show = (more: string): void => {
    if (!running) return;
    const { step, title } = running;
    if (stream.isTTY) stream.write(`\r\u001b[K${step} ${title}${more}`);
    else stream.write(`${secondsFrom(startedAt)} s: ${step}: ${title}${more}\n`);
  };
  const timer = setInterval(() => {
    if (running) show(` (for ${secondsFrom(running.since)} s)`);
  }, everyMs);
  return {
    onProgress(done, total, title) {
      const step = stream.isTTY ? `${done + 1}/${total}` : `${done + 1} of ${total}`;
      running = { step, title, since: performance.now() };
      timer.refresh();
      show('');
    },
    stop() {
      clearInterval(timer);
      if (running && stream.isTTY) stream.write('\n');
    },
  };
}
