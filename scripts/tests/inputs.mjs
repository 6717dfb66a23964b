// @ts-check
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { closureOf } from './graph.mjs';

/** @typedef {import('./graph.mjs').Graph} Graph */

/** What is read of the extension itself by a window in which it runs. */
export const product = [
  ...['dist', 'l10n', 'media', 'package.json', 'package.nls.json', 'package.nls.de.json'],
  ...['scripts/host', 'scripts/setup', 'scripts/versions.mjs', 'test/fixtures/workspace'],
];

/** What the extension starts of itself; its own code is among the modules of each test that runs it in Node. */
export const programs = [
  ...[
    'demoAgent.js',
    'mcpBridge.js',
    'node-sqlite3-wasm.wasm',
    'promptServer.js',
    'replayAgent.js',
  ],
  ...['searchWorker.js', 'unpackWorker.js'],
].map((name) => `dist/${name}`);

/** The only module by which tests find the project. */
const gate = 'test/support/project.ts';
const paths = 'scripts/paths.mjs';

/**
 * What other modules read that find the project on their own; all that aren't listed count as reading the whole.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const readBy = {
  'scripts/host/leash.mjs': ['scripts/host', 'scripts/json.mjs'],
  'scripts/host/sample.mjs': ['dist/demoAgent.js', 'scripts/host', 'test/fixtures/workspace'],
  'scripts/host/server.mjs': product,
  'scripts/setup/browserHost.mjs': ['scripts/setup', 'scripts/versions.mjs'],
  'scripts/setup/steps.mjs': [],
  // The extension is told where it is.
  'test/support/vscode/extension.ts': [...programs, 'media'],
  // It writes.
  'test/ui/harness/screenshot.ts': [],
};

/** The given name of a call, if it is a literal. */
const calls = /\binProject\(\s*(?:'([^'\\]*)'|"([^"\\]*)"|`([^`$\\]*)`)?/g;

/** The hash of each file of the project, apart from what is built. @typedef {ReadonlyMap<string, string>} Sources */

/** All that Git doesn't ignore. @param {string} folder of the project @returns {Sources} */
export function sourcesIn(folder) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const files = [...new Set(listed.split('\0').filter(Boolean))];
  return new Map(files.map((file) => [file, hashOfFile(path.join(folder, file))]));
}

/**
 * Tells what a test depends on: the modules of its bundle, and what these read of the project when they run.
 */
export class Inputs {
  #folder;
  #graph;
  #sources;
  #files;
  /** @type {Map<string, string>} */
  #built = new Map();
  /** @type {Map<string, readonly string[]>} */
  #folders = new Map();
  /** @type {Map<string, readonly string[]>} */
  #read = new Map();

  /** @param {string} folder of the project @param {Graph} graph @param {Sources} sources before they were built */
  constructor(folder, graph, sources) {
    this.#folder = folder;
    this.#graph = graph;
    this.#sources = sources;
    this.#files = [...sources.keys()];
  }

  /**
   * A hash of everything that a bundle depends on.
   *
   * @param {string} program the bundle's path
   * @param {readonly string[]} more files and folders that it depends on as well
   */
  hashOf(program, more = []) {
    const hash = createHash('sha256');
    for (const file of [...this.of(program, more)].sort()) {
      hash.update(`${file}\0${this.#contentOf(file)}\0`);
    }
    return hash.digest('hex');
  }

  /** The files that a bundle depends on. @param {string} program @param {readonly string[]} more */
  of(program, more = []) {
    /** @type {Set<string>} */
    const files = new Set();
    /** Files, folders and bundles, whose number grows. */
    const names = new Set([program, ...more]);
    for (const name of names) {
      const entry = this.#graph.programs[name];
      if (entry === undefined) {
        for (const file of this.#filesIn(name)) files.add(file);
        continue;
      }
      for (const module of closureOf(this.#graph, entry)) {
        if (isInstalled(module)) continue;
        files.add(module);
        for (const read of this.#readBy(module)) names.add(read);
      }
    }
    return files;
  }

  /** @param {string} module @returns {readonly string[]} */
  #readBy(module) {
    const known = this.#read.get(module);
    if (known !== undefined) return known;
    const listed = readBy[module];
    const isFree = this.#graph.modules[module]?.includes(paths) && module !== gate;
    const names = [...(listed ?? (isFree ? ['.'] : [])), ...this.#givenBy(module)];
    this.#read.set(module, names);
    return names;
  }

  /** The names that a module gives to `inProject`. @param {string} module @returns {string[]} */
  #givenBy(module) {
    if (module === gate || !module.startsWith('test/')) return [];
    const text = readFileSync(path.join(this.#folder, module), 'utf8');
    return [...text.matchAll(calls)].map(([, ...literals]) => literals.find(Boolean) ?? '.');
  }

  /** @param {string} name @returns {readonly string[]} */
  #filesIn(name) {
    if (isInstalled(name)) return [];
    // A bundle that isn't among those of the tests.
    if (name === '.' || name.startsWith('out/')) return [...this.#files, ...this.#filesIn('dist')];
    if (name === 'dist' || name.startsWith('dist/')) return this.#filesOfBuild(name);
    let found = this.#folders.get(name);
    if (found === undefined) {
      found = this.#files.filter((file) => file === name || file.startsWith(`${name}/`));
      this.#folders.set(name, found);
    }
    return found.length > 0 ? found : [name];
  }

  /** @param {string} name @returns {readonly string[]} */
  #filesOfBuild(name) {
    const at = path.join(this.#folder, name);
    if (!existsSync(at) || !statSync(at).isDirectory()) return [name];
    return readdirSync(at, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
      .map((entry) => path.relative(this.#folder, path.join(entry.parentPath, entry.name)));
  }

  /** @param {string} file */
  #contentOf(file) {
    const hash =
      this.#sources.get(file) ?? this.#built.get(file) ?? hashOfFile(path.join(this.#folder, file));
    this.#built.set(file, hash);
    return hash;
  }
}

/** Which packages there are is known from package-lock.json. @param {string} file */
function isInstalled(file) {
  return file.startsWith('node_modules/') || file.includes('/node_modules/');
}

/** @param {string} file */
function hashOfFile(file) {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return 'none';
  }
}
