import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';

// A symbolic link is never followed: in a folder where others may write, it would let them choose which file is
// written.
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;

/** Opens a file to be written anew where it is, or makes it. @throws ELOOP where it is a symbolic link */
export function overwriteFile(path: string): Promise<FileHandle> {
  return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
}

/**
 * Makes a file. What has its name goes first, such as what a killed process left behind; of a link the link alone.
 * @param mode of the file, less what the umask takes away
 */
export async function createFile(path: string, mode = 0o666): Promise<FileHandle> {
  await rm(path, { force: true });
  return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
}
