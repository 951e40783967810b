import type { SurfaceComponent } from '../../src/widget/surface.ts';

/** A component of a surface of one kind. Every text of a surface is a merchant's, and is only ever shown as text. */
export type ComponentOf<Kind extends SurfaceComponent['kind']> = SurfaceComponent & { kind: Kind };

/** The answer to a redemption. A repeated request gets the first one's answer. */
export interface Redeemed {
  redemption: { id: string; state: string; rewardId: string; points: number };
  balance: { available: number; pending: number; reserved: number };
}
