import type { Bench } from './bench.ts';
import type { SeededPlace } from './seed.ts';
import type { Stage } from './stage.ts';

/** A stage and the environment that is measured on it. */
export interface Side {
  stage: Stage;
  bench: Bench;
  /** The environment that is measured. */
  own: SeededPlace;
}
