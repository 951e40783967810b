import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** What a call of a tool came to. */
export interface ToolAnswer {
  /** The code of the refusal, or null. */
  code: string | null;
  /** What the second text says, parsed. */
  data: Record<string, unknown>;
  /** Absent where the call was refused. */
  structured: Record<string, unknown> | undefined;
  notice: string;
}

/** An agent with the protocol's own client. */
export interface Agent {
  client: Client;
  call(name: string, input?: object): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** Connects an agent over HTTP. @throws StreamableHTTPError where the service refuses its first message */
export function connectOverHttp(
  url: string,
  deploymentId: string,
  headers: Record<string, string> = {},
): Promise<Agent> {
  const endpoint = new URL(`/api/v1/widgets/${deploymentId}/mcp`, url);
  return connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }));
}

/** Connects an agent that starts `rewards mcp`. @param env of the command, besides PATH */
export async function connectOverStdio(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Agent & { stderr(): string }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['bin/rewards.mjs', 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  return { ...(await connect(transport)), stderr: () => stderr };
}

async function connect(transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<Agent> {
  const client = new Client({ name: 'tests', version: '1.0.0' });
  await client.connect(transport);
  // The client checks results by their schemas only once it knows the tools.
  await client.listTools();
  return {
    client,
    async call(name, input = {}) {
      const result = await client.callTool({ name, arguments: { ...input } });
      const [notice, text] = result.content as { text: string }[];
      const data = JSON.parse(text?.text ?? 'null') as ToolAnswer['data'];
      const { code = null } = (result.isError ? data.error : {}) as { code?: string | null };
      const structured = result.structuredContent as ToolAnswer['structured'];
      return { code, data, structured, notice: notice?.text ?? '' };
    },
    close: () => client.close(),
  };
}
