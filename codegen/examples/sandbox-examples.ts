import type { documents } from '../../rest-adapter/generated/documents.ts';
import { type Example, requestId } from './example.ts';

const environmentId = 'env_01h455vb4pex5vsknk084sn02q';

const clock = { now: '2027-02-01T00:00:00.000Z', realTime: '2026-01-31T12:00:00.000Z', state: 'stands' };

export const sandboxExamples: Readonly<
  Record<
    keyof typeof documents &
      ('sandboxClock' | 'moveSandboxClock' | 'environment' | 'lockEnvironment' | 'unlockEnvironment'),
    Example
  >
> = {
  environment: {
    request: null,
    response: {
      requestId,
      environment: {
        ...{ environmentId, kind: 'sandbox', name: 'Tests', locked: false, clock },
        createdAt: '2026-01-05T08:00:00.000Z',
      },
    },
  },
  lockEnvironment: { request: {}, response: { requestId, environmentId, locked: true, changed: true } },
  unlockEnvironment: { request: {}, response: { requestId, environmentId, locked: false, changed: true } },
  sandboxClock: { request: null, response: { requestId, clock } },
  moveSandboxClock: {
    request: { action: 'set', at: '2027-02-01T00:00:00Z' },
    response: {
      requestId,
      clock,
      swept: {
        profilesSettled: 2,
        transactions: 3,
        reservationsExpired: 1,
        quotesExpired: 1,
        choicesExpired: 0,
        adjustmentsExpired: 0,
        tiersRequalified: 2,
        tiersChanged: 1,
        expiriesNoticed: 0,
        closedThrough: '2027-01-30',
        failed: 0,
      },
    },
  },
};
