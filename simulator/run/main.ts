import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { add } from '../auditor/sums.ts';
import { type FoundFailure, simulate } from './simulate.ts';
import type { Figures } from './world.ts';

const MAX_SEED = 2 ** 32 - 1;

const program = new Command('simulate')
  .description('Runs random commands against the ledger in memory and a model, and audits every invariant.')
  .option('--seed <number>', 'where the random numbers begin; a random one where it is left out', integer)
  .option('--commands <number>', 'how many', integer, 100_000)
  .parse();
const { seed = randomInt(MAX_SEED), commands } = program.opts<{ seed?: number; commands: number }>();

// Written first, so that a run that fails in any way can be repeated.
process.stdout.write(`seed ${seed}, ${commands} commands\n`);
const startedAt = performance.now();
let shown = startedAt;
const { figures, failure } = simulate({
  seed,
  commands,
  onProgress(done) {
    if (performance.now() - shown < 2_000) return;
    shown = performance.now();
    process.stdout.write(`${done} commands, ${rate(done)} a minute\n`);
  },
});
if (failure) {
  report(failure);
  process.exitCode = 1;
} else {
  summarize(figures);
}

function report({ seed: worldSeed, commands: worldCommands, step, error }: FoundFailure): void {
  process.stdout.write(
    `\nFAILED, seed ${worldSeed}, after ${step} commands of its world:\n${error.message}\n` +
      `${error.cause instanceof Error ? `${error.cause.stack}\n` : ''}\n` +
      `Again: npm run simulate -- --seed ${worldSeed} --commands ${worldCommands}\n`,
  );
}

function summarize(worlds: readonly Figures[]): void {
  const outcomes = new Map<string, number>();
  const events = new Map<string, number>();
  for (const world of worlds) {
    for (const [name, count] of world.outcomes) add(outcomes, name, count);
    for (const [name, count] of world.events) add(events, name, count);
  }
  const sum = (name: Exclude<keyof Figures, 'outcomes' | 'events'>): number =>
    worlds.reduce((total, world) => total + world[name], 0);
  for (const [name, count] of [...[...outcomes].sort(), ...[...events].sort()]) {
    process.stdout.write(`${String(count).padStart(9)}  ${name}\n`);
  }
  process.stdout.write(
    `${worlds.length} worlds, ${sum('batches')} batches, ${sum('races')} races (${sum('lockWaits')} waited for a ` +
      `lock, ${sum('violations')} came too late by a unique key), ${sum('crashes')} crashes, ` +
      `${sum('publications')} publications\n` +
      `${sum('commands')} commands, ${rate(sum('commands'))} a minute: every outcome as the model says, every ` +
      'invariant held after every step\n',
  );
}

function rate(count: number): number {
  return Math.round((count / (performance.now() - startedAt)) * 60_000);
}

function integer(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > MAX_SEED) {
    throw new InvalidArgumentError(`must be an integer from 0 to ${MAX_SEED}`);
  }
  return value;
}
