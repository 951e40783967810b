// Generated from schema.graphql. Do not edit.

/** Every type of event that an endpoint can subscribe to. */
export const EVENT_TYPES = [
  'points.earned',
  'points.expired',
  'points.clawed_back',
  'points.expiring',
  'member.enrolled',
  'member.unenrolled',
  'member.created',
  'member.updated',
  'member.suspended',
  'member.consent_changed',
  'member.erased',
  'member.merged',
  'member.unmerged',
  'tier.changed',
  'choice.granted',
  'redemption.reserved',
  'redemption.committed',
  'redemption.released',
  'redemption.expired',
  'redemption.reversed',
  'redemption.fulfillment_updated',
  'redemption.dispute_opened',
  'redemption.dispute_resolved',
  'redemption.dispute_rejected',
  'adjustment.requested',
  'adjustment.posted',
  'adjustment.rejected',
  'adjustment.reversed',
  'exchange.settled',
  'exchange.reversed',
  'feed.epoch_started',
  'program.published',
  'campaign.cap_reached',
  'import.completed',
] as const;

export type WebhookEventType = (typeof EVENT_TYPES)[number];

/**
 * A member was awarded points: for a purchase, a completed challenge or a referral, or from a partner. Sent for each
 * award, and not where it came to no points. Points that are pending become available at `activatesAt`, without an event.
 */
export interface PointsEarnedEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** The transaction of the award, `txn_…`. */
  transactionId: string;
  /** What the points were awarded for. */
  eventType: 'purchase.completed' | 'challenge.awarded' | 'referral.awarded' | 'exchange.settled';
  /** The merchant's reference of it, such as the order. */
  sourceReference?: string | null;
  /** What was awarded, in the smallest loyalty unit. */
  points: number;
  /** Of these, what the earn rule and the tier gave. */
  basePoints: number;
  /** Of these, what campaigns gave. */
  campaignPoints: number;
  /** The challenge that was completed, where that is what gave the points. */
  challengeId?: string | null;
  /** When the points become available, where they are pending; null where they are available already. */
  activatesAt?: string | null;
  /** When what the points were awarded for happened. It can be long before `timestamp`. */
  occurredAt: string;
}

/** Points of a member have expired unspent. One event for each transaction that takes expired points from the books. */
export interface PointsExpiredEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** The transaction, `txn_…`. */
  transactionId: string;
  /** How many expired, in the smallest loyalty unit. */
  points: number;
  /** When they expired. The books may note it later: `timestamp` is when they did. */
  occurredAt: string;
}

/** An order was returned, in full or in part, and the points that it had earned were taken back as far as they were there. */
export interface PointsClawedBackEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** The transaction that took them, `txn_…`; none where nothing could be taken. */
  transactionId?: string | null;
  /** TypeID of the return, `txn_…`: the `id` in its answer. */
  returnId: string;
  /** The merchant's reference of the return. */
  returnReference: string;
  /** The merchant's reference of the order. */
  orderReference: string;
  /** How many were taken, in the smallest loyalty unit. */
  points: number;
  /** How many were due and not there, since they are spent or held. */
  shortfall: number;
}

/** Points of a member will expire within the `expiryNoticeDays` of the program. Sent once for each lot. */
export interface PointsExpiringEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** TypeID of the lot, `lot_…`. */
  lotId: string;
  /** How many of the lot were left when the event was made, in the smallest loyalty unit. */
  points: number;
  /** When they will expire unless they are spent before. */
  expiresAt: string;
}

/**
 * A member was enrolled in a program, for the first time or again. A consent that is renewed by one who is enrolled sends
 * nothing.
 */
export interface MemberEnrolledEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** Id of the tier in the program's published configuration. */
  tier: string;
}

/** A member has left a program. */
export interface MemberUnenrolledEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** Why, as the merchant wrote it. */
  reason: string;
}

/** A member was created: by a call, an import, or by its own enrollment. It belongs to no program yet. */
export interface MemberCreatedEvent {
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** Whether the member can earn and redeem. */
  status: 'active' | 'suspended' | 'erased';
  /** Of the member's identity. Consent to a program is told by its enrollment. */
  consentStatus: 'granted' | 'withdrawn';
}

/**
 * Something about a member was changed: its display name, tags or lists, or its suspension was ended. What it is now stands in the
 * member, for none of it is in a message.
 */
export interface MemberUpdatedEvent {
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** Whether the member can earn and redeem. */
  status: 'active' | 'suspended' | 'erased';
  /** Of the member's identity. Consent to a program is told by its enrollment. */
  consentStatus: 'granted' | 'withdrawn';
  /** What was changed, each once. */
  changed: ('displayName' | 'status' | 'tags' | 'lists')[];
}

/** A member was suspended: it earns and redeems nothing, and keeps its points. `member.updated` tells of the end. */
export interface MemberSuspendedEvent {
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** Whether the member can earn and redeem. */
  status: 'active' | 'suspended' | 'erased';
  /** Of the member's identity. Consent to a program is told by its enrollment. */
  consentStatus: 'granted' | 'withdrawn';
}

/**
 * A member's answer about the consent of its identity was recorded, also where it is the same as before. Consent to a program is told
 * by `member.enrolled` and `member.unenrolled`.
 */
export interface MemberConsentChangedEvent {
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** Whether the member can earn and redeem. */
  status: 'active' | 'suspended' | 'erased';
  /** Of the member's identity. Consent to a program is told by its enrollment. */
  consentStatus: 'granted' | 'withdrawn';
  /** The version of the notice that the member was shown, as the merchant names it. */
  noticeVersion: string;
}

/** A member was erased: forget what you hold about the person. The event belongs to no program. */
export interface MemberErasedEvent {
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
}

/**
 * Two accounts of one person were merged: what you hold about the merged one belongs to this member now. The event belongs to no
 * program; `tier.changed` tells of a tier that rose with it.
 */
export interface MemberMergedEvent {
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member whose account has ended, `mem_…`. */
  mergedMemberId: string;
  /** `mrg_…`. */
  mergeId: string;
  /** What was moved, by program. */
  programs: ({
    programId: string;
    /** Available and pending points, in the smallest loyalty unit. */
    points: number;
    /** How many lots these points are in, those with nothing but claims of returns included. */
    lots: number;
  })[];
}

/**
 * A merge of two accounts was undone: what you hold about the account that was parted belongs to itself again; what came under
 * either name since the merge stays this member's. The event belongs to no program.
 */
export interface MemberUnmergedEvent {
  /** The member who had taken the other account over. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member whose account stands for itself again, `mem_…`. */
  unmergedMemberId: string;
  /** The name of that member. */
  unmergedExternalCustomerId: string;
  /** `mrg_…`. */
  mergeId: string;
  /** What was given back, by program. */
  programs: ({
    programId: string;
    /** Available and pending points, in the smallest loyalty unit. */
    points: number;
    /** How many lots these points are in, those with nothing but claims of returns included. */
    lots: number;
  })[];
}

/** A member has reached another tier of a program, higher or lower. An enrollment says the tier in `member.enrolled` instead. */
export interface TierChangedEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** Id of the tier before. */
  previousTier: string;
  /** Id of the tier now. */
  tier: string;
  /** The points that count for the tier, in the program's qualification window, in the smallest loyalty unit. */
  qualificationPoints: number;
}

/** A member may choose benefits of a choice set: for a tier or for a completed challenge. */
export interface ChoiceGrantedEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** TypeID of the grant, `cgr_…`. */
  choiceGrantId: string;
  /** The choice set's id in the program document. */
  choiceSetId: string;
  /** How many benefits may be chosen. */
  choices: number;
  /** What it was granted for: `tier:` or `challenge:` with the id, and of a challenge `#` with the number of the completion. */
  grantedBy: string;
  /** Until when they can be chosen. */
  expiresAt?: string | null;
}

/** Points are held for a reward. */
export interface RedemptionReservedEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** TypeID of the reservation, `rsv_…`. */
  reservationId: string;
  /** The newest transaction of the redemption, `txn_…`. */
  transactionId: string;
  /** The reward's id in the program document. */
  rewardId: string;
  /** The merchant's own reference that came with the quote, such as a checkout. */
  sourceReference: string;
  /** What the reward costs. */
  points: number;
  /** When the hold ends by itself unless it is committed or released before. */
  expiresAt: string;
}

/** Held points are spent: the reward is redeemed. */
export interface RedemptionCommittedEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** TypeID of the reservation, `rsv_…`. */
  reservationId: string;
  /** The newest transaction of the redemption, `txn_…`. */
  transactionId: string;
  /** The reward's id in the program document. */
  rewardId: string;
  /** The merchant's own reference that came with the quote, such as a checkout. */
  sourceReference: string;
  /** What the reward costs. */
  points: number;
  /** What the merchant's checkout authorized the redemption with. */
  authorizationReference: string;
}

/** A hold was released: its points are back with the member. */
export interface RedemptionReleasedEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** TypeID of the reservation, `rsv_…`. */
  reservationId: string;
  /** The newest transaction of the redemption, `txn_…`. */
  transactionId: string;
  /** The reward's id in the program document. */
  rewardId: string;
  /** The merchant's own reference that came with the quote, such as a checkout. */
  sourceReference: string;
  /** What the reward costs. */
  points: number;
}

/** A hold has ended by itself, neither committed nor released: its points are back with the member. */
export interface RedemptionExpiredEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** TypeID of the reservation, `rsv_…`. */
  reservationId: string;
  /** The newest transaction of the redemption, `txn_…`. */
  transactionId: string;
  /** The reward's id in the program document. */
  rewardId: string;
  /** The merchant's own reference that came with the quote, such as a checkout. */
  sourceReference: string;
  /** What the reward costs. */
  points: number;
}

/** A committed redemption, or a part of the discount that its points paid for, was reversed: the points are back with the member. */
export interface RedemptionReversedEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** TypeID of the reservation, `rsv_…`. */
  reservationId: string;
  /** The newest transaction of the redemption, `txn_…`. */
  transactionId: string;
  /** The reward's id in the program document. */
  rewardId: string;
  /** The merchant's own reference that came with the quote, such as a checkout. */
  sourceReference: string;
  /** What the reward costs. */
  points: number;
  /** `reversed`, or `committed` where only a part of the discount was reversed. */
  reservationState: 'reserved' | 'committed' | 'released' | 'expired' | 'reversed';
  /** How many of the points this reversal gave back. */
  reversedPoints: number;
  /** How much of the discount it reversed, in minor currency units; null where the reward has a fixed price. */
  reversedMinor?: number | null;
}

/** It was noted how far the fulfillment of a committed redemption has come. */
export interface RedemptionFulfillmentUpdatedEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** TypeID of the reservation, `rsv_…`. */
  reservationId: string;
  /** The newest transaction of the redemption, `txn_…`. */
  transactionId: string;
  /** The reward's id in the program document. */
  rewardId: string;
  /** The merchant's own reference that came with the quote, such as a checkout. */
  sourceReference: string;
  /** What the reward costs. */
  points: number;
  /** How far it has come. */
  fulfillmentStatus: 'pending' | 'shipped' | 'delivered' | 'failed';
  /** Such as a tracking number. */
  fulfillmentReference?: string | null;
}

/** A dispute of a committed redemption was opened. */
export interface RedemptionDisputeOpenedEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** TypeID of the reservation, `rsv_…`. */
  reservationId: string;
  /** The newest transaction of the redemption, `txn_…`. */
  transactionId: string;
  /** The reward's id in the program document. */
  rewardId: string;
  /** The merchant's own reference that came with the quote, such as a checkout. */
  sourceReference: string;
  /** What the reward costs. */
  points: number;
  /** TypeID of the dispute, `dsp_…`. */
  disputeId: string;
}

/** A dispute was resolved. Where that reversed the redemption, `redemption.reversed` is sent as well. */
export interface RedemptionDisputeResolvedEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** TypeID of the reservation, `rsv_…`. */
  reservationId: string;
  /** The newest transaction of the redemption, `txn_…`. */
  transactionId: string;
  /** The reward's id in the program document. */
  rewardId: string;
  /** The merchant's own reference that came with the quote, such as a checkout. */
  sourceReference: string;
  /** What the reward costs. */
  points: number;
  /** TypeID of the dispute, `dsp_…`. */
  disputeId: string;
}

/** A dispute was rejected: the redemption stays as it is. */
export interface RedemptionDisputeRejectedEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** TypeID of the reservation, `rsv_…`. */
  reservationId: string;
  /** The newest transaction of the redemption, `txn_…`. */
  transactionId: string;
  /** The reward's id in the program document. */
  rewardId: string;
  /** The merchant's own reference that came with the quote, such as a checkout. */
  sourceReference: string;
  /** What the reward costs. */
  points: number;
  /** TypeID of the dispute, `dsp_…`. */
  disputeId: string;
}

/** A credit or a debit of points was asked for. Nothing is moved until it is approved. */
export interface AdjustmentRequestedEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** TypeID of the adjustment, `adj_…`; none where an import posted an opening balance. */
  adjustmentId: string | null;
  /** After the change. */
  state: 'requested' | 'posted' | 'rejected' | 'reversed' | 'expired';
  /** Whether points are given (`credit`) or taken (`debit`). */
  direction: 'credit' | 'debit';
  /** How many, in the smallest loyalty unit. */
  points: number;
  /** Why it was asked for, as the one who asked wrote it. */
  reason: string;
  /** The transaction that posted it, `txn_…`, once it is posted. */
  transactionId?: string | null;
  /** The transaction that reversed it, `txn_…`, once it is reversed. */
  reversalTransactionId?: string | null;
}

/** An adjustment was approved, and its points were given or taken; or an import posted an opening balance. */
export interface AdjustmentPostedEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** TypeID of the adjustment, `adj_…`; none where an import posted an opening balance. */
  adjustmentId?: string | null;
  /** After the change. */
  state: 'requested' | 'posted' | 'rejected' | 'reversed' | 'expired';
  /** Whether points are given (`credit`) or taken (`debit`). */
  direction: 'credit' | 'debit';
  /** How many, in the smallest loyalty unit. */
  points: number;
  /** Why it was asked for, as the one who asked wrote it. */
  reason: string;
  /** The transaction that posted it, `txn_…`, once it is posted. */
  transactionId?: string | null;
  /** The transaction that reversed it, `txn_…`, once it is reversed. */
  reversalTransactionId?: string | null;
}

/** An adjustment was rejected: nothing was moved. */
export interface AdjustmentRejectedEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** TypeID of the adjustment, `adj_…`; none where an import posted an opening balance. */
  adjustmentId: string | null;
  /** After the change. */
  state: 'requested' | 'posted' | 'rejected' | 'reversed' | 'expired';
  /** Whether points are given (`credit`) or taken (`debit`). */
  direction: 'credit' | 'debit';
  /** How many, in the smallest loyalty unit. */
  points: number;
  /** Why it was asked for, as the one who asked wrote it. */
  reason: string;
  /** The transaction that posted it, `txn_…`, once it is posted. */
  transactionId?: string | null;
  /** The transaction that reversed it, `txn_…`, once it is reversed. */
  reversalTransactionId?: string | null;
}

/** A posted adjustment was taken back. */
export interface AdjustmentReversedEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** TypeID of the adjustment, `adj_…`; none where an import posted an opening balance. */
  adjustmentId: string | null;
  /** After the change. */
  state: 'requested' | 'posted' | 'rejected' | 'reversed' | 'expired';
  /** Whether points are given (`credit`) or taken (`debit`). */
  direction: 'credit' | 'debit';
  /** How many, in the smallest loyalty unit. */
  points: number;
  /** Why it was asked for, as the one who asked wrote it. */
  reason: string;
  /** The transaction that posted it, `txn_…`, once it is posted. */
  transactionId?: string | null;
  /** The transaction that reversed it, `txn_…`, once it is reversed. */
  reversalTransactionId?: string | null;
}

/** An exchange of points with a partner was settled. Where points came in, `points.earned` is sent as well. */
export interface ExchangeSettledEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** The transaction of the settlement or of its reversal, `txn_…`. */
  transactionId: string;
  /** The partner's reference of the settlement, unique in the environment. */
  settlementReference: string;
  /** The partner whom points are exchanged with. */
  partnerId: string;
  /** Whether points came in from the partner, or went out to it. */
  direction: 'in' | 'out';
  /** How many, in the smallest loyalty unit. */
  points: number;
}

/** A settled exchange with a partner was undone. */
export interface ExchangeReversedEvent {
  /** The program that the event belongs to. */
  programId: string;
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: string;
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: string;
  /** The member's points in the program after the change. */
  balances: {
    /** Can be spent. */
    available: number;
    /** Awarded, and not to be spent yet. */
    pending: number;
    /** Held for redemptions that are neither committed nor released. */
    reserved: number;
  };
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: number;
  /** The transaction of the settlement or of its reversal, `txn_…`. */
  transactionId: string;
  /** The partner's reference of the settlement, unique in the environment. */
  settlementReference: string;
  /** The partner whom points are exchanged with. */
  partnerId: string;
  /** Whether points came in from the partner, or went out to it. */
  direction: 'in' | 'out';
  /** How many, in the smallest loyalty unit. */
  points: number;
  /** The reference of the settlement that was undone. */
  reverses: string;
}

/**
 * A new epoch of the feed has begun: the database goes on from an older state, as after the promotion of an asynchronous standby, a
 * restore or the reset of a Sandbox. It is sent to every endpoint before anything else of the epoch, whatever the endpoint subscribes
 * to. What was sent of the epochs before at later positions than `lastPositionKept` did not happen: take it back.
 */
export interface FeedEpochStartedEvent {
  /** The epoch that begins, from 2. */
  epoch: number;
  /** The epoch before. */
  previousEpoch: number;
  /** The last position of the epochs before that holds on; 0 where none does. */
  lastPositionKept: number;
  /** When it began, by the database's clock. */
  at: string;
}

/** A version of a program was published. */
export interface ProgramPublishedEvent {
  /** The program's id, from its document. */
  programId: string;
  /** Number of the version, from 1. */
  version: number;
  /** From when on it is used. */
  effectiveFrom: string;
}

/**
 * A campaign has given 80 or 100 percent of what its cap `totalPoints` lets it give. Sent once for each of both; again where a
 * version raises the cap and the new one is reached.
 */
export interface CampaignCapReachedEvent {
  /** The program's id, from its document. */
  programId: string;
  /** The campaign's id, from the document. */
  campaignId: string;
  /** 80 or 100. */
  percent: number;
  /** The cap, in the smallest loyalty unit. */
  capPoints: number;
  /** What the campaign has given by now, in the smallest loyalty unit. */
  givenPoints: number;
}

/** An import has come to its end. Rows may have been rejected; its report says which. */
export interface ImportCompletedEvent {
  /** TypeID of the operation, `op_…`. */
  operationId: string;
  /** What the rows of the file were. */
  kind: 'members' | 'balances' | 'purchases' | 'exchange' | 'list';
  /** Rows that were read. */
  rows: number;
  /** Rows that were new and have been done. */
  committed: number;
  /** Rows that had been done before, and changed nothing. */
  replayed: number;
  /** Rows that were refused. */
  rejected: number;
  /** Members who were made for its rows. */
  membersCreated: number;
  /** Points of the new rows: a decimal string, since a sum may exceed 2^53. */
  committedPoints: string;
  /** Points of the rows that had been done before, as a decimal string. */
  replayedPoints: string;
}

/** What the messages of each type have in `data`. */
export interface EventData {
  'points.earned': PointsEarnedEvent;
  'points.expired': PointsExpiredEvent;
  'points.clawed_back': PointsClawedBackEvent;
  'points.expiring': PointsExpiringEvent;
  'member.enrolled': MemberEnrolledEvent;
  'member.unenrolled': MemberUnenrolledEvent;
  'member.created': MemberCreatedEvent;
  'member.updated': MemberUpdatedEvent;
  'member.suspended': MemberSuspendedEvent;
  'member.consent_changed': MemberConsentChangedEvent;
  'member.erased': MemberErasedEvent;
  'member.merged': MemberMergedEvent;
  'member.unmerged': MemberUnmergedEvent;
  'tier.changed': TierChangedEvent;
  'choice.granted': ChoiceGrantedEvent;
  'redemption.reserved': RedemptionReservedEvent;
  'redemption.committed': RedemptionCommittedEvent;
  'redemption.released': RedemptionReleasedEvent;
  'redemption.expired': RedemptionExpiredEvent;
  'redemption.reversed': RedemptionReversedEvent;
  'redemption.fulfillment_updated': RedemptionFulfillmentUpdatedEvent;
  'redemption.dispute_opened': RedemptionDisputeOpenedEvent;
  'redemption.dispute_resolved': RedemptionDisputeResolvedEvent;
  'redemption.dispute_rejected': RedemptionDisputeRejectedEvent;
  'adjustment.requested': AdjustmentRequestedEvent;
  'adjustment.posted': AdjustmentPostedEvent;
  'adjustment.rejected': AdjustmentRejectedEvent;
  'adjustment.reversed': AdjustmentReversedEvent;
  'exchange.settled': ExchangeSettledEvent;
  'exchange.reversed': ExchangeReversedEvent;
  'feed.epoch_started': FeedEpochStartedEvent;
  'program.published': ProgramPublishedEvent;
  'campaign.cap_reached': CampaignCapReachedEvent;
  'import.completed': ImportCompletedEvent;
  /** A test that was asked for. */
  'webhook.test': Record<string, never>;
}

/** The message of one type. */
export interface MessageOf<Type extends keyof EventData> {
  /** Such as `points.earned`. */
  type: Type;
  /** When the change was made that the event reports; of a test, when it was asked for. */
  timestamp: string;
  /** TypeID of the environment, `env_…`. */
  environmentId: string;
  /**
   * The epoch of the environment's feed, from 1. Where the database has gone on from an older state, such as after the promotion of an
   * asynchronous standby or a restore, a new one begins, and sequences are given again: see `feed.epoch_started`.
   */
  epoch: number;
  /** Counts the messages of the endpoint from 1, without gaps, in the order in which changes were committed. */
  sequence: number;
  data: EventData[Type];
}

/**
 * The JSON body that is sent to webhook endpoints. What `data` has is described by the type whose `@event` names the message's
 * `type`. A field of it that has no value is null or absent. New fields may come: ignore those that you do not know. No message
 * has an email address, a display name or a secret. Its `type` tells the `data`.
 */
export type WebhookMessage = { [Type in keyof EventData]: MessageOf<Type> }[keyof EventData];
