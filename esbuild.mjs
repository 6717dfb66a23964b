// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { keepBundled } from './scripts/release/bundled.mjs';

/**
 * Builds every bundle. `node esbuild.mjs` builds the shipped bundles into `dist/`; `--tests` adds
 * the test bundles under `out/`; `--production` minifies; `--watch` rebuilds everything on change.
 */
const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');

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
  target: 'node20',
  format: 'cjs',
  charset: 'utf8',
  // With `require` instead: a bundle that failed to load is loaded again, and Node never tries `import()` twice.
  supported: { 'dynamic-import': false },
};

/**
 * Rarely needed code, in bundles that are loaded on first use: the code that starts and talks to other programs and the
 * SDK with the first agent, the Markdown writer with the first text, everything about prompts with the first prompt,
 * the review with the first change that waits for it, branching with the first branch, rules that name commands or
 * paths with the first request that they decide about, what remembers lists once one was read, what caches transcripts
 * and MCP servers with the first open session, the view of all sessions when it is first shown, signing in with the first
 * login, connections to other machines with the first agent there, and what asks for its folder with the first session
 * there, what finds sessions and files when one is first looked for, what reaches a user who is away when there is
 * something to tell, diagnoses, traces and the server of a shared agent with the first one, version 2 of the protocol
 * with the first agent that may speak it, and rare commands when they are first run.
 */
const loadedLater = [
  'src/commands/agents/setup/agentSetup',
  'src/commands/agents/agentTrouble',
  'src/commands/session/askRemoteFolder',
  'src/commands/session/branchSession',
  'src/commands/session/bulk/bulkCommands',
  'src/commands/session/continueInTerminal',
  'src/commands/session/sessionFolder',
  'src/commands/session/useAsDefaults',
  'src/commands/sharing/sharing',
  'src/commands/traces/traces',
  'src/commands/view/filterSessions',
  'src/commands/worktrees/worktreeCommands',
  'src/model/memory/listMemory',
  'src/model/registry/binary/unpackWorker',
  'src/model/rules/specificRules',
  'src/model/session/defaults',
  'src/model/cachedTranscripts/transcriptCache',
  'src/model/transcript/transcriptText',
  'src/platform/mcp/vsCodeMcpServers',
  'src/platform/programs',
  'src/platform/remote/remoteAgents',
  'src/platform/review/recording',
  'src/prompts/prompts',
  'src/protocol/rpc/sdk',
  'src/protocol/v2/version2',
  'src/views/notifications/away',
  'src/views/diagnosis/diagnosisView',
  'src/views/dialogs/login',
  'src/views/glance/glanceView',
  'src/views/picker/sessionPicker',
  'src/views/review/reviewing',
  'src/views/transcript/composer/fileSearch',
].map((file) => path.resolve(file));

/** Leaves those to their own bundles. @type {esbuild.Plugin} */
const separate = {
  name: 'separate',
  setup: (build) => {
    const names = loadedLater.map((file) => path.basename(file));
    build.onResolve({ filter: new RegExp(`^\\..*/(${names.join('|')})$`) }, (imported) =>
      loadedLater.includes(path.resolve(imported.resolveDir, imported.path))
        ? { path: `./${path.basename(imported.path)}.js`, external: true }
        : undefined,
    );
  },
};

/**
 * Shares one copy among all bundles that run in the same process: of the translations, of what ranks texts, and of the
 * error classes, so that `instanceof` works across bundles.
 * @type {esbuild.Plugin}
 */
const shared = {
  name: 'shared',
  setup: (build) => {
    build.onResolve({ filter: /^(?:@vscode\/l10n|fuzzysort)$/ }, ({ path: file }) => ({
      path: `./${path.basename(file)}.js`,
      external: true,
    }));
    build.onResolve({ filter: /\/errors$/ }, ({ path: file, resolveDir }) =>
      path.resolve(resolveDir, file) === path.resolve('src/protocol/errors')
        ? { path: './errors.js', external: true }
        : undefined,
    );
  },
};

/**
 * Lets the modules of a bundle share one namespace object of `vscode`. Otherwise each of them makes its own at start,
 * which copies hundreds of members.
 * @type {esbuild.Plugin}
 */
const oneNamespace = {
  name: 'one-namespace',
  setup: (build) => {
    build.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'vscode'
        ? { path: 'vscode', external: true }
        : { path: 'vscode', namespace: 'vscode' },
    );
    build.onLoad({ filter: /.*/, namespace: 'vscode' }, () => ({
      contents: "export * from 'vscode';",
    }));
  },
};

/** What the versions of the protocol have in common, as one module that their bundles share. */
const shapesFolder = path.resolve('src/protocol/shapes');
const shapesFiles = readdirSync(shapesFolder);
const shapes = shapesFiles
  .map((file) => `export * from './src/protocol/shapes/${path.basename(file, '.ts')}';`)
  .join('\n');

// Of two exports with the same name, such a module would have none.
const exported = shapesFiles.flatMap((file) =>
  [
    ...readFileSync(path.join(shapesFolder, file), 'utf8').matchAll(
      /^export (?:[a-z]+ )*?(?:function|const|class) (\w+)/gm,
    ),
  ].map(([, name]) => name),
);
const twice = exported.find((name, index) => exported.indexOf(name) !== index);
if (twice !== undefined) throw new Error(`${twice} is exported twice in src/protocol/shapes`);

/** @type {esbuild.Plugin} */
const sharedShapes = {
  name: 'shared-shapes',
  setup: (build) => {
    build.onResolve({ filter: /\/\w+$/ }, ({ path: file, resolveDir }) =>
      path.dirname(path.resolve(resolveDir, file)) === shapesFolder && resolveDir !== shapesFolder
        ? { path: './shapes.js', external: true }
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
    entryPoints: ['src/extension.ts', ...loadedLater.map((file) => `${file}.ts`)],
    // All side by side.
    entryNames: '[name]',
    outdir: 'dist',
    plugins: [separate, shared, sharedShapes, oneNamespace],
  },
  {
    ...node,
    stdin: { contents: shapes, resolveDir: '.', loader: 'ts' },
    outfile: 'dist/shapes.js',
    plugins: [shared],
  },
  { ...node, entryPoints: { errors: 'src/protocol/errors.ts' }, outdir: 'dist' },
  // The browser build, which doesn't include a file reader.
  {
    ...node,
    entryPoints: {
      l10n: './node_modules/@vscode/l10n/dist/browser.js',
      // Its own minified build is smaller than what esbuild makes of the full source.
      fuzzysort: './node_modules/fuzzysort/fuzzysort.min.js',
    },
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
    entryPoints: { transcript: 'src/webview/main.tsx', glance: 'src/webview/glance/main.tsx' },
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
    entryPoints: { worker: 'src/webview/highlight/worker.ts?text' },
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
  // Runs the extension's code without VS Code.
  {
    ...testModules('soak'),
    alias: { vscode: './test/soak/vscode.ts' },
    // The stub has only the parts of the API that the soak test drives.
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
    entryPoints: ['test/bench/inHost/*.ts'],
    outdir: 'out/benchInHost',
    external: ['vscode'],
  },
];

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

/** Builds each bundle once, and records which files the shipped ones contain. */
async function buildOnce() {
  await rm('dist', { recursive: true, force: true });
  const wanted = flags.has('--tests') ? [...shipped, ...tests()] : shipped;
  // esbuild has printed the errors by then.
  const results = await Promise.all(wanted.map((options) => esbuild.build(options))).catch(() =>
    process.exit(1),
  );
  keepBundled([...results.slice(0, shipped.length).flatMap(filesOf), ...filesInTexts]);
}

await (flags.has('--watch') ? watch([...shipped, ...tests()]) : buildOnce());
