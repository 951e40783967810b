import { type Figures, SimulationFailure, World } from './world.ts';

/** Commands of one world. Then a new world begins, so that a failure can be reproduced quickly. */
const WORLD_COMMANDS = 5_000;

export interface Simulation {
  /** 0 to 2^32-1. The first world has this seed, each further world the next one. */
  seed: number;
  commands: number;
  /** Called after each world. */
  onProgress?: (commands: number) => void;
}

/** A failure with what is needed to reproduce it. */
export interface FoundFailure {
  seed: number;
  commands: number;
  /** Commands that the world had run before. */
  step: number;
  error: SimulationFailure;
}

/** Runs worlds one after the other, up to the number of commands or the first failure. */
export function simulate({ seed, commands, onProgress }: Simulation): {
  figures: Figures[];
  failure: FoundFailure | null;
} {
  const figures: Figures[] = [];
  let done = 0;
  for (let index = 0; done < commands; index++) {
    const ofWorld = { seed: (seed + index) >>> 0, commands: Math.min(WORLD_COMMANDS, commands - done) };
    const world = new World(ofWorld.seed);
    figures.push(world.figures);
    try {
      while (world.figures.commands < ofWorld.commands) world.step(ofWorld.commands - world.figures.commands);
      world.finish();
    } catch (error) {
      if (!(error instanceof SimulationFailure)) throw error;
      return { figures, failure: { ...ofWorld, step: error.step, error } };
    }
    done += ofWorld.commands;
    onProgress?.(done);
  }
  return { figures, failure: null };
}
