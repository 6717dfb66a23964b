import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { inProject } from '../support/project';

/**
 * ARCHITECTURE.md is a map: everything that it names must exist, and every folder must be on it.
 */
const page = readFileSync(inProject('ARCHITECTURE.md'), 'utf8');

/** Rows of the table of folders: the name, and the layers that the folder may import from. */
function mappedFolders(): ReadonlyMap<string, string> {
  const rows = page.matchAll(/^\| `src\/([\w.]+)` \| .* \| ([^|]*) \|$/gm);
  return new Map([...rows].map(([, folder, imports]) => [folder ?? '', imports ?? '']));
}

/** Inline code that looks like a path in this repository. */
function namedPaths(text: string): readonly string[] {
  const code = [...text.matchAll(/`([^`\n]+)`/g)].map(([, inline]) => inline ?? '');
  return code.filter((inline) => /^(src|test|media|scripts|docs)\/[\w./-]+$/.test(inline));
}

/** The paths of the pages that a page links to. */
function linkedPages(file: string, text: string): readonly string[] {
  const links = text.matchAll(/\]\(([\w./-]+\.md)\)/g);
  return [...links].map(([, link]) => path.join(path.dirname(file), link ?? ''));
}

interface LayerRules {
  readonly forbidden: readonly {
    readonly name: string;
    readonly to: { readonly pathNot?: readonly string[] };
  }[];
}

/** The folders that the dependency-cruiser rule of a folder allows it to import from. */
function allowedImports(folder: string): readonly string[] | undefined {
  const load = createRequire(inProject('package.json'));
  const { forbidden } = load('./.dependency-cruiser.cjs') as LayerRules;
  const patterns = forbidden.find(({ name }) => name === `layer-${folder}`)?.to.pathNot;
  return patterns
    ?.map((pattern) => pattern.replace(/^\^src\/|\/$/g, ''))
    .filter((name) => name !== folder);
}

describe('ARCHITECTURE.md', () => {
  it('maps every folder of src, and no other', () => {
    const folders = readdirSync(inProject('src')).filter((name) => name !== 'extension.ts');
    const mapped = [...mappedFolders().keys()].filter((name) => name !== 'extension.ts');
    assert.deepEqual(mapped.sort(), folders.sort());
  });

  it('says of each folder what the lint rules say', () => {
    for (const [folder, imports] of mappedFolders()) {
      if (folder !== 'extension.ts') {
        const named = [...imports.matchAll(/`(\w+)`/g)].map(([, name]) => name);
        assert.deepEqual(named, allowedImports(folder), `src/${folder}`);
      }
    }
  });

  it('names only files and folders that exist', () => {
    assert.deepEqual(
      namedPaths(page).filter((file) => !existsSync(inProject(file))),
      [],
    );
  });

  it('finds one file by each name, except where folders that are alike each have one', () => {
    const alike = [
      'index.ts, main.ts, main.tsx, worker.ts, l10n.ts',
      'register.ts, commandIds.ts, contextKeys.ts, settings.ts',
    ].flatMap((names) => names.split(', '));
    const names = readdirSync(inProject('src'), { recursive: true, encoding: 'utf8' })
      // The versions of the protocol are alike.
      .filter((file) => /\.tsx?$/.test(file) && !/^protocol.v2/.test(file))
      .map((file) => path.basename(file));
    const twice = names.filter((name, at) => names.indexOf(name) !== at && !alike.includes(name));
    assert.deepEqual(twice, []);
  });

  it('can be read in ten minutes', () => {
    assert.ok(page.split(/\s+/).length <= 1500);
  });

  it('links to the page of each feature and layer that has one, which name only what there is', () => {
    const features = readdirSync(inProject('src/features'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `src/features/${name}/README.md`);
    const layers = ['core', 'model', 'protocol', 'views'].map((layer) => `src/${layer}/README.md`);
    const pages = [...layers, ...features].sort();
    const linked = linkedPages('ARCHITECTURE.md', page);
    assert.deepEqual(linked.filter((file) => file.startsWith('src/')).sort(), pages);
    const files = readdirSync(inProject('src'), { recursive: true }).map(
      (file) => `/${String(file)}`,
    );
    for (const file of pages) {
      const text = readFileSync(inProject(file), 'utf8');
      const paths = [...namedPaths(text), ...linkedPages(file, text)];
      const names = [...text.matchAll(/`((?!src\/|test\/)[\w/]+\.tsx?)`/g)].map(([, name]) => name);
      assert.deepEqual(
        [
          ...paths.filter((named) => !existsSync(inProject(named))),
          ...names.filter((name) => !files.some((known) => known.endsWith(`/${name}`))),
        ],
        [],
        file,
      );
    }
  });

  it('links to each decision, and to nothing that is not there; so do those pages', () => {
    const decisions = readdirSync(inProject('docs/decisions')).map((name) =>
      path.join('docs/decisions', name),
    );
    const linked = linkedPages('ARCHITECTURE.md', page);
    assert.deepEqual(
      decisions.filter((file) => !linked.includes(file)),
      [],
    );
    const texts = decisions.map((file) => [file, readFileSync(inProject(file), 'utf8')] as const);
    const named = texts.flatMap(([file, text]) => [
      ...namedPaths(text),
      ...linkedPages(file, text),
    ]);
    assert.deepEqual(
      [...linked, ...named].filter((file) => !existsSync(inProject(file))),
      [],
    );
  });

  it('names for each invariant a file of tests', () => {
    const invariants = page.slice(
      page.indexOf('## What must always hold'),
      page.indexOf('## Where to add what'),
    );
    const rows = [...invariants.matchAll(/^\d+\. [^]*?(?=^\d+\. |\n\n|$(?![^]))/gm)].map(
      ([row]) => row,
    );
    assert.ok(rows.length >= 7, 'the list of invariants is there');
    for (const row of rows) {
      const files = [...row.matchAll(/`(test\/[\w./-]+\.ts)`/g)].map(([, file]) => file ?? '');
      assert.ok(files.length > 0, `no test is named for: ${row}`);
      assert.ok(
        files.every((file) => statSync(inProject(file)).isFile()),
        row,
      );
    }
  });

  it('has no branch on the version that an agent speaks: only what shows it, records it or hands it on reads it', () => {
    const layers = [
      'model',
      'platform',
      'views',
      'commands',
      'core',
      'features',
      'webview',
      'shared',
    ];
    const files = layers.flatMap((layer) =>
      readdirSync(path.join(inProject('src'), layer), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name))
        .map((name) => path.posix.join('src', layer, name.split(path.sep).join('/'))),
    );
    assert.ok(files.length > 500);
    assert.deepEqual(
      // That of the Model Context Protocol is another one.
      files
        .filter((file) =>
          /(?<!modelcontextprotocol\/)protocolVersion/.test(readFileSync(inProject(file), 'utf8')),
        )
        .sort(),
      [
        'src/features/diagnosis/model/diagnosis.ts',
        'src/features/diagnosis/model/report.ts',
        'src/features/remote/model/remoteConnection.ts',
        'src/features/traces/model/openedTrace.ts',
        'src/features/traces/recordings.ts',
        'src/features/traces/replayAgent/replayAgent.ts',
      ],
    );
  });
});
