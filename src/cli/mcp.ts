import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { fromTypeId } from '../ids.ts';
import { CliFailure } from './shell/failure.ts';
import { hint } from './shell/output.ts';

/** Name of the environment variable that holds a session's token where there is no file of it. */
const SESSION_VARIABLE = 'SVC_REWARDS_SESSION';

interface McpOptions {
  deployment: string;
  base: string;
  tokenFile?: string;
  origin?: string;
}

/** Adds `rewards mcp`. */
export function addMcpCommand(cli: Command): void {
  cli
    .command('mcp')
    .description('let an agent on this machine use a widget: MCP over standard input and output')
    .requiredOption('--deployment <id>', 'deployment of the widget (wdg_…)', parseDeployment)
    .option('--base <url>', 'URL of the running service', parseBase, 'http://127.0.0.1:4000')
    .option('--token-file <file>', 'file with the token of a session, read again for every request')
    .option('--origin <origin>', 'the origin that the session is bound to, such as https://shop.example')
    .addHelpText(
      'after',
      `
An agent starts this command itself. Without a session it can read what anybody may see; with one it sees its
customer's balance and can redeem, once the person has confirmed. A token is taken from --token-file or else from
${SESSION_VARIABLE}. docs/guide/agents.md shows how agents are set up.

Examples:
  $ rewards mcp --deployment wdg_01h455vb4pex5vsknk084sn02q
  $ rewards mcp --deployment wdg_01h455vb4pex5vsknk084sn02q --base https://rewards.shop.example \\
      --token-file session.txt --origin https://shop.example
`,
    )
    .action(async ({ deployment, base, tokenFile, origin }: McpOptions) => {
      const readToken = tokenReader(tokenFile, process.env[SESSION_VARIABLE]);
      if (origin === undefined && (await readToken()) !== null) {
        hint('A session is bound to an origin: without --origin its requests are refused.');
      }
      const { runBridge } = await import('../mcp/stdio-bridge.ts');
      await runBridge({
        endpoint: new URL(`api/v1/widgets/${deployment}/mcp`, base).href,
        origin: origin ?? null,
        readToken,
        input: process.stdin,
        output: process.stdout,
        warn: hint,
      });
    });
}

/** Returns what reads the token of a session. @throws CliFailure from it for a file that cannot be read */
function tokenReader(file: string | undefined, variable: string | undefined): () => Promise<string | null> {
  if (file === undefined) return async () => variable?.trim() || null;
  return async () => {
    const text = await readFile(file, 'utf8').catch((error: Error) => {
      throw new CliFailure(`${file} cannot be read: ${error.message}`);
    });
    return text.trim() || null;
  };
}

function parseDeployment(text: string): string {
  if (fromTypeId('wdg', text) !== null) return text;
  throw new InvalidArgumentError(
    'It must be a whole id: wdg_ and 26 characters. The deployments of an ' +
      'environment: rewards widget list -e ENVIRONMENT',
  );
}

/** The URL of a service, with a slash at its end, so that paths are put after it. */
function parseBase(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be a URL such as https://rewards.shop.example.');
  return url.pathname.endsWith('/') ? url.href : `${url.href}/`;
}
