import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { projectFolder } from '../../scripts/paths.mjs';

/** A call of `l10n.t`: the key of its text in the bundles, and its placeholders' values. */
interface Text {
  readonly place: string;
  readonly key: string;
  readonly message: string;
  /** The number of values; absent if they are spread. */
  readonly values?: number;
}

const bundles = readdirSync(path.join(projectFolder, 'l10n'));

describe('texts', function () {
  // Reads all source files.
  this.timeout(60_000);

  it('are literals, with a value for each of their places', () => {
    for (const { place, message, values } of texts()) {
      const places = new Set(placesOf(message));
      const wanted = places.size === 0 ? 0 : Math.max(...[...places].map(Number)) + 1;
      assert.equal(places.size, wanted, `${place}: “${message}” leaves a number out`);
      if (values !== undefined) {
        assert.equal(values, wanted, `${place}: “${message}” gets ${values} values`);
      }
    }
  });

  for (const name of bundles) {
    it(`are all in ${name}, and nothing else is`, () => {
      const bundle = readJson('l10n', name);
      const wanted = new Map(texts().map(({ key, message }) => [key, message]));
      assert.deepEqual(missing(wanted.keys(), bundle), [], 'not translated');
      assert.deepEqual(missing(bundle.keys(), wanted), [], 'no longer used');
      assert.deepEqual(repeatedKeys(read('l10n', name)), [], 'twice');
      for (const [key, message] of wanted) {
        assert.deepEqual(placesOf(bundle.get(key) ?? ''), placesOf(message), key);
      }
    });
  }
});

describe('texts of the manifest', () => {
  const english = readJson('package.nls.json');

  it('are named where they are used, and used where they are named', () => {
    const used = new Set(
      [...read('package.json').matchAll(/"%([^"%]+)%"/g)].map(([, key]) => String(key)),
    );
    assert.deepEqual(missing(used, english), [], 'not there');
    assert.deepEqual(missing(english.keys(), used), [], 'not used');
  });

  for (const bundle of bundles) {
    const name = bundle.replace('bundle.l10n', 'package.nls');
    it(`are all in ${name}, with the same links, settings and code`, () => {
      assert.deepEqual(repeatedKeys(read(name)), [], 'twice');
      const translated = readJson(name);
      assert.deepEqual([...translated.keys()].toSorted(), [...english.keys()].toSorted());
      for (const [key, text] of english) {
        assert.deepEqual(marksOf(translated.get(key) ?? ''), marksOf(text), key);
      }
    });
  }
});

let allTexts: readonly Text[] | undefined;

/** Read once for all tests. */
function texts(): readonly Text[] {
  allTexts ??= readTexts();
  return allTexts;
}

function readTexts(): readonly Text[] {
  const folder = path.join(projectFolder, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('demoAgent'))
    .flatMap((name) => textsOf(path.join(folder, name)));
}

function textsOf(file: string): readonly Text[] {
  const text = readFileSync(file, 'utf8');
  // Most files have none, and to parse them all takes seconds.
  if (!/l10n\s*\.\s*t\b/.test(text)) {
    return [];
  }
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Text[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(vscode\.)?l10n\.t$/.test(node.expression.getText())) {
      found.push(textOf(node, file));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function textOf({ arguments: [first, ...values] }: ts.CallExpression, file: string): Text {
  const place = path.relative(projectFolder, file);
  const counted = values.some(ts.isSpreadElement) ? {} : { values: values.length };
  if (first !== undefined && ts.isObjectLiteralExpression(first)) {
    const parts = literals(first);
    const [message, ...comment] = parts;
    assert.ok(message !== undefined, `${place}: ${first.getText()}`);
    return { place, message, key: `${message}/${comment.join('')}`, values: 0 };
  }
  assert.ok(first && ts.isStringLiteralLike(first), `${place}: ${first?.getText()} is no literal`);
  return { place, message: first.text, key: first.text, ...counted };
}

function literals(node: ts.Node): string[] {
  const found: string[] = [];
  ts.forEachChild(node, (child) => {
    found.push(...(ts.isStringLiteralLike(child) ? [child.text] : literals(child)));
  });
  return found;
}

function placesOf(text: string): string[] {
  return [
    ...new Set([...text.matchAll(/\{(\d+)\}/g)].map(([, place]) => String(place))),
  ].toSorted();
}

/**
 * The parts of a text that must be the same in every language: link targets, settings, variables,
 * code.
 */
function marksOf(text: string): string[] {
  return [...text.matchAll(/\]\([^)]*\)|#[\w.]+#|\$\{[^}]*\}|`[^`]*`/g)]
    .map(([mark]) => mark)
    .toSorted();
}

/** The keys that a bundle has more than once, which `JSON.parse` doesn't tell. */
function repeatedKeys(json: string): string[] {
  const keys = [...json.matchAll(/^\s*"((?:[^"\\]|\\.)*)":/gm)].map(([, key]) => String(key));
  return keys.filter((key, index) => keys.indexOf(key) !== index);
}

function missing(keys: Iterable<string>, from: { has(key: string): boolean }): string[] {
  return [...keys].filter((key) => !from.has(key));
}

function read(...names: string[]): string {
  return readFileSync(path.join(projectFolder, ...names), 'utf8');
}

function readJson(...names: string[]): Map<string, string> {
  return new Map(Object.entries(JSON.parse(read(...names)) as Record<string, string>));
}
