import type { ClientBase } from 'pg';
import { ENVIRONMENT_TIME } from '../db/environment-time.ts';
import type { LotRecord } from '../ledger/tables/lot-rows.ts';
import type { SimulationClock } from './simulated-program.ts';

const DAY_MS = 86_400_000;

/** How many of the awarded points would be left at an instant if none were redeemed. In the smallest loyalty unit. */
export interface Remaining {
  /** Points that have not expired, including pending points. */
  unexpired: bigint;
  /** Those of the unexpired points that are not available yet. */
  pending: bigint;
  expired: bigint;
}

/** The points of one member that expire by inactivity. */
interface InactivityPoints {
  points: number;
  /** Milliseconds since 1970. */
  until: number;
}

/** Sums what is left of simulated lots at an instant, without keeping the lots. */
export class SimulatedLots {
  readonly #end: number;
  readonly #inactivityPoints = new Map<string, InactivityPoints>();
  readonly #sums: Remaining = { unexpired: 0n, pending: 0n, expired: 0n };

  /** @param end the instant to sum at */
  constructor(end: Date) {
    this.#end = end.getTime();
  }

  /** An activity of the member, which extends the points that have not expired before it. */
  activity(memberId: string, at: Date, inactivityDays: number): void {
    const extended = this.#inactivityPoints.get(memberId);
    if (!extended) return;
    this.#expire(extended, at.getTime());
    extended.until = Math.max(extended.until, at.getTime() + inactivityDays * DAY_MS);
  }

  /** Adds a new lot, before anything is taken from it. */
  add({ memberId, granted, pending, available, activatesAt, expiresAt, inactivityDays }: LotRecord): void {
    const openPoints = pending + available;
    this.#sums.expired += BigInt(granted - openPoints);
    if (activatesAt && activatesAt.getTime() > this.#end) this.#sums.pending += BigInt(openPoints);
    if (inactivityDays !== null && expiresAt) {
      const extended = this.#inactivityPoints.get(memberId) ?? { points: 0, until: 0 };
      extended.points += openPoints;
      extended.until = Math.max(extended.until, expiresAt.getTime());
      this.#inactivityPoints.set(memberId, extended);
    } else if (expiresAt && expiresAt.getTime() <= this.#end) {
      this.#sums.expired += BigInt(openPoints);
    } else {
      this.#sums.unexpired += BigInt(openPoints);
    }
  }

  /** The sums. Call it once, after the last lot and activity. */
  remaining(): Remaining {
    for (const extended of this.#inactivityPoints.values()) {
      this.#expire(extended, this.#end);
      this.#sums.unexpired += BigInt(extended.points);
      extended.points = 0;
    }
    return { ...this.#sums };
  }

  #expire(extended: InactivityPoints, at: number): void {
    if (extended.until > at) return;
    this.#sums.expired += BigInt(extended.points);
    extended.points = 0;
  }
}

/** The points of a period according to the ledger. */
export interface OpenPoints extends Remaining {
  /** The period's points that have not expired by today: how many were granted, and how many are still unredeemed. */
  alive: { granted: bigint; open: bigint };
}

interface OpenRow {
  unexpired: string;
  pending: string;
  expired: string;
  alive_granted: string;
  alive_open: string;
}

/**
 * Reads what is left at an instant of the points that purchases, challenges and referrals of a period have awarded.
 * @param period `from` is null for everything before `to`
 * @param end the instant to sum at
 */
export async function readOpenPoints(
  client: ClientBase,
  period: { environmentId: string; programId: string; clock: SimulationClock; from: Date | null; to: Date },
  end: Date,
): Promise<OpenPoints> {
  const { rows } = await client.query<OpenRow>(
    `select coalesce(sum(granted) filter (where expires > $6), 0)::text as unexpired,
        coalesce(sum(granted) filter (where activates_at > $6 and expires > $6), 0)::text as pending,
        coalesce(sum(granted) filter (where expires <= $6), 0)::text as expired,
        coalesce(sum(granted) filter (where alive), 0)::text as alive_granted,
        coalesce(sum(open) filter (where alive), 0)::text as alive_open
      from (
        select l.granted, l.activates_at, l.pending + l.available + l.reserved as open,
          e.expires, e.expires > greatest($6, ${ENVIRONMENT_TIME}) as alive
        from transactions t
        join lots l on l.environment_id = t.environment_id and l.member_id = t.member_id
          and l.program_id = t.program_id and l.transaction_id = t.id
        join program_profiles p on p.environment_id = t.environment_id and p.member_id = t.member_id
          and p.program_id = t.program_id
        cross join lateral (
          select coalesce(case when l.inactivity_days is null or l.pending + l.available + l.reserved = 0
            then l.expires_at
            else greatest(l.expires_at, p.last_activity_at + l.inactivity_days * interval '1 day') end,
            'infinity') as expires
        ) e
        where t.environment_id = $1::uuid and t.program_id = $2
          and t.event_type in ('purchase.completed', 'challenge.awarded', 'referral.awarded')
          and case when $3 = 'event' then t.occurred_at else t.created_at end < $5::timestamptz
          and ($4::timestamptz is null
            or case when $3 = 'event' then t.occurred_at else t.created_at end >= $4::timestamptz)
      ) granted`,
    [period.environmentId, period.programId, period.clock, period.from, period.to, end],
  );
  const row = rows[0];
  if (!row) throw new Error('an aggregate gave no row');
  return {
    unexpired: BigInt(row.unexpired),
    pending: BigInt(row.pending),
    expired: BigInt(row.expired),
    alive: { granted: BigInt(row.alive_granted), open: BigInt(row.alive_open) },
  };
}
