// @ts-check
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseJson } from './json.mjs';
import { projectFolder } from './paths.mjs';

/** @typedef {{ rule: string, note?: string }} Item */

export const pageFile = path.join(projectFolder, 'docs', 'conformance.md');
const itemsFile = path.join(projectFolder, 'docs', 'conformance.json');
const testFolder = path.join(projectFolder, 'test');

/** The names of tests: the first string argument of an `it` call, which may be on the next line. */
const testNames = /\bit\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
/** `PE-4`, and ranges such as `INIT-1 to INIT-5`. */
const ids = /\b([A-Z]{2,5})-(\d+)(?: to \1-(\d+))?\b/g;

/**
 * The table of the protocol's rules for a client, each with the tests whose names contain its id.
 *
 * @returns {string}
 */
export function conformancePage() {
  /** @type {Record<string, Item>} */
  const items = parseJson(readFileSync(itemsFile, 'utf8'));
  const tests = testsById();
  const rows = Object.entries(items).map(([id, { rule, note }]) => {
    const files = [...(tests.get(id) ?? [])].sort();
    const status = files.length > 0 ? 'tested' : note ? 'not tested' : 'open';
    const where = files.map((file) => `\`${file}\``).join(', ');
    return `| ${id} | ${rule} | ${status} | ${where || (note ?? '')} |`;
  });
  const tested = rows.filter((row) => row.includes('| tested |')).length;
  return `# Conformance

The rules of the Agent Client Protocol, version 1, for a client, by id, and the tests that prove them: a
test says in its name which ids it covers. Made by \`npm run conformance\`; a test fails when this page is not
what that makes. ${tested} of ${rows.length} are tested.

| id | rule | status | tests |
|---|---|---|---|
${rows.join('\n')}
`;
}

/** @returns {Map<string, Set<string>>} files by id */
function testsById() {
  /** @type {Map<string, Set<string>>} */
  const tests = new Map();
  for (const file of readdirSync(testFolder, { recursive: true, encoding: 'utf8' })) {
    // The demo agent's own tests cover the agent side of the protocol.
    if (!/\.test\.tsx?$/.test(file) || file.includes('demoAgent')) continue;
    const text = readFileSync(path.join(testFolder, file), 'utf8');
    for (const [, ...names] of text.matchAll(testNames)) {
      for (const id of idsOf(names.join(''))) {
        tests.set(id, (tests.get(id) ?? new Set()).add(`test/${file.replaceAll('\\', '/')}`));
      }
    }
  }
  return tests;
}

/** @param {string} name */
function idsOf(name) {
  return [...name.matchAll(ids)].flatMap(([, chapter, first, last = first]) =>
    Array.from(
      { length: Number(last) - Number(first) + 1 },
      (_, i) => `${chapter}-${Number(first) + i}`,
    ),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(pageFile, conformancePage());
}
