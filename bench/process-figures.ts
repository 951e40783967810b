import { readdir, readFile } from 'node:fs/promises';

/** Linux reports CPU time in hundredths of a second, independently of the kernel's tick. */
const TICKS_PER_SECOND = 100;

/** Null on a machine without /proc; the report leaves such figures out. */
export type Figure = number | null;

/** CPU seconds that a process has used so far. */
export async function cpuSeconds(pid: number): Promise<Figure> {
  const stat = await readStat(pid);
  return stat && (stat.own + stat.children) / TICKS_PER_SECOND;
}

/**
 * CPU seconds of a process and its children, including those that have ended. Postgres has a process per connection.
 */
export async function cpuSecondsOfTree(pid: number): Promise<Figure> {
  const root = await readStat(pid);
  if (!root) return null;
  let ticks = root.own + root.children;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readStat(Number(name));
    if (stat?.parent === pid) ticks += stat.own + stat.children;
  }
  return ticks / TICKS_PER_SECOND;
}

/** The present and the peak memory of a process, in MiB (2^20 bytes). */
export async function memoryMebibytes(pid: number): Promise<{ now: Figure; peak: Figure }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return { now: kibibytes(status, 'VmRSS'), peak: kibibytes(status, 'VmHWM') };
}

function kibibytes(status: string, name: string): Figure {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status);
  return match ? Number(match[1]) / 1024 : null;
}

async function readStat(pid: number): Promise<{ parent: number; own: number; children: number } | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The name in parentheses may contain any characters, so fields are counted from its end.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15);
  return { parent, own: user + system, children: childrenUser + childrenSystem };
}
