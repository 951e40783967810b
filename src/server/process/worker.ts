import { type RunningServer, startServer } from './http-server.ts';
import type { PrimaryMessage, WorkerMessage, WorkerSettings } from './workers.ts';

// One of several serving processes. Ctrl-C reaches the whole process group, but the primary decides when a worker ends.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

let running: RunningServer | null = null;
let asked = 0;
const waiting = new Map<number, (text: string) => void>();

process.on('message', (message: WorkerSettings | PrimaryMessage) => {
  if (message.kind === 'settings') void start(message);
  else if (message.kind === 'metrics') {
    waiting.get(message.id)?.(message.text);
    waiting.delete(message.id);
  } else if (message.kind === 'stop') void stop();
});
process.on('disconnect', () => void stop());

async function start({ kind: _kind, ...settings }: WorkerSettings): Promise<void> {
  try {
    running = await startServer({ ...settings, readMetrics });
    send({ kind: 'listening', url: running.url });
  } catch (error) {
    send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    process.exit(1);
  }
}

async function stop(): Promise<void> {
  await running?.close();
  process.exit(0);
}

/** The metrics of all workers together, which the primary adds up. */
function readMetrics(): Promise<string> {
  asked += 1;
  const id = asked;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    send({ kind: 'metrics', id });
  });
}

function send(message: WorkerMessage): void {
  process.send?.(message);
}
