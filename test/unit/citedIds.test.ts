import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { rulesOfProtocol, securityPromises } from '../../scripts/registers.mjs';
import { inProject } from '../support/project';

/**
 * Letters, a hyphen and a number, as in `LIST-7`, or `V2-LIST-1` for version 2 of the protocol; not within a longer word,
 * and not line ranges such as `#L10-20`.
 */
const ids = /(?<![\w#-])(?:V2-)?[A-Z][A-Z\d]*-\d+(?![\w-])/g;
/** Texts that look like ids but aren't: names of encodings, standards and models; a title in a test. */
const lookalikes = /^(?:UTF|SHA|MD|ISO|RFC|GPT|CVE|ES|CI)-/;

/** The first cell of a row, if it is an id. */
const definitions = /^\| ((?:V2-)?[A-Z]+-\d+) \|/gm;

function filesIn(folder: string, endings: RegExp): readonly string[] {
  return readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => endings.test(file))
    .map((file) => path.posix.join(folder, file.replaceAll('\\', '/')));
}

function citedIn(file: string): readonly string[] {
  const found = readFileSync(inProject(file), 'utf8').match(ids) ?? [];
  return [...new Set(found)].filter((id) => !lookalikes.test(id));
}

const pages = [...filesIn('docs', /\.md$/), ...filesIn('src', /\.md$/)];
const inRows = pages.flatMap((page) =>
  [...readFileSync(inProject(page), 'utf8').matchAll(definitions)].map(([, id = '']) => id),
);
const defined = new Set([
  ...inRows,
  ...Object.keys({ ...rulesOfProtocol(), ...securityPromises() }),
]);

describe('the ids that code and tests cite', () => {
  it('are defined: in a register, or as the first cell of a row of a page of docs or beside the code', () => {
    assert.ok(defined.size > 300, `${defined.size} ids are defined`);
    const code = ['src', 'test', 'scripts'].flatMap((folder) =>
      filesIn(folder, /\.(?:tsx?|mjs|css)$/),
    );
    const unknown = [...pages, 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...code].flatMap((file) =>
      citedIn(file)
        .filter((id) => !defined.has(id))
        .map((id) => `${file}: ${id}`),
    );
    assert.deepEqual(unknown, []);
  });

  it('have one row each', () => {
    assert.deepEqual(
      inRows.filter((id, index) => inRows.indexOf(id) !== index),
      [],
    );
  });

  it('are found in a file that their row names', () => {
    const text = pages.map((page) => readFileSync(inProject(page), 'utf8')).join('\n');
    for (const [row, id = ''] of text.matchAll(/^\| ([A-Z]+-\d+) \|.*$/gm)) {
      const files = [...row.matchAll(/`((?:src|test)\/[\w./-]+\.tsx?)`/g)].map(
        ([, file = '']) => file,
      );
      assert.deepEqual(
        files.filter((file) => !existsSync(inProject(file))),
        [],
      );
      assert.ok(
        files.some((file) => citedIn(file).includes(id)),
        `no file of the row cites ${id}`,
      );
    }
  });
});
