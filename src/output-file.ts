import { constants } from 'node:fs';
import { type FileHandle, open, readlink, rm, stat } from 'node:fs/promises';

// A symbolic link is never followed: in a folder where others may write, it would let them choose which file is
// written.
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_TRUNC, O_WRONLY } = constants;

/**
 * Opens a file to be written anew where it is, or makes it.
 * @throws ELOOP where it is a symbolic link; ENXIO, or without a code, where it is a named pipe: without a reader that
 *   would never open, and who reads it is not known
 */
export async function overwriteFile(path: string): Promise<FileHandle> {
  const file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK);
  if (!(await file.stat()).isFIFO()) return file;
  await file.close();
  throw new Error(`${path} is a pipe, and no file.`);
}

/**
 * Makes sure that a file which is made elsewhere may take the place of what has its name. A device may not, nor
 * `/dev/stdout`, which the superuser could replace for all.
 * @throws where something is there that is neither a file nor a link to one or to nothing
 */
export async function mayBeReplaced(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  const target = await readlink(path).catch(() => '');
  if (found?.isFile() === false || target.startsWith('/proc/')) throw new Error(`${path} is no file.`);
}

/**
 * Makes a file. What has its name goes first, such as what a killed process left behind; of a link the link alone.
 * @param mode of the file, less what the umask takes away
 */
export async function createFile(path: string, mode = 0o666): Promise<FileHandle> {
  await rm(path, { force: true });
  return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
}
