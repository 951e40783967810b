import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import packageJson from '../../../package.json' with { type: 'json' };
import { findEnvironment } from '../../admin/shared/find-environment.ts';
import type { FeedEvent } from '../../contract/generated/types.ts';
import { validateInput } from '../../graphql/schema/validate-input.ts';
import { fromTypeId, toTypeId } from '../../ids.ts';
import { eventsAfter } from '../../queries/events-feed.ts';
import { inEpoch, readEpochs } from '../../queries/feed-epochs.ts';
import { type AttemptResult, attempt } from '../../webhooks/attempt.ts';
import { createAgent } from '../../webhooks/guarded-agent.ts';
import { messageHeaders, signingKey } from '../../webhooks/message.ts';
import { CliFailure, EXIT, orFail } from '../shell/failure.ts';
import { hint } from '../shell/output.ts';
import { printableLine } from '../shell/printable.ts';
import type { Session } from '../shell/session.ts';

const PAGE = 200;
const LOOK_MS = 200;
const SECRET_BYTES = 32;
const USER_AGENT = `rewards-service/${packageJson.version}`;

/** The options of `rewards listen`. `environment` is a UUID. */
export interface ListenOptions {
  environment: string;
  types?: string[];
  forwardTo?: string;
  secret?: string;
  json?: boolean;
}

/** Sends events to the receiver. */
interface Forwarder {
  /** @param sequence from 1, counted by this command */
  send(event: FeedEvent, sequence: number): Promise<AttemptResult>;
  close(): Promise<void>;
}

/** @throws CliFailure with the exit code of wrong usage where there is no such type of events */
export function checkTypes(types: readonly string[]): void {
  const [fault] = validateInput('Query.eventsFeed', { types });
  if (fault) throw new CliFailure(`--types: ${fault.path} ${fault.message}`, EXIT.usage);
}

/**
 * `rewards listen`: prints what happens from now on until it is interrupted, or nobody reads its output any more.
 * @throws CliFailure for an unknown environment, and where Production should be forwarded
 */
export async function listen(
  { administrator, pool, interrupted }: Session,
  { environment, types, forwardTo, secret, json }: ListenOptions,
): Promise<void> {
  const { kind } = orFail(await findEnvironment(administrator.prisma, environment));
  if (forwardTo && kind !== 'sandbox') {
    throw new CliFailure(
      'Events of Production are sent to webhook endpoints alone; --forward-to is for Sandbox.',
    );
  }
  const signedWith = secret ?? `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  let { last: position, epoch } = await eventsAfter(pool, environment, null, Number.MAX_SAFE_INTEGER, 1);
  const epochsOf = (newest: number) => readEpochs(pool, environment, newest);
  hint(`Listening to ${toTypeId('env', environment)}. Ctrl-C ends it.`);
  if (forwardTo && !secret) hint(`Forwarded events are signed with ${signedWith}`);
  const forwarder = forwardTo ? openForwarder(forwardTo, signedWith, interrupted) : null;
  try {
    let sequence = 0;
    while (!interrupted.aborted && process.stdout.writable) {
      const page = await eventsAfter(pool, environment, types ?? null, position, PAGE);
      const epochs = page.events.length > 0 || page.epoch !== epoch ? await epochsOf(page.epoch) : [];
      if (page.epoch !== epoch) {
        const laterPositions = epochs
          .filter((each) => each.epoch > epoch)
          .map((each) => each.lastPositionKept);
        epoch = page.epoch;
        position = Math.min(position, ...laterPositions);
        continue;
      }
      for (const each of page.events) {
        const event = inEpoch(epochs, each);
        if (interrupted.aborted) break;
        sequence += 1;
        const outcome = forwarder && (await forwarder.send(event, sequence));
        process.stdout.write(`${json ? asJson(event, outcome) : describe(event, outcome)}\n`);
      }
      position = page.end;
      if (page.end >= page.last) await sleep(LOOK_MS, undefined, { signal: interrupted }).catch(() => {});
    }
  } finally {
    await forwarder?.close();
  }
}

/** @param interrupted ends the attempt that runs */
function openForwarder(address: string, secret: string, interrupted: AbortSignal): Forwarder {
  const url = new URL(address);
  const keys = [signingKey(secret)];
  const agent = createAgent({ connectionsPerOrigin: 1, allowPrivate: true, proxyUrl: null });
  return {
    send({ id, type, timestamp, environmentId, epoch, data }, sequence) {
      const body = JSON.stringify({ type, timestamp, environmentId, epoch, sequence, data });
      const messageId = toTypeId('msg', fromTypeId('whe', id) ?? '');
      const headers = messageHeaders(messageId, new Date(), body, keys, USER_AGENT);
      return attempt({ url, headers, body }, agent, interrupted);
    },
    close: () => agent.destroy(),
  };
}

function asJson(event: FeedEvent, outcome: AttemptResult | null): string {
  if (!outcome) return JSON.stringify(event);
  const { delivered, responseStatus, durationMs, error } = outcome;
  return JSON.stringify({ ...event, forwarded: { delivered, responseStatus, durationMs, error } });
}

function describe({ type, timestamp, id, data }: FeedEvent, outcome: AttemptResult | null): string {
  const line = `${timestamp} ${type} ${id} ${JSON.stringify(data)}`;
  if (!outcome) return printableLine(line);
  const { responseStatus, durationMs, error } = outcome;
  return printableLine(`${line} -> ${responseStatus ?? error} (${durationMs} ms)`);
}
