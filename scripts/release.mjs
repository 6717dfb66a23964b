// @ts-check
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseJson } from './json.mjs';
import { projectFolder } from './paths.mjs';
import { bundledPackages } from './release/bundled.mjs';
import { sectionOf } from './release/changelog.mjs';
import { isPreRelease, whatStops } from './release/checks.mjs';
import { noticesFile, noticesOf } from './release/notices.mjs';
import { markets, packaging, publishing } from './release/publish.mjs';
import { sbomOf } from './release/sbom.mjs';
import { compareContents, contentsOf } from './release/vsix.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { reportAndFail } from './setup/index.mjs';
import { announce, SetupError } from './setup/steps.mjs';

const usage = `npm run release -- --dry-run                      builds it and prints how it would be published
       npm run release -- package                        builds it in out/release, unless a check fails
       npm run release -- publish marketplace|openvsx    publishes what was built`;

/** The output folder of a release. */
const folder = path.join('out', 'release');

/** @param {string} file */
const read = (file) => readFileSync(path.join(projectFolder, file), 'utf8');

/** Makes a release or publishes it; the workflow `.github/workflows/release.yml` runs one after the other. */
async function release() {
  const order = readOrder();
  const { manifest, changelog, ...others } = state();
  const { name, version } = manifest;
  const file = path.join(folder, `${name}-${version}.vsix`);
  if (order.verb === 'publish') {
    publish(order.market, file);
    return;
  }

  const stops = whatStops({ manifest, changelog, ...others });
  if (stops.length > 0 && order.verb === 'package') {
    throw new SetupError(`Can't release ${version}:\n${asList(stops)}`);
  }
  await ensureDependencies();
  make(manifest, changelog, file);
  if (order.verb === 'dry-run') reportDryRun(file, stops);
}

/**
 * Makes the package and the files that accompany it, and rejects a package with unexpected
 * contents.
 *
 * @param {import('./release/identity.mjs').Manifest} manifest
 * @param {string} changelog
 * @param {string} file
 */
function make(manifest, changelog, file) {
  const { name, version, publisher } = manifest;
  rmSync(path.join(projectFolder, folder), { recursive: true, force: true });
  mkdirSync(path.join(projectFolder, folder), { recursive: true });
  const preRelease = isPreRelease(version);
  run(packaging({ version, preRelease, file }));
  const packages = bundledPackages();
  if (readFileSync(noticesFile, 'utf8') !== noticesOf(packages)) {
    throw new SetupError(
      'ThirdPartyNotices.txt does not match the bundles: run "npm run notices".',
    );
  }
  checkContents(file);
  const sbom = sbomOf(manifest, packages, parseJson(read('package-lock.json')));
  write('sbom.cdx.json', `${JSON.stringify(sbom, undefined, 2)}\n`);
  const notes = sectionOf(changelog, version) ?? sectionOf(changelog, 'Unreleased') ?? '';
  write('notes.md', `${notes}\n`);
  announce(`\n${preRelease ? 'Pre-release' : 'Release'} ${version} of ${publisher}.${name} is in ${folder}:
the package, sbom.cdx.json (${packages.length} packages) and notes.md.`);
}

/** @param {string} file @param {readonly string[]} stops */
function reportDryRun(file, stops) {
  announce('\nPublishing would run these commands:');
  for (const market of markets) {
    const { command, args } = publishing(market, file);
    announce(`  ${market}: ${JSON.stringify([command, ...args])}`);
  }
  announce(
    stops.length === 0
      ? '\nDry run: nothing was published, and nothing stops the release.'
      : `\nDry run: nothing was published. These problems would stop the release:\n${asList(stops)}`,
  );
}

/** @param {string} file */
function checkContents(file) {
  const contents = contentsOf(path.join(projectFolder, file));
  announce(`\n${file}, ${contents.length} files:`);
  for (const { name, bytes } of contents) {
    announce(`  ${bytes.toLocaleString('en').padStart(9)}  ${name}`);
  }
  const { unexpected, missing } = compareContents(contents.map(({ name }) => name));
  if (unexpected.length + missing.length > 0) {
    throw new SetupError(
      `The package's contents differ from the list in scripts/release/vsix.mjs.
Unexpected: ${unexpected.join(', ') || 'nothing'}. Missing: ${missing.join(', ') || 'nothing'}.`,
    );
  }
}

/** @param {import('./release/publish.mjs').Market} market @param {string} file */
function publish(market, file) {
  if (!existsSync(path.join(projectFolder, file))) {
    throw new SetupError(`${file} does not exist: run "npm run release -- package" first.`);
  }
  run(publishing(market, file));
}

/** @returns {import('./release/checks.mjs').State} */
function state() {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: projectFolder, encoding: 'utf8' }).split('\n').filter(Boolean);
  /** @type {{ version: string }} */
  const { version: lockVersion } = parseJson(read('package-lock.json'));
  return {
    manifest: parseJson(read('package.json')),
    lockVersion,
    changelog: read('CHANGELOG.md'),
    tags: git('tag', '--points-at', 'HEAD'),
    changedFiles: git('status', '--porcelain').map((line) => line.slice(3)),
  };
}

/** @returns {{ verb: 'dry-run' | 'package' } | { verb: 'publish', market: import('./release/publish.mjs').Market }} */
function readOrder() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' } },
  });
  const [verb, name, ...more] = positionals;
  const market = markets.find((known) => known === name);
  if (values['dry-run'] && verb === undefined) return { verb: 'dry-run' };
  if (verb === 'package' && name === undefined) return { verb };
  if (verb === 'publish' && market && more.length === 0) return { verb, market };
  throw new SetupError(`Usage: ${usage}`);
}

/** @param {import('./release/publish.mjs').Program} program */
function run({ command, args }) {
  const { status } = spawnSync(command, args, {
    cwd: projectFolder,
    stdio: 'inherit',
    // npx is a script on Windows; it is passed only constants and a version.
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new SetupError(`"${command} ${args.join(' ')}" failed.`);
}

/** @param {string} name @param {string} text */
function write(name, text) {
  writeFileSync(path.join(projectFolder, folder, name), text);
}

/** @param {readonly string[]} sentences */
function asList(sentences) {
  return sentences.map((sentence) => `  - ${sentence}`).join('\n');
}

await release().catch(reportAndFail);
