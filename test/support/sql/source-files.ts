import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

/**
 * Looks for something in every file of `src` that is not generated, as the TypeScript compiler parses it.
 * @param root the folder of the project
 * @param find is given the path relative to the project
 */
export function inSourceFiles<Found>(
  root: string,
  find: (file: string, source: SourceFile) => readonly Found[],
): Found[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
    .map((name) => `src/${name}`);
  const api = new API({ cwd: root });
  try {
    // A project of these files alone: parsing what they import and the libraries' declarations takes most of the time.
    const [project] = api.updateSnapshot({ openProjects: ['test/support/sql/tsconfig.json'] }).getProjects();
    return files.flatMap((file) => {
      const source = project?.program.getSourceFile(join(root, file));
      if (!source) throw new Error(`${file} is not in the project`);
      return find(file, source);
    });
  } finally {
    api.close();
  }
}
