// @ts-check
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { hostsFolder, projectFolder } from '../paths.mjs';
import { announce, SetupError } from '../setup/steps.mjs';
import { compare, figuresIn, tableOf } from './pairs.mjs';

/** @typedef {ReturnType<typeof figuresIn>} Figures */

/** What the build makes in the folder of a commit. */
const benchmark = path.join('out', 'bench', 'bench.main.mjs');

/**
 * Measures rows of the benchmark here and at another commit in turn, each with its own benchmark, so that a slow hour
 * slows both, and prints the ratios.
 *
 * @param {{ commit: string, rows: readonly [string, ...string[]], pairs: number }} options
 * @returns {Promise<boolean>} whether no row is slower here
 */
export async function benchAgainst({ commit, rows, pairs }) {
  const hash = git(projectFolder, 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`);
  const folder = await checkoutOf(hash);
  // Whatever a commit needs, its own script sets up and builds; these figures don't count.
  for (const one of [folder, projectFolder]) {
    await measure(one, path.join('scripts', 'bench.mjs'), rows[0]);
  }
  let isFine = true;
  for (const row of rows) {
    const measured = [];
    for (let pair = 1; pair <= pairs; pair++) {
      const there = await measure(folder, benchmark, row);
      const here = await measure(projectFolder, benchmark, row);
      measured.push({ here, there });
      announce(`${row}: pair ${pair} of ${pairs}`);
    }
    const comparisons = compare(measured);
    isFine &&= comparisons.every(({ slower }) => !slower);
    announce(`\n${tableOf(comparisons, hash.slice(0, 8))}\n${unmatched(measured, comparisons)}`);
  }
  return isFine;
}

/** A clone of the project at this commit, with packages of its own and the VS Code of this one. @param {string} hash */
async function checkoutOf(hash) {
  const folder = path.join(projectFolder, 'out', 'against', hash);
  if (!existsSync(path.join(folder, '.git'))) {
    await mkdir(path.dirname(folder), { recursive: true });
    git(projectFolder, 'clone', '--quiet', '--shared', '--no-checkout', projectFolder, folder);
  }
  git(folder, 'checkout', '--quiet', '--detach', '--force', hash);
  const hosts = path.join(folder, path.basename(hostsFolder));
  if (!existsSync(hosts)) await symlink(hostsFolder, hosts, 'junction');
  return folder;
}

/** @param {string} cwd @param {readonly string[]} args */
function git(cwd, ...args) {
  try {
    return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
  } catch {
    throw new SetupError(`"git ${args.join(' ')}" failed in ${cwd}.`);
  }
}

/** @param {string} folder @param {string} program @param {string} row @returns {Promise<Figures>} */
async function measure(folder, program, row) {
  let printed = '';
  /** @type {number | null} */
  const code = await new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(folder, program), row], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.on('data', (chunk) => (printed += String(chunk)));
    child.on('close', resolve);
  });
  const figures = figuresIn(printed);
  if (code !== 0 || figures.size === 0) {
    throw new SetupError(`${printed}\nThe benchmark of ${folder} has no figures for “${row}”.`);
  }
  return figures;
}

/**
 * Names what only one side has, or in different units.
 *
 * @param {readonly { here: Figures, there: Figures }[]} pairs
 * @param {readonly { what: string }[]} compared
 */
function unmatched(pairs, compared) {
  const known = new Set(compared.map(({ what }) => what));
  const all = pairs.flatMap(({ here, there }) => [...here.keys(), ...there.keys()]);
  return [...new Set(all)]
    .filter((what) => !known.has(what))
    .map((what) => `Not compared: ${what}\n`)
    .join('');
}
