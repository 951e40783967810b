import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { compileSchema, type Validate } from '../graphql/schema/validate-input.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Surface } from '../widget/surface.ts';
import { toErrorResult, toResult } from './results.ts';
import { TOOL, TOOLS } from './tools.ts';

/** A redemption that a person has confirmed. */
export interface ConfirmedRedemption {
  rewardId: string;
  idempotencyKey: string;
  /** The price that the person has agreed to; null where it was not told. */
  pointsCost: number | null;
}

type RedeemInput = Pick<ConfirmedRedemption, 'rewardId' | 'idempotencyKey'> & { pointsCost?: number };

/** What a redemption answers, the same over REST and MCP. */
export interface RedemptionReceipt {
  /** Whether the key had redeemed before. */
  idempotent: boolean;
  /** `expiresAt` (RFC 3339) is when the hold ends by itself; null once it is committed. */
  redemption: { id: string; state: string; rewardId: string; points: number; expiresAt: string | null };
  balance: { available: number; pending: number; reserved: number };
}

/** A hold that has not ended. */
export interface OwnHold {
  /** TypeID, `rsv_…`. */
  id: string;
  rewardId: string;
  rewardName: string;
  points: number;
  /** RFC 3339: when it ends by itself, and its points are available again. */
  expiresAt: string;
}

/** A hold that a person wants to give up. */
export interface HoldRelease {
  holdId: string;
  idempotencyKey: string;
}

/** What a release answers. */
export interface ReleaseReceipt {
  /** Whether the key had released before. */
  idempotent: boolean;
  hold: { id: string; state: string; rewardId: string; points: number };
}

/** One deployment, as the tools use it for one request: for the customer of its session, or for anybody. */
export interface ToolTarget {
  requestId: string;
  /** Whether the request has a session. */
  signedIn: boolean;
  readSurface(): Promise<Surface | Refusal>;
  redeem(redemption: ConfirmedRedemption): Promise<RedemptionReceipt | Refusal>;
  /** Of the session's customer. */
  listHolds(): Promise<OwnHold[] | Refusal>;
  releaseHold(release: HoldRelease): Promise<ReleaseReceipt | Refusal>;
  /** Notes the code of an error that is answered. */
  reportRefusal(code: string): void;
  /** Logs an error that is not a refusal. @returns what the agent is told */
  reportError(error: unknown): Pick<Refusal, 'code' | 'message'>;
}

const validators = new Map<string, Validate>(
  TOOLS.map(({ name, inputSchema }) => [name, compileSchema(inputSchema)]),
);

/** Whether there is a tool of this name. */
export function isTool(name: string): boolean {
  return validators.has(name);
}

/**
 * Calls a tool. Never rejects: everything that is refused, or fails, is a result with `isError`.
 * @param name for which `isTool` is true
 * @param input as the agent sent it
 */
export async function callTool(name: string, input: unknown, target: ToolTarget): Promise<CallToolResult> {
  const refused = (refusal: Pick<Refusal, 'code' | 'message' | 'details'>): CallToolResult => {
    const { code, message, details } = refusal;
    target.reportRefusal(code);
    return toErrorResult({ code, message, requestId: target.requestId, ...(details && { details }) });
  };
  try {
    const wrong = notAllowed(name, input, target);
    if (wrong) return refused(wrong);
    const details = validators.get(name)?.(input) ?? [];
    if (details.length > 0)
      return refused({ code: 'validation_failed', message: 'The arguments are not valid.', details });
    const answer = await run(name, input, target);
    return isRefusal(answer) ? refused(answer) : toResult(answer);
  } catch (error) {
    return refused(target.reportError(error));
  }
}

/** What has to be asked before a tool changes anything. */
const ASKS: Readonly<Record<string, string>> = {
  [TOOL.redeemReward]:
    'Nothing was redeemed: ask the person first. Name the reward and its price in ' +
    'points, and send confirmed: true only after a clear yes.',
  [TOOL.releaseHold]:
    'Nothing was released: ask the person first. Name the reward that is given ' +
    'up, and send confirmed: true only after a clear yes.',
};

/** What is to be said before anything else of a tool about one customer, and of one that changes something. */
function notAllowed(
  name: string,
  input: unknown,
  { signedIn }: ToolTarget,
): Pick<Refusal, 'code' | 'message' | 'details'> | null {
  const asks = ASKS[name];
  if (!signedIn && (asks !== undefined || name === TOOL.listHolds)) {
    return {
      code: 'unauthorized',
      message:
        'This needs a session of the customer: send its token as ' +
        'Authorization: Bearer, and the Origin that it is bound to.',
    };
  }
  const { confirmed } = input as { confirmed?: unknown };
  if (asks === undefined || confirmed === true) return null;
  return {
    code: 'validation_failed',
    message: asks,
    details: [{ path: 'confirmed', message: 'must be true, once the person has agreed' }],
  };
}

async function run(
  name: string,
  input: unknown,
  target: ToolTarget,
): Promise<Record<string, unknown> | Refusal> {
  if (name === TOOL.redeemReward) {
    const { rewardId, idempotencyKey, pointsCost = null } = input as RedeemInput;
    const receipt = await target.redeem({ rewardId, idempotencyKey, pointsCost });
    if (isRefusal(receipt)) return receipt;
    const { idempotent, redemption, balance } = receipt;
    return { merchantContentIsData: true, requestId: target.requestId, idempotent, redemption, balance };
  }
  if (name === TOOL.listHolds) {
    const holds = await target.listHolds();
    return isRefusal(holds) ? holds : { merchantContentIsData: true, holds };
  }
  if (name === TOOL.releaseHold) {
    const { holdId, idempotencyKey } = input as HoldRelease;
    const receipt = await target.releaseHold({ holdId, idempotencyKey });
    if (isRefusal(receipt)) return receipt;
    const { idempotent, hold } = receipt;
    return { merchantContentIsData: true, requestId: target.requestId, idempotent, hold };
  }
  const surface = await target.readSurface();
  if (isRefusal(surface)) return surface;
  return name === TOOL.listRewards ? catalogOf(surface) : { ...surface };
}

/** The rewards of all catalogs of a surface, each once. */
function catalogOf({ context, components }: Surface): Record<string, unknown> {
  const catalogs = components.filter((component) => component.kind === 'svc.reward_catalog');
  const rewards = new Map(
    catalogs.flatMap(({ items }) => items.map((reward) => [reward.id, reward] as const)),
  );
  return {
    merchantContentIsData: true,
    personalized: context.personalized,
    unitName: context.program.unitName,
    rewards: [...rewards.values()],
    hasMore: catalogs.some(({ pagination }) => pagination.hasMore),
  };
}
