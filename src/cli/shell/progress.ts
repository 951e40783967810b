import { Presets, SingleBar } from 'cli-progress';

/** Shows the progress of a command on standard error. */
export interface ProgressDisplay {
  update(done: number): void;
  stop(): void;
}

const LINE_EVERY_MS = 5_000;

/** A bar with rate and remaining time on a terminal; elsewhere a plain line every 5 seconds. */
export function showProgress(total: number, unit: string): ProgressDisplay {
  return process.stderr.isTTY ? showBar(total, unit) : showLines(total, unit);
}

function showBar(total: number, unit: string): ProgressDisplay {
  const startedAt = performance.now();
  const bar = new SingleBar(
    {
      stream: process.stderr,
      hideCursor: true,
      format: `{bar} {percentage}% | {value}/{total} ${unit} | {rate}/s | {remaining} left`,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0, { rate: '-', remaining: '-' });
  return {
    update: (done) => bar.update(done, estimate(done, total, startedAt)),
    stop: () => bar.stop(),
  };
}

function showLines(total: number, unit: string): ProgressDisplay {
  const startedAt = performance.now();
  let lastAt = startedAt;
  return {
    update(done) {
      if (performance.now() - lastAt < LINE_EVERY_MS) return;
      lastAt = performance.now();
      const { rate, remaining } = estimate(done, total, startedAt);
      process.stderr.write(`${done} of ${total} ${unit}, ${rate}/s, ${remaining} left\n`);
    },
    stop: () => undefined,
  };
}

/** The rate since the start, and the remaining time at that rate. */
function estimate(done: number, total: number, startedAt: number): { rate: string; remaining: string } {
  const seconds = (performance.now() - startedAt) / 1000;
  if (done === 0 || seconds === 0) return { rate: '-', remaining: '-' };
  const secondsLeft = Math.ceil(((total - done) * seconds) / done);
  const [minutes, rest] = [Math.floor(secondsLeft / 60), secondsLeft % 60];
  return {
    rate: String(Math.round(done / seconds)),
    remaining: minutes > 0 ? `${minutes}m ${rest}s` : `${rest}s`,
  };
}
