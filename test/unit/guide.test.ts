import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { failureActions } from '../../src/shared/failure';
import { inProject } from '../support/project';

/** README.md is the page of the marketplace; docs/guide has the rest of what a user needs. */
const guide = readdirSync(inProject('docs/guide')).map((name) => `docs/guide/${name}`);
const pages = ['README.md', ...guide];

interface Manifest {
  readonly repository: { readonly url: string };
  readonly contributes: {
    readonly configuration: { readonly properties: object };
    readonly keybindings: readonly { readonly key: string }[];
  };
}

const read = (name: string): string => readFileSync(inProject(name), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;

/** The targets of links and pictures, outside of code. */
function targets(text: string): readonly string[] {
  const prose = text.replace(/```[^]*?```|`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchors(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Whether a page, a picture or an anchor is there; `target` is relative to the project. */
function leadsSomewhere(target: string): boolean {
  const [file = '', anchor] = target.split('#');
  if (!existsSync(inProject(file))) return false;
  return anchor === undefined || anchors(read(file)).includes(anchor);
}

const maxSizeOf = (picture: string): number => (picture.endsWith('.gif') ? 1000 : 160) * 1024;

describe('README.md and docs/guide', () => {
  it('can be read in a few minutes: no page has more than 900 words', () => {
    const words = (page: string): number => read(page).split(/\s+/).filter(Boolean).length;
    assert.deepEqual(
      pages
        .map((page) => `${page}: ${words(page)}`)
        .filter((row) => Number(row.split(' ')[1]) > 900),
      [],
    );
  });

  it('lead only to pages, headings and pictures that exist', () => {
    const broken = pages.flatMap((page) =>
      targets(read(page))
        .filter((target) => !target.startsWith('https:'))
        .map((target) =>
          target.startsWith('#') ? page + target : path.join(path.dirname(page), target),
        )
        .filter((target) => !leadsSomewhere(target))
        .map((target) => `${page}: ${target}`),
    );
    assert.deepEqual(broken, []);
  });

  it('are linked: each page from the guide’s first page, each picture from a page', () => {
    const linked = pages.flatMap((page) =>
      targets(read(page)).map((target) =>
        path.join(path.dirname(page), target.split('#')[0] ?? ''),
      ),
    );
    const pictures = readdirSync(inProject('docs/images')).map((name) => `docs/images/${name}`);
    assert.deepEqual(
      [...guide, ...pictures].filter((file) => !linked.includes(file)),
      [],
    );
    assert.deepEqual(
      pictures.filter((file) => statSync(inProject(file)).size > maxSizeOf(file)),
      [],
      'larger than 160 KB, or 1 MB if it moves',
    );
  });

  it('name every setting and every key, and no setting that isn’t there', () => {
    const settings = Object.keys(manifest.contributes.configuration.properties);
    const reference = read('docs/guide/keys-and-settings.md');
    assert.deepEqual(
      settings.filter((name) => !reference.includes(`| \`${name}\``)),
      [],
    );
    const keys = new Set(reference.toLowerCase().match(/(?<=`)[^`\n]+(?=`)/g));
    const sorted = (key: string): string => key.split('+').sort().join('+');
    const named = new Set([...keys].map(sorted));
    assert.deepEqual(
      manifest.contributes.keybindings
        .map(({ key }) => key)
        .filter((key) => !named.has(sorted(key))),
      [],
    );
    const mentioned = pages.flatMap((page) => read(page).match(/acpSessions(?:\.\w+)+/g) ?? []);
    assert.deepEqual(
      mentioned.filter((name) => !settings.includes(name)),
      [],
    );
  });

  it('are where the texts of VS Code’s own pages lead', () => {
    const repository = manifest.repository.url.replace(/\.git$/, '');
    const texts = read('package.nls.json') + read('package.nls.de.json');
    const links = targets(texts).filter((target) => target.includes('/docs/'));
    assert.ok(links.length > 20);
    const files = links.map((link) => link.replace(`${repository}/blob/main/`, ''));
    assert.deepEqual(
      files.filter((file) => !leadsSomewhere(file)),
      [],
    );
  });

  it('are where the failures lead, each to a page and a heading that say what to do', () => {
    const linked = Object.values(failureActions).flatMap((facts) =>
      'page' in facts ? [`docs/guide/${facts.page}`] : [],
    );
    assert.ok(linked.length > 5);
    assert.deepEqual(
      linked.filter((target) => !target.includes('#') || !leadsSomewhere(target)),
      [],
    );
  });
});
