import { overwriteFile } from '../../output-file.ts';
import { CliFailure } from './failure.ts';

/**
 * Writes what an option asks for to its file, which is overwritten.
 * @param option such as `--out`
 * @throws CliFailure where the file cannot be opened, or is a symbolic link
 */
export async function writeOutput(
  option: string,
  path: string,
  content: string | AsyncIterable<string>,
): Promise<void> {
  const file = await overwriteFile(path).catch((error) => {
    throw cannotBeWritten(option, path, error);
  });
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}

/** The failure to open the file of an option. */
export function cannotBeWritten(option: string, path: string, error: unknown): CliFailure {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = code === 'ELOOP' ? `${path} is a symbolic link. Name the file that it points to.` : message;
  return new CliFailure(`${option} cannot be written: ${why}`);
}
