import { type Command, InvalidArgumentError } from 'commander';
import { jsonOption, requiredEnvironmentOption } from '../shell/arguments.ts';
import { withSession } from '../shell/session.ts';
import type { ListenOptions } from './run-listen.ts';

/** Adds `rewards listen`. */
export function addListenCommand(cli: Command): void {
  cli
    .command('listen')
    .description('print the events of an environment as they happen, and forward them to a receiver')
    .addOption(requiredEnvironmentOption())
    .option('--types <names>', 'only these types of events, separated by commas', (text) => text.split(','))
    .option('--forward-to <url>', 'send each to this URL as a webhook; Sandbox only', parseUrl)
    .option('--secret <secret>', 'what forwarded events are signed with (default: a new one)', parseSecret)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
It reads the feed of events (GET /events-feed) from now on, until Ctrl-C: no endpoint is made, and nothing is written. A
running server numbers the events. They are forwarded one after the other, once each, with the headers and the body of a
webhook; what the receiver answers is printed. With --json each line is one JSON object.

Examples:
  $ rewards listen -e env_01h455vb4pex5vsknk084sn02q
  $ rewards listen -e env_01h455vb4pex5vsknk084sn02q --types points.earned --forward-to http://127.0.0.1:9009/rewards
`,
    )
    .action(async (options: ListenOptions) => {
      const { checkTypes, listen } = await import('./run-listen.ts');
      if (options.types) checkTypes(options.types);
      await withSession({ endsWhenInterrupted: true }, (session) => listen(session, options));
    });
}

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be an http or https URL.');
  return text;
}

function parseSecret(text: string): string {
  if (!/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(text)) {
    throw new InvalidArgumentError(
      'It must be whsec_ and base64, as a webhook endpoint shows it when it is made.',
    );
  }
  return text;
}
