import { type Command, InvalidArgumentError } from 'commander';
import { fromTypeId, type IdPrefix } from '../../ids.ts';
import { actorOption, jsonOption, requiredEnvironmentOption } from '../shell/arguments.ts';
import { CliFailure, EXIT } from '../shell/failure.ts';
import { withSession } from '../shell/session.ts';
import type { WebhookOptions } from './webhook-session.ts';

/** Adds `rewards webhook …`. */
export function addWebhookCommands(cli: Command): void {
  const webhook = cli.command('webhook').description('webhook endpoints and their deliveries');
  addList(webhook);
  addTest(webhook);
  addRetry(webhook);
  addReplay(webhook);
}

function addList(webhook: Command): void {
  webhook
    .command('list')
    .description('list the endpoints: their state, what waits for them, and why it last failed')
    .addOption(requiredEnvironmentOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ rewards webhook list -e env_01h455vb4pex5vsknk084sn02q\n')
    .action((options: WebhookOptions) =>
      withSession({}, async (session) => {
        const { listEndpoints } = await import('./list-endpoints.ts');
        await listEndpoints(session, options);
      }),
    );
}

function addTest(webhook: Command): void {
  webhook
    .command('test')
    .description('send a test to an endpoint, active or disabled, and wait for what becomes of it')
    .argument('<endpoint>', 'id of the endpoint (we_…)', publicId('we', 'rewards webhook list'))
    .addOption(requiredEnvironmentOption())
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A running server sends it. Exit code 1 if the attempt fails, or if no server has made one after 30 seconds.

Example:
  $ rewards webhook test we_01h455vb4pex5vsknk084sn02q -e env_01h455vb4pex5vsknk084sn02q
`,
    )
    .action((endpointId: string, options: WebhookOptions) =>
      withSession(options, async (session) => {
        const { testEndpoint } = await import('./change-endpoints.ts');
        await testEndpoint(session, endpointId, options);
      }),
    );
}

interface RetryOptions extends WebhookOptions {
  allFailed?: boolean;
  endpoint?: string;
}

function addRetry(webhook: Command): void {
  webhook
    .command('retry')
    .description('put deliveries that failed or were given up in the queue again')
    .argument('[delivery]', 'id of the delivery (msg_…)', publicId('msg', 'GET /webhook-deliveries'))
    .addOption(requiredEnvironmentOption())
    .option('--all-failed', 'every delivery that waits after a failure, or was given up')
    .option(
      '--endpoint <id>',
      'with --all-failed: those to this endpoint alone',
      publicId('we', 'rewards webhook list'),
    )
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Each keeps its id and body, and its schedule begins anew. Deliveries to disabled endpoints are left as they are.

Examples:
  $ rewards webhook retry msg_01h455vb4pex5vsknk084sn02q -e env_01h455vb4pex5vsknk084sn02q
  $ rewards webhook retry --all-failed -e env_01h455vb4pex5vsknk084sn02q
`,
    )
    .action(async (deliveryId: string | undefined, options: RetryOptions) => {
      if ((deliveryId === undefined) === !options.allFailed) {
        throw new CliFailure('Name one delivery, or say --all-failed.', EXIT.usage);
      }
      if (options.endpoint && !options.allFailed) {
        throw new CliFailure('--endpoint goes with --all-failed.', EXIT.usage);
      }
      const { retryAll, retryOne } = await import('./retry-deliveries.ts');
      await withSession({ ...options, endsWhenInterrupted: true }, (session) =>
        deliveryId === undefined
          ? retryAll(session, options.endpoint ?? null, options)
          : retryOne(session, deliveryId, options),
      );
    });
}

function addReplay(webhook: Command): void {
  webhook
    .command('replay')
    .description('send the deliveries after a sequence again, in their order')
    .argument('<endpoint>', 'id of the endpoint (we_…)', publicId('we', 'rewards webhook list'))
    .addOption(requiredEnvironmentOption())
    .requiredOption(
      '--since <sequence>',
      'the last sequence that is not sent again; 0 for all',
      parseSequence,
    )
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A running server does it, as an operation (GET /operations); this waits until all are in the queue. Ctrl-C
ends the waiting alone. Exit code 1 if the operation fails, or if no server has taken it up after 30 seconds.

Example:
  $ rewards webhook replay we_01h455vb4pex5vsknk084sn02q --since 120 -e env_01h455vb4pex5vsknk084sn02q
`,
    )
    .action((endpointId: string, options: WebhookOptions & { since: number }) =>
      withSession({ ...options, endsWhenInterrupted: true }, async (session) => {
        const { replayEndpoint } = await import('./change-endpoints.ts');
        await replayEndpoint(session, endpointId, options);
      }),
    );
}

/** Reads an id, and keeps it as callers of the API know it. */
function publicId(prefix: IdPrefix, whereToFind: string): (text: string) => string {
  return (text) => {
    if (fromTypeId(prefix, text) === null) {
      throw new InvalidArgumentError(
        `It must be a whole id: ${prefix}_ and 26 characters. See ${whereToFind}`,
      );
    }
    return text;
  };
}

function parseSequence(text: string): number {
  const sequence = Number(text);
  if (!/^(?:0|[1-9]\d*)$/.test(text) || !Number.isSafeInteger(sequence)) {
    throw new InvalidArgumentError('It must be 0 or a positive integer.');
  }
  return sequence;
}
