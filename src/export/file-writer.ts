import { createHash } from 'node:crypto';
import { type FileHandle, rename, rm } from 'node:fs/promises';
import { createFile, mayBeReplaced } from '../output-file.ts';

/**
 * Writes one file, which appears under its name only when it is complete and on disk. Neither there nor on the way is a
 * symbolic link followed: the file takes its place.
 */
export class FileWriter {
  readonly #path: string;
  /** Where the file is until it is complete. */
  readonly #unfinished: string;
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  #bytes = 0;

  private constructor(path: string, unfinished: string, file: FileHandle) {
    this.#path = path;
    this.#unfinished = unfinished;
    this.#file = file;
  }

  /**
   * @param mode of the file, less what the umask takes away
   * @throws where something has its name that is no file
   */
  static async open(path: string, mode?: number): Promise<FileWriter> {
    await mayBeReplaced(path);
    const unfinished = `${path}.part`;
    return new FileWriter(path, unfinished, await createFile(unfinished, mode));
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.#file.writeFile(bytes);
  }

  /** @returns the size in bytes, and the hash in hexadecimal */
  async finish(): Promise<{ bytes: number; sha256: string }> {
    await this.#file.sync();
    await this.#file.close();
    await rename(this.#unfinished, this.#path);
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Leaves nothing of the file behind. */
  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.#unfinished, { force: true });
  }
}
