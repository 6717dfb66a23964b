// @ts-check
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { keepBundled } from './scripts/release/bundled.mjs';

/**
 * Makes every bundle. `node esbuild.mjs` builds what ships into `dist/`; `--tests` adds the test
 * bundles under `out/`; `--production` minifies; `--watch` keeps making all of them.
 */
const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');

/** @type {esbuild.BuildOptions} */
const common = {
  bundle: true,
  sourcemap: production ? false : 'linked',
  minify: production,
  logLevel: 'warning',
  // A suite has tests, or programs, or both.
  logOverride: { 'empty-glob': 'silent' },
  legalComments: 'none',
  metafile: true,
};

/** @type {{ platform: 'browser', target: string }} */
const browser = { platform: 'browser', target: 'chrome138' };

/** @type {esbuild.BuildOptions} */
const node = { ...common, platform: 'node', target: 'node20', format: 'cjs', charset: 'utf8' };

/**
 * Leaves what isn't always needed to bundles of their own, which are loaded when it first is: what starts and speaks
 * with other programs with the first agent, and the SDK with it, the writer of Markdown with the first text, and what
 * belongs to prompts with the first of them.
 * @type {esbuild.Plugin}
 */
const separate = {
  name: 'separate',
  setup: (build) => {
    const loadedLater = [
      'src/model/transcript/transcriptText',
      'src/platform/programs',
      'src/prompts/prompts',
      'src/protocol/rpc/sdk',
    ].map((file) => path.resolve(file));
    build.onResolve({ filter: /^\..*\/(transcriptText|programs|prompts|sdk)$/ }, (imported) =>
      loadedLater.includes(path.resolve(imported.resolveDir, imported.path))
        ? { path: `./${path.basename(imported.path)}.js`, external: true }
        : undefined,
    );
  },
};

/**
 * One copy for all bundles that share a process: of the translations, and of the class of errors, which tells ours
 * from others.
 * @type {esbuild.Plugin}
 */
const shared = {
  name: 'shared',
  setup: (build) => {
    build.onResolve({ filter: /^@vscode\/l10n$/ }, () => ({ path: './l10n.js', external: true }));
    build.onResolve({ filter: /\/errors$/ }, ({ path: file, resolveDir }) =>
      path.resolve(resolveDir, file) === path.resolve('src/protocol/errors')
        ? { path: './errors.js', external: true }
        : undefined,
    );
  },
};

/** Gives the search index's engine locks that don't outlive a crash. @type {esbuild.Plugin} */
const lockedFs = {
  name: 'locked-fs',
  setup: (build) => {
    const path = fileURLToPath(new URL('src/searchIndex/lockedFs.ts', import.meta.url));
    build.onResolve({ filter: /^node:fs$/ }, ({ importer }) =>
      /[\\/]node-sqlite3-wasm[\\/]/.test(importer) ? { path } : undefined,
    );
  },
};

/** Files of programs that are only texts in another bundle, whose metafile doesn't name them. @type {Set<string>} */
const filesInTexts = new Set();

/**
 * What is imported as `program.ts?text` is the text of that program's bundle, which is made as an entry of that
 * name: a worker of the webview's, which can't be started by an address.
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
    entryPoints: { extension: 'src/extension.ts' },
    outdir: 'dist',
    external: ['vscode'],
    plugins: [separate, shared],
    // Its own short form is smaller than what a minifier can make of the long one.
    alias: { fuzzysort: './node_modules/fuzzysort/fuzzysort.min.js' },
  },
  { ...node, entryPoints: { errors: 'src/protocol/errors.ts' }, outdir: 'dist' },
  {
    ...node,
    entryPoints: { programs: 'src/platform/programs.ts' },
    outdir: 'dist',
    external: ['vscode'],
    plugins: [separate, shared],
  },
  { ...node, entryPoints: { sdk: 'src/protocol/rpc/sdk.ts' }, outdir: 'dist' },
  {
    ...node,
    entryPoints: { transcriptText: 'src/model/transcript/transcriptText.ts' },
    outdir: 'dist',
    plugins: [shared],
  },
  {
    ...node,
    entryPoints: { prompts: 'src/prompts/prompts.ts' },
    outdir: 'dist',
    external: ['vscode'],
    plugins: [shared],
  },
  // Its form for browsers, which needs no reader of files.
  {
    ...node,
    entryPoints: { l10n: './node_modules/@vscode/l10n/dist/browser.js' },
    outdir: 'dist',
  },
  { ...node, entryPoints: { demoAgent: 'src/demoAgent/main.ts' }, outdir: 'dist' },
  {
    ...node,
    entryPoints: { promptServer: 'src/promptServer/main.ts' },
    outdir: 'dist',
    alias: { fuzzysort: './node_modules/fuzzysort/fuzzysort.min.js' },
  },
  {
    ...node,
    entryPoints: {
      searchWorker: 'src/searchIndex/worker.ts',
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
    entryPoints: { transcript: 'src/webview/main.tsx' },
    outdir: 'dist/webview',
    // Without hashes, because there is one of each name.
    assetNames: '[name]',
    loader: { '.ttf': 'file' },
    plugins: [asText],
    // Compiled beside the main thread as it arrives, not in the midst of the first drawing.
    banner: { js: '//# allFunctionsCalledOnLoad' },
  },
  {
    ...common,
    ...browser,
    format: 'esm',
    entryPoints: { worker: 'src/webview/highlight/worker.ts?text' },
    outdir: 'dist/webview',
    plugins: [asText],
  },
];

/** Node programs of the tests: everything of ours bundled, packages left to Node. @type {esbuild.BuildOptions} */
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

/** @type {() => esbuild.BuildOptions[]} */
const tests = () => [
  testModules('unit'),
  testModules('ui'),
  testModules('bench'),
  // Runs without VS Code what is made for it.
  {
    ...testModules('soak'),
    alias: { vscode: './test/soak/vscode.ts' },
    // What isn't driven isn't there.
    logOverride: { ...common.logOverride, 'import-is-undefined': 'silent' },
  },
  {
    ...testProgram,
    format: 'cjs',
    entryPoints: { fakeAgent: 'test/fakeAgent/main.ts' },
    outdir: 'out',
  },
  {
    ...testProgram,
    format: 'cjs',
    entryPoints: ['test/vscode/index.ts', 'test/vscode/**/*.test.ts'],
    outdir: 'out/vscode',
    outbase: 'test/vscode',
    packages: 'bundle',
    external: ['vscode', 'mocha'],
  },
  {
    ...testProgram,
    format: 'cjs',
    entryPoints: ['test/bench/inHost/index.ts'],
    outdir: 'out/benchInHost',
    external: ['vscode'],
  },
];

/** The files that a bundle is made of, also those of which minifying leaves nothing. @param {esbuild.BuildResult} result */
function filesOf({ metafile }) {
  return Object.keys(metafile?.inputs ?? {});
}

/**
 * Says when bundles are being made and when all of them are, which VS Code's tasks wait for.
 *
 * @param {number} count how many builds there are, each of which is made once to begin with
 * @returns {() => esbuild.Plugin} one for each
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

/** Makes again whatever a change concerns, until the process ends. @param {esbuild.BuildOptions[]} all */
async function watch(all) {
  const report = reporter(all.length);
  for (const options of all) {
    const plugins = [...(options.plugins ?? []), report()];
    await (await esbuild.context({ ...options, plugins })).watch();
  }
}

/** Makes each bundle, and keeps what those that ship consist of. */
async function buildOnce() {
  await rm('dist', { recursive: true, force: true });
  const wanted = flags.has('--tests') ? [...shipped, ...tests()] : shipped;
  // What is wrong was printed by then.
  const results = await Promise.all(wanted.map((options) => esbuild.build(options))).catch(() =>
    process.exit(1),
  );
  keepBundled([...results.slice(0, shipped.length).flatMap(filesOf), ...filesInTexts]);
}

await (flags.has('--watch') ? watch([...shipped, ...tests()]) : buildOnce());
