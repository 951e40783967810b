// What a release must not contain: a runtime behind the newest patch of its line, and packages with known
// vulnerabilities. Plain JavaScript, as scripts/release.mjs, which calls it.

/**
 * The newest version of the line of `version`, which is its major number.
 * @param {string} version such as 24.9.0
 * @param {string[]} published every version of the package, in any order; pre-releases are passed over
 * @returns {string}
 */
export function newestOfLine(version, published) {
  const [major] = numbersOf(version);
  return published
    .filter((other) => /^\d+\.\d+\.\d+$/.test(other) && numbersOf(other)[0] === major)
    .reduce((newest, other) => (isNewer(other, newest) ? other : newest), version);
}

function isNewer(version, other) {
  const [a, b] = [numbersOf(version), numbersOf(other)];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at !== -1 && a[at] > b[at];
}

function numbersOf(version) {
  return version.split('.').map(Number);
}

/**
 * What the registry's advisories say, out of the JSON of `npm audit`.
 * @param {object} audit its standard output
 * @returns {{ problems: string[] } | { unanswered: string }} one line for each vulnerable package; `unanswered` where
 *   the registry serves no advisories
 */
export function readAudit(audit) {
  if (typeof audit.vulnerabilities !== 'object')
    return {
      unanswered: String(audit.message ?? audit.error?.summary ?? 'the answer has no vulnerabilities'),
    };
  const problems = Object.values(audit.vulnerabilities).map(
    ({ name, severity, range }) => `${name} ${range} has a known vulnerability (${severity}).`,
  );
  return { problems };
}

/**
 * Asks the registry about the pinned Node and the packages that the service runs with.
 * @param {string} pinned the version of the package `node`
 * @param {(args: string[]) => string} npm runs npm to its end, whatever its exit code, and returns its standard output
 * @returns {{ problems: string[], unanswered: string[] }} what keeps a release from being made; and what the registry
 *   in reach did not answer, for a person to look at
 */
export function checkPackages(pinned, npm) {
  const problems = [];
  const unanswered = [];
  const published = parse(npm(['view', 'node', 'versions', '--json']));
  if (Array.isArray(published)) {
    const newest = newestOfLine(pinned, published);
    if (newest !== pinned)
      problems.push(`Node ${pinned} is pinned, and ${newest} is the newest of its line.`);
  } else unanswered.push('The registry did not say which versions of Node there are.');
  const audit = readAudit(parse(npm(['audit', '--omit=dev', '--json'])) ?? {});
  if ('problems' in audit) problems.push(...audit.problems);
  else unanswered.push(`The registry serves no advisories to npm audit: ${audit.unanswered}`);
  return { problems, unanswered };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
