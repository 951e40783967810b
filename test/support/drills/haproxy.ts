import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { run } from './programs.ts';
import { until } from './until.ts';

/** An HAProxy in front of serving processes. */
export interface Haproxy {
  url: string;
  end(): Promise<void>;
}

/**
 * Starts HAProxy with the configuration of docs/operate/production.md, with short intervals.
 * @param folder for its file
 * @param ports of the serving processes on 127.0.0.1, which need not run yet
 */
export async function startHaproxy(folder: string, ports: readonly number[]): Promise<Haproxy> {
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration(port, ports));
  const running = run('haproxy', ['-db', '-f', file]);
  await until('HAProxy', () => accepts(port)).catch(async (error: Error) => {
    await running.end('SIGKILL');
    throw new Error(`${error.message}\n${running.output()}`);
  });
  return { url: `http://127.0.0.1:${port}`, end: () => running.end('SIGKILL') };
}

function configuration(port: number, ports: readonly number[]): string {
  return `
global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  option redispatch
  retries 2
frontend rewards
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance leastconn
  option httpchk
  http-check send meth GET uri /readyz
  default-server check inter 500ms fall 2 rise 1 observe layer4 error-limit 5 on-error mark-down
${ports.map((each, index) => `  server node${index + 1} 127.0.0.1:${each}`).join('\n')}
`;
}

/** Whether something listens on a port of 127.0.0.1. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
