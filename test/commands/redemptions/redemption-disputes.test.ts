import { describe, expect, test } from '@jest/globals';
import { toTypeId } from '../../../src/ids.ts';
import { codeOf, receiptOf, rows } from '../../support/commands/desk.ts';
import { type RewardCounter, reward, rewardCounter } from '../../support/commands/reward-counter.ts';
import { noon } from '../../support/rules/fixtures.ts';

function redeemed(): RewardCounter {
  const desk = rewardCounter();
  desk.redeem();
  return desk;
}

describe('fulfillment', () => {
  test('goes where the merchant says, and keeps its reference until another comes', () => {
    const desk = redeemed();
    const before = receiptOf(desk.commit({ idempotencyKey: 'redemption-3' })).reservation as object;
    desk.inSeconds(60);
    expect(receiptOf(desk.fulfil({ status: 'shipped', reference: 'parcel-1' }))).toEqual({
      reservation: { ...before, fulfillmentStatus: 'shipped', fulfillmentReference: 'parcel-1' },
    });
    expect(desk.store.webhookEvents.at(-1)).toMatchObject({
      type: 'redemption.fulfillment_updated',
      data: { fulfillmentStatus: 'shipped', fulfillmentReference: 'parcel-1', externalCustomerId: 'ann' },
    });
    desk.fulfil({ status: 'failed' });
    expect(desk.newestReservation).toMatchObject({
      state: 'committed',
      fulfillmentStatus: 'failed',
      fulfillmentReference: 'parcel-1',
      changedAt: noon,
    });
    expect(desk.store.tables.transactions.size).toBe(5);
  });

  test('refusals, each before the ones below it', () => {
    const desk = redeemed();
    desk.fulfil({ idempotencyKey: 'used' });
    desk.hold();
    const open = desk.newestId('rsv');
    desk.store.setLocked(true);
    let input = { idempotencyKey: 'used', reservationId: 'rsv_nonsense' };
    const steps: [code: string, repair: () => void][] = [
      ['idempotency_key_reused', () => (input = { ...input, idempotencyKey: 'fresh' })],
      ['production_locked', () => desk.store.setLocked(false)],
      ['reservation_not_found', () => (input = { ...input, reservationId: open })],
      ['invalid_redemption_state', () => desk.commit()],
      ['done', () => {}],
      ['replayed', () => {}],
    ];
    for (const [code, repair] of steps) {
      expect(codeOf(desk.fulfil(input))).toBe(code);
      repair();
    }
  });
});

describe('disputes', () => {
  test('a reservation has at most 20, closed ones included', () => {
    const desk = redeemed();
    for (let number = 1; number <= 20; number += 1) {
      expect(codeOf(desk.dispute({ idempotencyKey: `dispute-${number}` }))).toBe('done');
      if (number % 2 === 0) expect(codeOf(desk.reject())).toBe('done');
    }
    expect(codeOf(desk.dispute({ idempotencyKey: 'dispute-21' }))).toBe('dispute_limit_reached');
    expect(codeOf(desk.dispute({ idempotencyKey: 'dispute-20' }))).toBe('replayed');
    desk.redeem({ sourceReference: 'another' });
    expect(codeOf(desk.dispute())).toBe('done');
  });

  test('one is opened, and freezes nothing', () => {
    const desk = redeemed();
    const reservationId = desk.newestId('rsv');
    const evidence = { photo: 'p-1' };
    const receipt = receiptOf(desk.dispute({ reason: 'broken', evidence }));
    const disputeId = toTypeId('dsp', desk.newestDispute.id);
    expect(receipt).toMatchObject({
      dispute: {
        id: disputeId,
        reservationId,
        state: 'open',
        reason: 'broken',
        resolution: null,
        openedAt: noon.toISOString(),
        closedAt: null,
      },
      reservation: { id: reservationId, state: 'committed' },
    });
    expect(desk.newestDispute.evidence).toEqual(evidence);
    expect(desk.store.webhookEvents.at(-1)).toMatchObject({
      type: 'redemption.dispute_opened',
      data: { disputeId, reservationId, externalCustomerId: 'ann' },
    });
    expect(rows(desk.store.tables.audits).at(-1)).toMatchObject({
      action: 'redemption.dispute_opened',
      targetType: 'dispute',
      targetId: disputeId,
      changes: { reservationId, state: 'open' },
    });
    expect(codeOf(desk.fulfil())).toBe('done');
    expect(codeOf(desk.reverse())).toBe('done');
  });

  test('one is resolved, and the redemption stays', () => {
    const desk = redeemed();
    desk.dispute();
    desk.inSeconds(60);
    expect(receiptOf(desk.resolve({ resolution: 'sent again' }))).toMatchObject({
      dispute: { state: 'resolved', resolution: 'sent again', closedAt: '2026-03-04T12:01:00.000Z' },
      reservation: { state: 'committed' },
    });
    expect(desk.balances).toEqual([150, 0, 0]);
    expect(desk.events.at(-1)).toBe('redemption.dispute_resolved');
  });

  test('one is resolved by a reversal', () => {
    const desk = redeemed();
    desk.dispute();
    expect(receiptOf(desk.resolve({ resolution: 'was broken', reverse: true }))).toMatchObject({
      dispute: { state: 'resolved', resolution: 'was broken' },
      reservation: { state: 'reversed', reason: 'was broken' },
    });
    expect(desk.lots).toEqual(['50/0', '120/0', '80/0']);
    expect(desk.events.slice(-2)).toEqual(['redemption.reversed', 'redemption.dispute_resolved']);
    const { reservationId } = desk.newestDispute;
    const reversal = rows(desk.store.tables.transactions).at(-1);
    expect(rows(desk.store.tables.audits).slice(-2)).toMatchObject([
      { action: 'redemption.dispute_opened' },
      {
        action: 'redemption.dispute_resolved',
        changes: {
          reservationId: toTypeId('rsv', reservationId),
          transactionId: toTypeId('txn', reversal?.id ?? ''),
        },
      },
    ]);
  });

  test('one is rejected', () => {
    const desk = redeemed();
    desk.dispute();
    expect(receiptOf(desk.reject({ reason: 'was handed over' }))).toMatchObject({
      dispute: { state: 'rejected', resolution: 'was handed over', closedAt: noon.toISOString() },
      reservation: { state: 'committed' },
    });
    expect(desk.events.at(-1)).toBe('redemption.dispute_rejected');
  });

  test('a dispute outlives the reversal of its redemption, and can then not reverse it again', () => {
    const desk = redeemed();
    desk.dispute();
    desk.reverse();
    expect(codeOf(desk.resolve({ reverse: true }))).toBe('invalid_redemption_state');
    expect(codeOf(desk.resolve())).toBe('done');
    expect(desk.balances).toEqual([250, 0, 0]);
  });

  test.each(['reserved', 'released', 'expired', 'reversed'])('none where it is %s', (state) => {
    const desk = rewardCounter();
    desk.hold();
    if (state === 'released') desk.release();
    if (state === 'expired') desk.inSeconds(1800);
    if (state === 'reversed') desk.commit();
    if (state === 'reversed') desk.reverse();
    expect(codeOf(desk.dispute())).toBe('invalid_redemption_state');
  });

  test("another reservation's dispute is not found", () => {
    const desk = redeemed();
    desk.dispute();
    const disputeId = desk.newestId('dsp');
    desk.redeem();
    expect(codeOf(desk.resolve({ disputeId }))).toBe('dispute_not_found');
    expect(codeOf(desk.reject({ disputeId }))).toBe('dispute_not_found');
  });

  test.each(['resolve', 'reject'] as const)('refusals of %s, each before the ones below it', (act) => {
    const desk = redeemed();
    desk.dispute();
    const closed = desk.newestId('dsp');
    desk[act]({ idempotencyKey: 'used' });
    desk.dispute();
    const reservationId = desk.newestId('rsv');
    desk.store.setLocked(true);
    let input = { idempotencyKey: 'used', reservationId: 'rsv_nonsense', disputeId: 'dsp_nonsense' };
    const steps: [code: string, repair: () => void][] = [
      ['idempotency_key_reused', () => (input = { ...input, idempotencyKey: 'fresh' })],
      ['production_locked', () => desk.store.setLocked(false)],
      ['reservation_not_found', () => (input = { ...input, reservationId })],
      ['dispute_not_found', () => (input = { ...input, disputeId: closed })],
      ['invalid_dispute_state', () => (input = { ...input, disputeId: desk.newestId('dsp') })],
      ['done', () => desk.store.setLocked(true)],
      ['replayed', () => {}],
    ];
    for (const [code, repair] of steps) {
      expect(codeOf(desk[act](input))).toBe(code);
      repair();
    }
  });

  test('a resolution that reverses asks for what a reversal asks for, and else does nothing', () => {
    const desk = rewardCounter({ rewards: [reward({ cancellationEvidenceRequired: true })] });
    desk.redeem();
    desk.dispute();
    expect(codeOf(desk.resolve({ reverse: true }))).toBe('cancellation_evidence_required');
    desk.setProfile({ enrolled: false, unenrolledAt: noon });
    const cancellationEvidence = { ticket: 'CS-1' };
    expect(codeOf(desk.resolve({ reverse: true, cancellationEvidence }))).toBe('enrollment_required');
    expect(desk.newestDispute.state).toBe('open');
    desk.setProfile({ enrolled: true, unenrolledAt: null });
    expect(codeOf(desk.resolve({ reverse: true, cancellationEvidence }))).toBe('done');
    expect(desk.newestReservation).toMatchObject({ state: 'reversed', cancellationEvidence });
  });
});
