// @ts-check
import { readFileSync } from 'node:fs';

/** Files that a package must contain, by exact name. */
const required = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/LICENSE.txt',
  'extension/ThirdPartyNotices.txt',
  'extension/changelog.md',
  'extension/package.json',
  'extension/package.nls.json',
  'extension/readme.md',
  'extension/media/icon.png',
  ...[
    'demoAgent',
    'extension',
    'mcpBridge',
    'promptServer',
    'replayAgent',
    'searchWorker',
    'unpackWorker',
    'webview/diagramWorker',
    'webview/comparison',
    'webview/glance',
    'webview/transcript',
    'webview/highlightWorker',
    'webview/mathWorker',
  ].map((name) => `extension/dist/${name}.js`),
  'extension/dist/node-sqlite3-wasm.wasm',
  'extension/dist/webview/codicon.ttf',
  'extension/dist/webview/comparison.css',
  'extension/dist/webview/glance.css',
  'extension/dist/webview/transcript.css',
];

/** Files that it may also contain, in any number. */
const allowed = [
  /^extension\/dist\/parts\/\w+\.js$/,
  /^extension\/media\/(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:png|svg|json)$/,
  /^extension\/package\.nls\.[a-z-]+\.json$/,
  /^extension\/l10n\/bundle\.l10n\.[a-z-]+\.json$/,
];

/**
 * The files that are in a package but shouldn't be, and those that should be but aren't.
 *
 * @param {readonly string[]} names
 * @returns {{ unexpected: string[], missing: string[] }}
 */
export function compareContents(names) {
  const isExpected = (/** @type {string} */ name) =>
    required.includes(name) || allowed.some((pattern) => pattern.test(name));
  return {
    unexpected: names.filter((name) => !isExpected(name)),
    missing: required.filter((name) => !names.includes(name)),
  };
}

/**
 * The files in a package, which is a ZIP archive, according to its central directory.
 *
 * @param {string} file
 * @returns {{ name: string, bytes: number }[]} sorted by name; `bytes` is the uncompressed size
 */
export function contentsOf(file) {
  const archive = readFileSync(file);
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0) throw new Error(`${file} is not a ZIP archive.`);
  const entries = [];
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const nameEnd = at + 46 + archive.readUInt16LE(at + 28);
    entries.push({
      name: archive.toString('utf8', at + 46, nameEnd),
      bytes: archive.readUInt32LE(at + 24),
    });
    at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
