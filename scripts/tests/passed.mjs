// @ts-check
import { execFileSync } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseJson } from '../json.mjs';
import { hostsFolder, projectFolder } from '../paths.mjs';
import { findChromium } from '../setup/chromium.mjs';
import { lastGraph } from './graph.mjs';
import { Inputs, product, sourcesIn } from './inputs.mjs';
import { passesAfter, unchangedFiles } from './unchanged.mjs';

/**
 * @typedef {import('./results.mjs').Results} Results
 * @typedef {import('./unchanged.mjs').Passes} Passes
 * @typedef {import('./unchanged.mjs').Suite} Suite
 */

const passedFile = path.join(hostsFolder, 'passed.json');

/** Which test files passed when they last ran, and with what. */
export class Passed {
  #sources;
  /** @type {Promise<Inputs> | undefined} */
  #inputs;
  /** @type {Promise<Passes> | undefined} */
  #passes;

  /** Takes note of the sources: to be made before they are built. */
  constructor() {
    this.#sources = sourcesIn(projectFolder);
  }

  /**
   * Runs those files of a suite that have changed since they passed, and records which pass.
   *
   * @param {string} name for the report and the record
   * @param {'unit' | 'vscode' | 'ui'} kind
   * @param {readonly string[]} found the paths of its bundles
   * @param {{ all: boolean }} options whether to run them all
   * @param {(files: readonly string[]) => Promise<Results>} run
   * @returns {Promise<Results>}
   */
  async run(name, kind, found, { all }, run) {
    this.#inputs ??= lastGraph().then((graph) => new Inputs(projectFolder, graph, this.#sources));
    this.#passes ??= readPasses();
    const [inputs, passes] = [await this.#inputs, await this.#passes];
    const suite = suiteOf(name, kind);
    const unchanged = all ? [] : unchangedFiles(passes, inputs, suite, found);
    const others = found.filter((file) => !unchanged.includes(file));
    const results = others.length > 0 ? await run(others) : { passed: [], failed: [], skipped: [] };
    const after = new Inputs(projectFolder, await lastGraph(), sourcesIn(projectFolder));
    passes[name] = passesAfter(passes, { before: inputs, after }, suite, unchanged, results);
    await mkdir(hostsFolder, { recursive: true });
    await writeFile(passedFile, JSON.stringify(passes));
    const tests = unchanged.reduce((sum, file) => sum + (passes[name]?.[file]?.tests ?? 0), 0);
    return { ...results, unchanged: { files: unchanged, others, tests } };
  }
}

/** @returns {Promise<Passes>} */
async function readPasses() {
  const text = await readFile(passedFile, 'utf8').catch(() => '{}');
  return parseJson(text);
}

/** @param {string} name @param {'unit' | 'vscode' | 'ui'} kind @returns {Suite} */
function suiteOf(name, kind) {
  return {
    name,
    reads: kind === 'vscode' ? [...product, 'out/vscode/index.js'] : [],
    surroundings: JSON.stringify([surroundings(), kind === 'unit' ? [] : browser()]),
  };
}

/** The variables that tests, or the programs that they start, may read. */
const variables = /^(?:ACP_SESSIONS_(?!TEST_TIMES)|CI$|LANG$|LC_|NODE_|TZ$|UPDATE_)/;

function surroundings() {
  return [
    ...[process.version, process.platform, process.arch, process.getuid?.() === 0],
    execFileSync('git', ['--version'], { encoding: 'utf8' }),
    ...Object.entries(process.env)
      .filter(([name]) => variables.test(name))
      .sort(),
  ];
}

function browser() {
  const file = realpathSync(findChromium());
  const { mtimeMs, size } = statSync(file);
  return [file, mtimeMs, size];
}
