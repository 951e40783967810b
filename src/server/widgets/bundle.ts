import { fileURLToPath } from 'node:url';

/** What browsers understand that the element's styles are for. */
const TARGET = 'es2023';

let last: Promise<unknown> = Promise.resolve();

/**
 * Bundles a module of web/ with what it imports into one, minified. The same sources give the same text. It takes some
 * milliseconds, in another process, which ends with it.
 * @param entry such as `web/widget/svc-rewards.ts`
 * @throws where the sources are not right, or the bundler is not installed
 */
export function bundle(entry: string): Promise<string> {
  // One after another: the process of the bundler is one for all.
  const result = last.then(() => build(entry));
  last = result.catch(() => undefined);
  return result;
}

async function build(entry: string): Promise<string> {
  const esbuild = await import('esbuild');
  try {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: fileURLToPath(new URL('../../../', import.meta.url)),
      entryPoints: [entry],
      bundle: true,
      format: 'esm',
      target: TARGET,
      minify: true,
      legalComments: 'none',
      // The compiler's settings are of no use to the bundler, and would be looked for.
      tsconfigRaw: {},
      write: false,
      logLevel: 'silent',
    });
    const [file] = outputFiles;
    if (!file) throw new Error(`${entry} has no output`);
    return file.text;
  } finally {
    await esbuild.stop();
  }
}
