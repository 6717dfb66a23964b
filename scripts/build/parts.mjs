// @ts-check
import { builtinModules } from 'node:module';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { rollup } from 'rollup';

/** @param {string} id */
const isGiven = (id) => id === 'vscode' || id.startsWith('node:') || builtinModules.includes(id);

/** @param {string} code */
async function minified(code) {
  const { code: made } = await esbuild.transform(code, {
    minify: true,
    format: 'cjs',
    charset: 'utf8',
  });
  return { code: made };
}

/**
 * Writes what a build with `splitting` makes as CommonJS, in as few files as possible: the entry with everything that it
 * needs to start, and a file for each `import()`. esbuild alone makes a hundred files of what the entry shares with its
 * parts (https://github.com/evanw/esbuild/issues/2901), each of which costs time at start. The build must not write.
 *
 * @param {{ minify: boolean }} options
 * @returns {esbuild.Plugin}
 */
export const inParts = ({ minify }) => ({
  name: 'in-parts',
  setup: (build) => {
    build.onEnd(async ({ errors, outputFiles = [] }) => {
      if (errors.length > 0) return;
      const files = new Map(outputFiles.map((file) => [file.path, file.text]));
      const [entry] = outputFiles.filter(
        ({ path: file }) => path.basename(file) === 'extension.js',
      );
      if (entry === undefined) throw new Error('The build made no extension.js');
      const made = await rollup({
        input: entry.path,
        external: isGiven,
        // esbuild has left out what isn't used.
        treeshake: false,
        // The entry exports to its parts what they share, so that it doesn't need a file beside it.
        preserveEntrySignatures: 'allow-extension',
        onwarn: ({ code, message }) => {
          if (code !== 'UNUSED_EXTERNAL_IMPORT') console.warn(message);
        },
        plugins: [
          {
            name: 'made-by-esbuild',
            resolveId: (id, importer) => (importer ? path.resolve(path.dirname(importer), id) : id),
            load: (id) => ({ code: files.get(id) ?? '', map: files.get(`${id}.map`) ?? null }),
            renderChunk: async (code) => (minify ? await minified(code) : null),
          },
        ],
      });
      await made.write({
        dir: path.dirname(entry.path),
        format: 'cjs',
        // With `require` instead: Node loads a part again that failed to load, and never tries `import()` twice.
        dynamicImportInCjs: false,
        generatedCode: 'es2015',
        // Without a copy of the hundreds of members of `vscode`.
        interop: (id) => (id === 'vscode' ? 'esModule' : 'default'),
        sourcemap: !minify,
        chunkFileNames: ({ name }) => `parts/${name.replace(/-[0-9A-Z]{8}$/, '')}.js`,
      });
      await made.close();
    });
  },
});
