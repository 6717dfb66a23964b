// @ts-check
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { inParts } from './scripts/build/parts.mjs';
import { keepBundled } from './scripts/release/bundled.mjs';
import { keepGraph } from './scripts/tests/graph.mjs';

/**
 * Builds every bundle. `node esbuild.mjs` builds the shipped bundles into `dist/`; `--tests unit` adds those of a suite
 * under `out/`, with what its tests start; `--production` minifies; `--watch` rebuilds everything on change.
 */
const { values: flags } = parseArgs({
  options: {
    production: { type: 'boolean', default: false },
    tests: { type: 'string', multiple: true, default: [] },
    watch: { type: 'boolean', default: false },
  },
});
const { production } = flags;

/** @type {esbuild.BuildOptions} */
const common = {
  bundle: true,
  sourcemap: production ? false : 'linked',
  minify: production,
  logLevel: 'warning',
  // A suite may have only tests or only programs.
  logOverride: { 'empty-glob': 'silent' },
  legalComments: 'none',
  metafile: true,
};

/** @type {{ platform: 'browser', target: string }} */
const browser = { platform: 'browser', target: 'chrome138' };

/** @type {esbuild.BuildOptions} */
const node = {
  ...common,
  platform: 'node',
  // VS Code has Node 22 by now, but tests run these programs in Node 20, and at either target they are the same.
  target: 'node20',
  format: 'cjs',
  charset: 'utf8',
};

/** Gives the search index's engine locks that don't outlive a crash. @type {esbuild.Plugin} */
const lockedFs = {
  name: 'locked-fs',
  setup: (build) => {
    const path = fileURLToPath(
      new URL('src/features/search/searchIndex/lockedFs.ts', import.meta.url),
    );
    build.onResolve({ filter: /^node:fs$/ }, ({ importer }) =>
      /[\\/]node-sqlite3-wasm[\\/]/.test(importer) ? { path } : undefined,
    );
  },
};

/**
 * Source files of programs that are embedded as text in another bundle, whose metafile omits them.
 * @type {Set<string>}
 */
const filesInTexts = new Set();

/**
 * Resolves an import of `program.ts?text` to the text of that program's bundle, which is built as an entry point of the
 * same name. The webview needs this for its worker, which can't be started from a URL.
 * @type {esbuild.Plugin}
 */
const asText = {
  name: 'as-text',
  setup: (build) => {
    build.onResolve({ filter: /\.ts\?text$/ }, ({ path: file, kind }) =>
      kind === 'entry-point'
        ? { path: path.resolve(file.replace('?text', '')), namespace: 'text' }
        : { path: `./${path.basename(file, '.ts?text')}.js`, external: true },
    );
    build.onLoad({ filter: /.*/, namespace: 'text' }, async ({ path: file }) => {
      const made = await esbuild.build({
        ...common,
        ...browser,
        sourcemap: false,
        format: 'iife',
        entryPoints: [file],
        write: false,
      });
      const text = JSON.stringify(made.outputFiles[0]?.text);
      const inputs = filesOf(made);
      for (const input of inputs) filesInTexts.add(input);
      const watchFiles = inputs.map((input) => path.resolve(input));
      return { contents: `export const text = ${text};`, watchFiles };
    });
  },
};

/** @type {esbuild.BuildOptions[]} */
const shipped = [
  {
    ...node,
    format: 'esm',
    splitting: true,
    minify: false,
    entryPoints: ['src/extension.ts'],
    outdir: 'dist',
    external: ['vscode'],
    // The browser build, which doesn't include a file reader.
    alias: { '@vscode/l10n': './node_modules/@vscode/l10n/dist/browser.js' },
    write: false,
    plugins: [inParts({ minify: production })],
  },
  {
    ...node,
    entryPoints: {
      demoAgent: 'src/demoAgent/main.ts',
      mcpBridge: 'src/features/editorTools/bridge/mcpBridge.ts',
      promptServer: 'src/features/prompts/server/main.ts',
      replayAgent: 'src/features/traces/replayAgent/main.ts',
      unpackWorker: 'src/features/registry/model/binary/unpackWorker.ts',
    },
    outdir: 'dist',
  },
  {
    ...node,
    entryPoints: {
      searchWorker: 'src/features/search/searchIndex/worker.ts',
      'node-sqlite3-wasm': './node_modules/node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm',
    },
    outdir: 'dist',
    loader: { '.wasm': 'copy' },
    plugins: [lockedFs],
  },
  {
    ...common,
    ...browser,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryPoints: {
      transcript: 'src/webview/main.tsx',
      comparison: 'src/webview/comparison/main.tsx',
      glance: 'src/webview/glance/main.tsx',
    },
    outdir: 'dist/webview',
    // No hashes: the names are unique.
    assetNames: '[name]',
    loader: { '.ttf': 'file' },
    plugins: [asText],
    // Compiled off the main thread while it streams in, rather than during the first render.
    banner: { js: '//# allFunctionsCalledOnLoad' },
  },
  {
    ...common,
    ...browser,
    format: 'esm',
    entryPoints: {
      diagramWorker: 'src/webview/diagrams/diagramWorker.ts?text',
      highlightWorker: 'src/webview/highlight/highlightWorker.ts?text',
      mathWorker: 'src/webview/math/mathWorker.ts?text',
    },
    outdir: 'dist/webview',
    plugins: [asText],
  },
];

/** Node programs of the tests: our code is bundled, packages are left to Node. @type {esbuild.BuildOptions} */
const testProgram = {
  ...common,
  minify: false,
  platform: 'node',
  target: 'node20',
  packages: 'external',
};

/** @param {string} suite */
const testModules = (suite) => ({
  ...testProgram,
  // What runs here runs without VS Code.
  alias: {
    vscode: './test/support/vscode/index.ts',
    'vscode-languageclient/node': './test/support/vscode/languageClient.ts',
  },
  // The stub has only the parts of the API that tests need.
  logOverride: { ...common.logOverride, 'import-is-undefined': /** @type {const} */ ('silent') },
  format: /** @type {const} */ ('esm'),
  splitting: true,
  jsx: /** @type {const} */ ('automatic'),
  jsxImportSource: 'preact',
  entryPoints: [
    `test/${suite}/**/*.test.ts`,
    `test/${suite}/**/*.test.tsx`,
    `test/${suite}/**/*.main.ts`,
  ],
  outdir: `out/${suite}`,
  outbase: `test/${suite}`,
  outExtension: { '.js': '.mjs' },
});

/** A test program that `require` loads. @type {esbuild.BuildOptions} */
const testScript = {
  ...testProgram,
  format: 'cjs',
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: `const importMetaUrl = require('node:url').pathToFileURL(__filename).href;` },
};

/** @type {esbuild.BuildOptions} */
const fakeAgent = {
  ...testScript,
  entryPoints: { fakeAgent: 'test/fakeAgent/main.ts' },
  outdir: 'out',
};

/** What programs of `test/<suite>` run in an extension host. @param {string} suite @returns {esbuild.BuildOptions} */
const inHost = (suite) => ({
  ...testScript,
  entryPoints: [`test/${suite}/inHost/*.ts`],
  outdir: `out/${suite}InHost`,
  external: ['vscode'],
});

/** @type {Record<string, readonly esbuild.BuildOptions[]>} */
const suites = {
  // With the soak in its short form.
  unit: [testModules('unit'), testModules('soak')],
  vscode: [
    {
      ...testScript,
      entryPoints: ['test/vscode/index.ts', 'test/vscode/**/*.test.ts'],
      outdir: 'out/vscode',
      outbase: 'test/vscode',
      packages: 'bundle',
      external: ['vscode', 'mocha'],
    },
  ],
  ui: [testModules('ui')],
  soak: [testModules('soak')],
  agents: [testModules('agents'), inHost('agents')],
  bench: [testModules('bench'), inHost('bench')],
};

/** The builds that the tests of these suites need, each once. @param {readonly string[]} names */
function testsOf(names) {
  const builds = new Set(names.flatMap((name) => suites[name] ?? []));
  return builds.size > 0 ? [fakeAgent, ...builds] : [];
}

/** A bundle's input files, including those that minification removes entirely. @param {esbuild.BuildResult} result */
function filesOf({ metafile }) {
  return Object.keys(metafile?.inputs ?? {});
}

/**
 * Reports when a build starts and when all bundles are built; VS Code's tasks wait for these lines.
 *
 * @param {number} count the number of builds, each of which runs once at the start
 * @returns {() => esbuild.Plugin} one plugin per build
 */
function reporter(count) {
  let running = count;
  console.log('[watch] build started');
  return () => ({
    name: 'reporter',
    setup: (build) => {
      let isFirst = true;
      build.onStart(() => {
        if (!isFirst && running++ === 0) console.log('[watch] build started');
        isFirst = false;
      });
      build.onEnd(() => {
        if (--running === 0) console.log('[watch] build finished');
      });
    },
  });
}

/** Rebuilds the bundles that a change affects, until the process ends. @param {esbuild.BuildOptions[]} all */
async function watch(all) {
  const report = reporter(all.length);
  for (const options of all) {
    const plugins = [...(options.plugins ?? []), report()];
    await (await esbuild.context({ ...options, plugins })).watch();
  }
}

/** Builds each bundle once, and records which files the shipped ones contain, and those of tests. */
async function buildOnce() {
  await rm('dist', { recursive: true, force: true });
  const wanted = [...shipped, ...testsOf(flags.tests)];
  // esbuild has printed the errors by then.
  const results = await Promise.all(wanted.map((options) => esbuild.build(options))).catch(() =>
    process.exit(1),
  );
  keepBundled([...results.slice(0, shipped.length).flatMap(filesOf), ...filesInTexts]);
  const tests = results.slice(shipped.length).flatMap(({ metafile }) => metafile ?? []);
  if (tests.length > 0) await keepGraph(tests);
}

await (flags.watch ? watch([...shipped, ...testsOf(Object.keys(suites))]) : buildOnce());
