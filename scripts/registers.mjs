// @ts-check
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseJson } from './json.mjs';
import { projectFolder } from './paths.mjs';

/**
 * @typedef {{ rule: string, note?: string }} Rule of the protocol; a note says why it has no test
 * @typedef {{ section: string, promise: string, bound?: string, beyond?: string }} Promised of docs/security.md
 */

const docsFolder = path.join(projectFolder, 'docs');
const testFolder = path.join(projectFolder, 'test');

/** The names of tests and of their groups: the first string of a call, which may be on the next line. */
const testNames =
  /\b(?:it|describe|posixOnly|linuxOnly)\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
/** Marks of tests that get their names from a table. */
const marks = /^\s*\/\/ ((?:SEC-\d+(?:, )?)+)$/gm;
/** `PE-4`, `V2-MSG-3`, and ranges such as `INIT-1 to INIT-5`. */
const ids = /\b((?:V2-)?[A-Z]{2,6})-(\d+)(?: to \1-(\d+))?\b/g;

/** The rules of the protocol, by id; those of version 2 begin with `V2-`. @returns {Record<string, Rule>} */
export function rulesOfProtocol() {
  return parseJson(readFileSync(path.join(docsFolder, 'conformance.json'), 'utf8'));
}

/** What docs/security.md promises, in detail, by id. @returns {Record<string, Promised>} */
export function securityPromises() {
  return parseJson(readFileSync(path.join(docsFolder, 'security.json'), 'utf8'));
}

/**
 * The rules of the protocol for a client, one table for each version, each rule with the tests whose names have its id.
 *
 * @returns {string}
 */
export function conformancePage() {
  const tests = testsById();
  const all = Object.entries(rulesOfProtocol());
  const [first, second] = [false, true].map((isSecond) => {
    const rules = all.filter(([id]) => id.startsWith('V2-') === isSecond);
    const rows = rules.map(([id, { rule, note }]) => [
      id,
      rule,
      listOf(tests.get(id)) || note || 'open',
    ]);
    const tested = rules.filter(([id]) => tests.has(id)).length;
    return `${tested} of ${rules.length} are tested.\n\n${tableOf(['id', 'rule', 'tests'], rows)}`;
  });
  return `# Conformance

The rules of the Agent Client Protocol for clients, version 1, and the tests that prove them: a test's name has the ids
that it covers. ${first}

## Version 2

Version 2 is a draft. These are the rules of the schema in the SDK that the extension uses, where they bind a client.
What both versions share is in the table above. ${second}
`;
}

/** The promises of docs/security.md in detail, each with the tests that are marked with its id. @returns {string} */
export function securityPage() {
  const tests = testsById();
  const all = Object.entries(securityPromises());
  const sections = [...new Set(all.map(([, { section }]) => section))].map((section) => {
    const rows = all
      .filter(([, promised]) => promised.section === section)
      .map(([id, { promise, bound = '', beyond = '' }]) => [
        id,
        promise,
        bound,
        beyond,
        listOf(tests.get(id)),
      ]);
    return `## ${section}\n\n${tableOf(['id', 'promise', 'bound', 'beyond it', 'tests'], rows)}\n`;
  });
  return `# Promises and their tests\n\nThe details of docs/security.md.\n\n${sections.join('\n')}`;
}

/** @returns {Map<string, Set<string>>} files by id */
export function testsById() {
  /** @type {Map<string, Set<string>>} */
  const tests = new Map();
  for (const file of readdirSync(testFolder, { recursive: true, encoding: 'utf8' })) {
    // The demo agent's own tests cover the agent side of the protocol.
    if (!/\.tsx?$/.test(file) || file.startsWith(path.join('unit', 'demoAgent'))) continue;
    const text = readFileSync(path.join(testFolder, file), 'utf8');
    for (const [, ...names] of [...text.matchAll(testNames), ...text.matchAll(marks)]) {
      for (const id of idsOf(names.join(''))) {
        tests.set(id, (tests.get(id) ?? new Set()).add(`test/${file.replaceAll('\\', '/')}`));
      }
    }
  }
  return tests;
}

/**
 * The ids in the name of a test.
 *
 * @param {string} name
 */
export function idsOf(name) {
  return [...name.matchAll(ids)].flatMap(([, chapter, first, last = first]) =>
    Array.from(
      { length: Number(last) - Number(first) + 1 },
      (_, i) => `${chapter}-${Number(first) + i}`,
    ),
  );
}

/** @param {Set<string> | undefined} files */
function listOf(files) {
  return [...(files ?? [])]
    .sort()
    .map((file) => `\`${file}\``)
    .join(', ');
}

/** @param {string[]} head @param {string[][]} rows */
function tableOf(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = path.join(projectFolder, 'out', 'docs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'conformance.md'), conformancePage());
  writeFileSync(path.join(folder, 'security.md'), securityPage());
}
