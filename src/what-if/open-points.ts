import type { ClientBase } from 'pg';
import type { LotRecord } from '../ledger/tables/lots.ts';
import type { SimulationClock } from './simulated-program.ts';

const DAY_MS = 86_400_000;

/** What of the awarded points would be left at an instant, had nobody redeemed any. In the smallest loyalty unit. */
export interface Remaining {
  /** Not expired: pending ones included. */
  unexpired: bigint;
  /** Of those, not available yet. */
  pending: bigint;
  expired: bigint;
}

/** The points of one member that live on with each activity. */
interface Idling {
  points: number;
  /** Milliseconds since 1970. */
  until: number;
}

/** Follows the simulated lots to an instant without keeping them. */
export class SimulatedLots {
  readonly #end: number;
  readonly #idling = new Map<string, Idling>();
  readonly #sums: Remaining = { unexpired: 0n, pending: 0n, expired: 0n };

  /** @param end the instant that is asked about */
  constructor(end: Date) {
    this.#end = end.getTime();
  }

  /** A member did something that keeps points alive: what had lapsed before stays lapsed. */
  activity(memberId: string, at: Date, inactivityDays: number): void {
    const idling = this.#idling.get(memberId);
    if (!idling) return;
    this.#lapse(idling, at.getTime());
    idling.until = Math.max(idling.until, at.getTime() + inactivityDays * DAY_MS);
  }

  /** A lot as a decision makes it, before anything is taken from it. */
  add({ memberId, granted, pending, available, activatesAt, expiresAt, inactivityDays }: LotRecord): void {
    const left = pending + available;
    this.#sums.expired += BigInt(granted - left);
    if (activatesAt && activatesAt.getTime() > this.#end) this.#sums.pending += BigInt(left);
    if (inactivityDays !== null && expiresAt) {
      const idling = this.#idling.get(memberId) ?? { points: 0, until: 0 };
      idling.points += left;
      idling.until = Math.max(idling.until, expiresAt.getTime());
      this.#idling.set(memberId, idling);
    } else if (expiresAt && expiresAt.getTime() <= this.#end) {
      this.#sums.expired += BigInt(left);
    } else {
      this.#sums.unexpired += BigInt(left);
    }
  }

  /** Call once, at the end. */
  remaining(): Remaining {
    for (const idling of this.#idling.values()) {
      this.#lapse(idling, this.#end);
      this.#sums.unexpired += BigInt(idling.points);
      idling.points = 0;
    }
    return { ...this.#sums };
  }

  #lapse(idling: Idling, at: number): void {
    if (idling.until > at) return;
    this.#sums.expired += BigInt(idling.points);
    idling.points = 0;
  }
}

/** The points of a period as the ledger holds them. */
export interface OpenPoints extends Remaining {
  /** Of the period's points that have not expired by today: granted, and still on the books. */
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
 * Reads what has become of the points that purchases, challenges and referrals of a period gave.
 * @param from null for all before `to` @param end the instant that is asked about
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
          e.expires, e.expires > greatest($6, clock_timestamp()) as alive
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
