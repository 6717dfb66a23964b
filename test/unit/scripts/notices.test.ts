import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../../scripts/paths.mjs';
import { bundledPackages, packageFoldersOf } from '../../../scripts/release/bundled.mjs';
import { noticesFile, noticesOf } from '../../../scripts/release/notices.mjs';
import { sbomOf } from '../../../scripts/release/sbom.mjs';

const dist = path.join(projectFolder, 'dist');
const notices = readFileSync(noticesFile, 'utf8');

function readJson(...names: string[]): unknown {
  return JSON.parse(readFileSync(path.join(projectFolder, ...names), 'utf8'));
}

/** The packages in the source maps, which esbuild writes independently of its metafile. */
function foldersInSourceMaps(): readonly string[] {
  const maps = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js.map'),
  );
  assert.ok(maps.length > 5, 'the bundles have source maps');
  return packageFoldersOf(
    maps.flatMap((map) => (readJson('dist', map) as { sources: string[] }).sources),
  );
}

describe('ThirdPartyNotices.txt', () => {
  it('is what the bundles contain (npm run notices)', () => {
    assert.equal(notices, noticesOf(bundledPackages()));
  });

  it('names every package that a source map, the page’s style sheet or a copied file comes from', () => {
    const named = new Set(bundledPackages().map(({ folder }) => folder));
    const shipped = [
      ...foldersInSourceMaps(),
      'node_modules/@vscode/codicons',
      'node_modules/highlight.js',
      'node_modules/node-sqlite3-wasm',
    ];
    assert.deepEqual(
      shipped.filter((folder) => !named.has(folder)),
      [],
    );
  });

  it('has the whole text of each license', () => {
    for (const { name, version, licenseTexts } of bundledPackages()) {
      assert.ok(notices.includes(`\n${name} ${version} (`), name);
      for (const { file, text } of licenseTexts) {
        assert.ok(text.length > 200 && notices.includes(text), `${name}: ${file}`);
      }
    }
  });

  it('is made of the packages of files, nested ones too', () => {
    const files = [
      'src/extension.ts',
      '../elsewhere/node_modules/preact/dist/preact.mjs',
      'node_modules/@preact/signals/dist/signals.mjs',
      'node_modules/preact/hooks/dist/hooks.mjs',
      'node_modules/lowlight/node_modules/highlight.js/lib/core.js',
    ];
    assert.deepEqual(packageFoldersOf(files), [
      'node_modules/@preact/signals',
      'node_modules/lowlight/node_modules/highlight.js',
      'node_modules/preact',
    ]);
  });
});

describe('the bill of materials', () => {
  const manifest = readJson('package.json') as Parameters<typeof sbomOf>[0];
  const lock = readJson('package-lock.json') as Parameters<typeof sbomOf>[2];

  it('has each package with its version, license and hash, and is the same each time', () => {
    const packages = bundledPackages();
    const sbom = sbomOf(manifest, packages, lock);
    assert.deepEqual(sbom, sbomOf(manifest, packages, lock));
    assert.equal(sbom.bomFormat, 'CycloneDX');
    const refs = sbom.components.map((component) => component['bom-ref']);
    assert.equal(new Set(refs).size, packages.length);
    assert.deepEqual(sbom.dependencies[0]?.dependsOn, refs);
    for (const { purl, hashes, licenses } of sbom.components) {
      assert.match(purl, /^pkg:npm\/(?:%40[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+/);
      assert.match(hashes[0]?.content ?? '', /^[0-9a-f]{128}$/);
      assert.equal(licenses.length, 1);
    }
  });

  it('says the scope of a package as its group', () => {
    const [bundled] = bundledPackages().filter(({ name }) => name === '@vscode/l10n');
    assert.ok(bundled);
    const [component] = sbomOf(manifest, [bundled], lock).components;
    assert.equal(component?.purl, `pkg:npm/%40vscode/l10n@${bundled.version}`);
    assert.deepEqual(
      { ...component, hashes: [] },
      {
        type: 'library',
        'bom-ref': component.purl,
        group: '@vscode',
        name: 'l10n',
        version: bundled.version,
        hashes: [],
        licenses: [{ license: { id: 'MIT' } }],
        purl: component.purl,
      },
    );
  });
});
