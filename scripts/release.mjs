// npm run release -- VERSION [--dry-run] [--accept REASON]: makes a release of the last commit, and its files in
// release/. It works in a worktree of its own, so what is delivered is what is committed. Nothing is pushed. A dry run
// makes the same files, and neither commit nor tag. It refuses a runtime or packages with known faults; --accept makes
// it all the same.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkPackages } from './check-packages.mjs';
import { installMissing, PROJECT_DIR } from './launch.mjs';

const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false }, accept: { type: 'string' } },
  allowPositionals: true,
});
const [version] = positionals;
const dryRun = values['dry-run'];
const out = join(PROJECT_DIR, 'release');

if (positionals.length !== 1 || !/^\d+\.\d+\.\d+$/.test(version))
  fail('Usage: npm run release -- 1.0.0 [--dry-run] [--accept REASON]');
const changes = run('git', ['status', '--porcelain']);
if (changes !== '') fail(`A release is made of what is committed. Commit or remove first:\n${changes}`);
if (run('git', ['tag', '--list', `v${version}`]) !== '') fail(`There is a v${version} already.`);
const changelog = readFileSync(join(PROJECT_DIR, 'CHANGELOG.md'), 'utf8');
const [, unreleased = ''] = changelog.split(/^## /m);
if (!/^Unreleased\n\s*\S/.test(unreleased)) fail('CHANGELOG.md names no change under "Unreleased".');
installMissing({ development: true });
refuseKnownFaults();

const scratch = mkdtempSync(join(tmpdir(), 'rewards-release-'));
// The list of packages names the project after its folder.
const tree = join(scratch, 'rewards-service');
run('git', ['worktree', 'add', '--quiet', '--detach', tree]);
try {
  closeChangelog();
  run('npm', ['version', version, '--no-git-tag-version', '--ignore-scripts'], tree);
  run('git', ['add', '--all'], tree);
  if (!dryRun) {
    run('git', ['commit', '--quiet', '--message', `Release ${version}`], tree);
    run('git', ['tag', '--annotate', `v${version}`, '--message', `Release ${version}`], tree);
  }
  makeFiles();
} finally {
  run('git', ['worktree', 'remove', '--force', tree]);
  rmSync(scratch, { recursive: true });
}
report();

/** Ends where the runtime or a package has a known fault that nobody has accepted. A dry run only tells. */
function refuseKnownFaults() {
  const { node } = JSON.parse(readFileSync(join(PROJECT_DIR, 'package.json'), 'utf8')).dependencies;
  const { problems, unanswered } = checkPackages(node, askNpm);
  for (const line of [...unanswered, ...problems]) process.stderr.write(`${line}\n`);
  if (problems.length === 0 || dryRun || values.accept) return;
  fail(
    'Mend these first, or say why they do not matter: --accept REASON. The reason belongs into the release notes.',
  );
}

/** npm audit exits with 1 where it finds something, and its answer is on standard output all the same. */
function askNpm(args) {
  const { stdout } = spawnSync('npm', args, { cwd: PROJECT_DIR, encoding: 'utf8', maxBuffer: 2 ** 28 });
  return stdout ?? '';
}

/** Gives what has changed since the last release the name of this one. */
function closeChangelog() {
  const today = new Date().toISOString().slice(0, 10);
  const heading = `## Unreleased\n\n## ${version} - ${today}\n`;
  writeFileSync(join(tree, 'CHANGELOG.md'), changelog.replace('## Unreleased\n', heading));
}

function makeFiles() {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  const name = `rewards-service-${version}`;
  const archived = dryRun ? run('git', ['write-tree'], tree) : `v${version}`;
  const archive = join(out, `${name}-source.tar.gz`);
  run('git', ['archive', `--prefix=${name}/`, `--output=${archive}`, archived], tree);
  // The script of the widget is bundled with the packages that this project has.
  symlinkSync(join(PROJECT_DIR, 'node_modules'), join(tree, 'node_modules'));
  run('npm', ['pack', '--pack-destination', out], tree);
  writeFileSync(join(out, `${name}.cdx.json`), `${listPackages()}\n`);
  const sums = readdirSync(out).map((file) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(out, file)))
      .digest('hex');
    return `${sum}  ${file}\n`;
  });
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
}

/**
 * The packages that the service runs with, as CycloneDX. Those of tests and tools are taken out of the lockfile first:
 * with `--omit dev`, npm also leaves out whatever one of them needs too, such as graphql.
 */
function listPackages() {
  const manifest = readJson('package.json');
  const lockfile = readJson('package-lock.json');
  delete manifest.devDependencies;
  delete lockfile.packages[''].devDependencies;
  for (const [path, { dev, devOptional }] of Object.entries(lockfile.packages)) {
    if (dev || devOptional) delete lockfile.packages[path];
  }
  writeFileSync(join(tree, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(tree, 'package-lock.json'), JSON.stringify(lockfile));
  return run('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], tree);
}

function readJson(file) {
  return JSON.parse(readFileSync(join(tree, file), 'utf8'));
}

function report() {
  process.stdout.write(`release/SHA256SUMS:\n${readFileSync(join(out, 'SHA256SUMS'), 'utf8')}`);
  process.stdout.write(
    dryRun
      ? 'A dry run: no commit, no tag.\n'
      : `Committed and tagged as v${version}. What is left: git merge ` +
          `--ff-only v${version} && git push --follow-tags\n`,
  );
}

/** Runs a program to its end. @returns its standard output, without the last line break */
function run(command, args, cwd = PROJECT_DIR) {
  const stdio = ['ignore', 'pipe', 'inherit'];
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio, maxBuffer: 2 ** 28 }).trimEnd();
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
