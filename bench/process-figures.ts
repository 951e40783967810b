import { readdir, readFile } from 'node:fs/promises';

/** Linux counts CPU time in hundredths of a second, whatever the kernel's own tick. */
const TICKS_PER_SECOND = 100;

/** Where the machine has no /proc these are null, and the report leaves them out. */
export type Figure = number | null;

/** CPU seconds that a process has used so far. */
export async function cpuSeconds(pid: number): Promise<Figure> {
  const stat = await readStat(pid);
  return stat && (stat.own + stat.children) / TICKS_PER_SECOND;
}

/** CPU seconds of a process and all its children, those that have ended too: Postgres has one a connection. */
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

/** Memory that a process has, and the most it ever had, in MiB (2^20 bytes). */
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
  // The name in parentheses may hold anything; fields are counted from behind it.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15);
  return { parent, own: user + system, children: childrenUser + childrenSystem };
}
