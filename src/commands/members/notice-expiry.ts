import { toTypeId } from '../../ids.ts';
import { expiryOf } from '../../ledger/books/lot-expiry.ts';
import type { Command, Decision, Subject, WebhookEvent } from '../../ledger/command.ts';
import type { State } from '../../ledger/state.ts';
import type { ExpiryNoticeRecord } from '../../ledger/tables/expiry-notices.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { profileNotFound, type Refusal } from '../../refusal.ts';
import { type TimeDrivenInput, timeDrivenCommand } from '../shared/time-driven-command.ts';

const DAY_MS = 86_400_000;

/** A profile, with lots of it that may expire soon. */
export interface ExpiryNoticeInput extends TimeDrivenInput {
  /** UUID. */
  memberId: string;
  /** UUIDs. */
  lotIds: readonly string[];
}

/** The receipt of notices, with public ids. */
export interface ExpiryNoticeReceipt {
  /** The lots that were reported. */
  lotIds: string[];
}

/**
 * Reports (`points.expiring`) those of the lots that expire within the program's `expiryNoticeDays` and have available
 * points, each once: where a later activity or reversal extends a lot, it is not reported again. Moves no points.
 * Refusal: `profile_not_found`.
 */
export function noticeExpiry(input: ExpiryNoticeInput): Command {
  const { programId, memberId, lotIds } = input;
  const subjects = lotIds.map((lotId): Subject => ({ kind: 'expiringLot', memberId, programId, lotId }));
  return timeDrivenCommand('noticeExpiry', input, subjects, (state, now) => decide(input, state, now));
}

function decide(
  { programId, externalCustomerId, lotIds }: ExpiryNoticeInput,
  state: State,
  now: Date,
): Decision | Refusal<'profile_not_found'> {
  const profile = state.profile(programId, externalCustomerId);
  if (!profile) return profileNotFound;
  const program = state.program(programId);
  const days = (program && versionAt(program, now))?.document.expiryNoticeDays ?? 0;
  const until = new Date(now.getTime() + days * DAY_MS);
  const expiryNotices: ExpiryNoticeRecord[] = [];
  const webhookEvents: WebhookEvent[] = [];
  for (const lot of lotIds.map((id) => state.lot(id))) {
    // What has expired by now is left to the settlement, which reports it as expired.
    const expiresAt = expiryOf(lot, profile);
    const isDue = expiresAt !== null && expiresAt > now && expiresAt <= until;
    const { memberId, id: lotId, available: points } = lot;
    if (!isDue || points === 0 || state.row('expiryNotices', memberId, programId, lotId)) continue;
    expiryNotices.push({ memberId, programId, lotId, expiresAt, noticedAt: now });
    webhookEvents.push({
      type: 'points.expiring',
      data: {
        lotId: toTypeId('lot', lotId),
        programId,
        memberId: toTypeId('mem', memberId),
        points,
        expiresAt: expiresAt.toISOString(),
      },
    });
  }
  const receipt: ExpiryNoticeReceipt = { lotIds: expiryNotices.map(({ lotId }) => toTypeId('lot', lotId)) };
  return { receipt, inserts: { expiryNotices }, updates: {}, audits: [], webhookEvents };
}
