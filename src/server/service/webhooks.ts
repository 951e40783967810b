import packageJson from '../../../package.json' with { type: 'json' };
import { SecretBox, SecretNotOpened } from '../../auth/secret-box.ts';
import { type WebhookSettings, webhookSettings } from '../../auth/webhook-settings.ts';
import { disableWebhookEndpoint } from '../../commands/webhooks/disable-webhook-endpoint.ts';
import type { Config } from '../../config.ts';
import { BY_KEY } from '../../db/planner-settings.ts';
import { createPool, type PoolOptions } from '../../db/pool.ts';
import type { Logger } from '../../http/logger.ts';
import { newUuid, toTypeId } from '../../ids.ts';
import { createLanePool } from '../../ledger/batch/lane-pool.ts';
import type { CommandDoor } from '../../ledger/command.ts';
import type { AttemptResult } from '../../webhooks/attempt.ts';
import { Deliverer } from '../../webhooks/deliverer.ts';
import { OutgoingAgents } from '../../webhooks/outgoing-agents.ts';
import { Replayer } from '../../webhooks/replayer.ts';
import { Sequencer } from '../../webhooks/sequencer.ts';

/** What a serving process does with events after their commit. */
export interface Webhooks {
  /** What requests about endpoints need. */
  settings: WebhookSettings;
  /** An environment has new events. @param environmentId UUID */
  wake(environmentId: string): void;
  /** An environment has new deliveries. @param environmentId UUID */
  wakeDeliverer(environmentId: string): void;
  /** A replay was asked for. */
  wakeReplayer(): void;
  /** Ends the attempts that run, and gives their endpoints to other processes. */
  close(): Promise<void>;
}

export interface WebhooksOptions {
  /** With the server's privileges. */
  connection: Omit<PoolOptions, 'size'>;
  /** Without keys for secrets nothing is delivered. */
  config: Pick<Config, 'secretsKeys' | 'webhookAllowPrivate' | 'webhookProxy'>;
  /** Runs the command that disables an endpoint. */
  door: CommandDoor;
  logger: Logger;
  onAttempt(result: AttemptResult): void;
}

/** What to do about secrets that were encrypted with a key which this server lacks. */
export const KEY_ADVICE =
  'What waits for its endpoint is kept. Put the key that encrypted it behind the first one of SECRETS_KEY; ' +
  'if that key is lost, rotate the secret of the endpoint.';

/** Endpoints may share a host, so there are more connections to it than one endpoint uses. */
const CONNECTIONS_PER_ORIGIN = 64;
/** The connections to the database with which deliveries are read, recorded and put in the queue again. */
const DELIVERER_CONNECTIONS = 4;

/** Starts to number events, and to deliver them. */
export function openWebhooks(options: WebhooksOptions): Webhooks {
  const { connection, config, logger } = options;
  const secrets = config.secretsKeys.length > 0 ? SecretBox.ofKeys(config.secretsKeys) : null;
  const pool = createLanePool({ ...connection, size: 2, applicationName: 'rewards sequencer' });
  const sending = secrets && openDeliverer(options, secrets);
  const sequencer = new Sequencer({
    pool,
    onDeliveries: (environmentId) => sending?.deliverer.wake(environmentId),
    onError: (error) => logger.warn({ err: error }, 'Events could not be put in order; it is tried again'),
  });
  sequencer.start();
  return {
    settings: webhookSettings(secrets, config.webhookAllowPrivate),
    wake: (environmentId) => sequencer.wake(environmentId),
    wakeDeliverer: (environmentId) => sending?.deliverer.wake(environmentId),
    wakeReplayer: () => sending?.replayer.wake(),
    async close() {
      await sequencer.close();
      await sending?.close();
      await pool.end();
    },
  };
}

function openDeliverer(options: WebhooksOptions, secrets: SecretBox) {
  const { connection, config, door, logger, onAttempt } = options;
  const pool = createPool({
    ...connection,
    size: DELIVERER_CONNECTIONS,
    applicationName: 'rewards deliverer',
    settings: BY_KEY,
  });
  const agents = new OutgoingAgents({ ...config, connectionsPerOrigin: CONNECTIONS_PER_ORIGIN });
  const warn = (error: unknown): void => {
    if (!(error instanceof SecretNotOpened)) {
      logger.warn({ err: error }, 'A step of the delivery of webhooks failed; it is tried again');
      return;
    }
    const endpoint = toTypeId('we', error.owner);
    logger.error({ endpoint, reason: error.message }, `A signing secret cannot be decrypted. ${KEY_ADVICE}`);
  };
  const deliverer = new Deliverer({
    pool,
    secrets,
    agentFor: (environmentId, sandbox) => agents.of(environmentId, sandbox),
    userAgent: `rewards-service/${packageJson.version}`,
    disable(environmentId, endpointId, reason) {
      const requestId = toTypeId('req', newUuid());
      door
        .submit(disableWebhookEndpoint({ environmentId, endpointId, reason, requestId }))
        .then(() =>
          logger.warn({ endpoint: toTypeId('we', endpointId), reason }, 'Webhook endpoint disabled'),
        )
        .catch(warn);
    },
    onAttempt,
    onError: warn,
  });
  deliverer.start();
  const replayer = new Replayer({
    pool,
    onError: (error) => logger.warn({ err: error }, 'A step of a replay failed; it is tried again'),
  });
  replayer.start();
  return {
    deliverer,
    replayer,
    async close() {
      await replayer.close();
      await deliverer.close();
      await agents.destroy();
      await pool.end();
    },
  };
}
