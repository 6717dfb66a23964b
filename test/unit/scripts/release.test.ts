import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectFolder } from '../../../scripts/paths.mjs';
import { hasDay, sectionOf } from '../../../scripts/release/changelog.mjs';
import { isPreRelease, whatStops } from '../../../scripts/release/checks.mjs';
import {
  addressesOf,
  hasPlaceholder,
  placeholderOwner,
  repositoryOf,
} from '../../../scripts/release/identity.mjs';
import { markets, packaging, publishing } from '../../../scripts/release/publish.mjs';
import { compareContents, contentsOf } from '../../../scripts/release/vsix.mjs';

type State = Parameters<typeof whatStops>[0];

const read = (...names: string[]): string =>
  readFileSync(path.join(projectFolder, ...names), 'utf8');

const manifest = JSON.parse(read('package.json')) as State['manifest'];

const placeholder = `https://github.com/${placeholderOwner}/acp-sessions`;

const changelog = `# Changelog

## [Unreleased]

## [1.2.0] - 2026-11-22

### Added

- Something.

## [1.1.0] - 2026-10-01

- Something else.
`;

/** The state of a commit from which 1.2.0 may be released. */
const good: State = {
  manifest: {
    ...{ name: 'acp-sessions', version: '1.2.0', publisher: 'someone' },
    ...addressesOf('https://github.com/someone/acp-sessions'),
  },
  lockVersion: '1.2.0',
  changelog,
  tags: ['v1.2.0'],
  changedFiles: [],
};

describe('a release', () => {
  it('goes out from a tagged commit whose version, changelog and addresses agree', () => {
    assert.deepEqual(whatStops(good), []);
  });

  const stopped: readonly [string, Partial<State>, RegExp][] = [
    [
      'the repository is a placeholder',
      {
        manifest: { ...good.manifest, ...addressesOf(placeholder) },
      },
      /placeholder.*npm run identity/,
    ],
    [
      'an address is another repository’s',
      { manifest: { ...good.manifest, homepage: 'https://example.com' } },
      /"homepage".*isn't the repository's/,
    ],
    [
      'the manifest is private',
      { manifest: { ...good.manifest, private: true } },
      /neither "private" nor "sponsor"/,
    ],
    ['the tag is another', { tags: ['v1.2.1', 'nightly'] }, /no tag v1\.2\.0/],
    ['the lock file is of another version', { lockVersion: '1.1.0' }, /package-lock\.json/],
    [
      'the changelog has nothing about it',
      { changelog: '## [1.1.0] - 2026-10-01\n\n- x' },
      /nothing about 1\.2\.0/,
    ],
    [
      'the changelog doesn’t say the day',
      { changelog: changelog.replace(' - 2026-11-22', '') },
      /the day of 1\.2\.0/,
    ],
    [
      'changes aren’t under a version yet',
      { changelog: changelog.replace('[Unreleased]\n', '[Unreleased]\n\n- New.\n') },
      /under \[Unreleased\]/,
    ],
    ['something isn’t committed', { changedFiles: ['src/a.ts'] }, /Not committed: src\/a\.ts/],
  ];
  for (const [what, change, sentence] of stopped) {
    it(`is stopped when ${what}`, () => {
      const problems = whatStops({ ...good, ...change });
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.match(problems[0] ?? '', sentence);
    });
  }

  it('is stopped when the marketplaces don’t know such versions', () => {
    const version = '1.2.0-beta.1';
    const [problem] = whatStops({ ...good, manifest: { ...good.manifest, version } });
    assert.match(problem ?? '', /is not a version that the marketplaces accept/);
  });

  it('is a pre-release when the middle number is odd', () => {
    assert.ok(isPreRelease('0.1.0') && isPreRelease('1.11.4'));
    assert.ok(!isPreRelease('0.2.0') && !isPreRelease('1.10.1'));
    const file = 'out/release/x.vsix';
    const args = (version: string, preRelease: boolean) =>
      packaging({ version, preRelease, file }).args;
    assert.ok(args('1.1.0', true).includes('--pre-release'));
    assert.ok(!args('1.2.0', false).includes('--pre-release'));
    assert.deepEqual(args('1.2.0', false).slice(-4), ['--githubBranch', 'v1.2.0', '--out', file]);
  });

  it('passes no secret to a program as an argument, and publishes the package that was built', () => {
    for (const market of markets) {
      const { args } = publishing(market, 'out/release/x.vsix');
      assert.ok(args.includes('out/release/x.vsix'));
      assert.ok(!args.some((argument) => /^(?:-p|--pat)$/.test(argument)));
    }
  });

  it('runs only programs that package-lock.json pins, because some get to see a token', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { integrity?: string }>;
    };
    const built = { version: '1.2.0', preRelease: false, file: 'x.vsix' };
    for (const { command, args } of [
      packaging(built),
      ...markets.map((market) => publishing(market, 'x.vsix')),
    ]) {
      const [how, program] = args;
      assert.deepEqual([command, how], ['npx', '--no-install']);
      const names = [`node_modules/${program}`, `node_modules/@vscode/${program}`];
      assert.ok(
        names.some((name) => packages[name]?.integrity),
        program,
      );
    }
  });

  it('has the text of its version as its notes', () => {
    assert.equal(sectionOf(changelog, '1.2.0'), '### Added\n\n- Something.');
    assert.equal(sectionOf(changelog, 'Unreleased'), '');
    assert.equal(sectionOf(changelog, '1.2'), undefined);
    assert.ok(hasDay(changelog, '1.1.0') && !hasDay(changelog, '1.0.0'));
  });
});

describe('the manifest', () => {
  it('has every address from one repository', () => {
    const { repository, bugs, homepage, qna } = manifest;
    assert.deepEqual({ repository, bugs, homepage, qna }, addressesOf(repositoryOf(manifest)));
  });

  it('has a placeholder exactly where the owner’s name belongs', () => {
    const owned = { ...manifest, ...addressesOf('https://github.com/someone/acp-sessions') };
    assert.ok(!hasPlaceholder(owned));
    assert.ok(hasPlaceholder({ ...owned, ...addressesOf(placeholder) }));
  });
});

describe('the package', () => {
  it('may contain only the listed files', () => {
    const names = ['extension/package.json', 'extension/l10n/bundle.l10n.de.json'];
    const { unexpected, missing } = compareContents([
      ...names,
      'extension/dist/extension.js.map',
      'extension/.vscode/launch.json',
      'extension/docs/security.md',
      'extension/media/../secret.png',
    ]);
    assert.deepEqual(unexpected, [
      'extension/dist/extension.js.map',
      'extension/.vscode/launch.json',
      'extension/docs/security.md',
      'extension/media/../secret.png',
    ]);
    assert.ok(missing.includes('extension/ThirdPartyNotices.txt'));
    assert.ok(!missing.includes('extension/package.json'));
  });

  it('is read as what its own directory lists', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'acp-sessions-vsix-'));
    try {
      const file = path.join(folder, 'x.vsix');
      writeFileSync(file, archiveOf({ 'extension/b.txt': 'two', 'extension/ä.txt': 'one' }));
      assert.deepEqual(contentsOf(file), [
        { name: 'extension/b.txt', bytes: 3 },
        { name: 'extension/ä.txt', bytes: 3 },
      ]);
      writeFileSync(file, 'nothing like it');
      assert.throws(() => contentsOf(file), /is not a ZIP archive/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** The central directory of a ZIP archive. */
function archiveOf(files: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(files).map(([name, text]) => {
    const bytes = Buffer.from(name);
    const head = Buffer.alloc(46);
    head.write('PK\x01\x02', 'latin1');
    head.writeUInt32LE(Buffer.byteLength(text), 24);
    head.writeUInt16LE(bytes.length, 28);
    return Buffer.concat([head, bytes]);
  });
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 10);
  return Buffer.concat([...entries, end]);
}

describe('workflows', () => {
  const folder = path.join('.github', 'workflows');
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const file of readdirSync(path.join(projectFolder, folder))) {
    it(`pin each action of ${file} to a commit and say its version`, () => {
      const uses = read(folder, file).match(/^.*\buses:.*$/gm) ?? [];
      assert.ok(uses.length > 0);
      const loose = uses.filter(
        (line) => !/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line),
      );
      assert.deepEqual(loose, []);
    });

    it(`run only scripts in ${file} that there are`, () => {
      const run = [...read(folder, file).matchAll(/\bnpm run ([\w:]+)/g)].map(([, name]) => name);
      assert.deepEqual(
        run.filter((name) => name !== undefined && !(name in scripts)),
        [],
      );
    });
  }

  it('try by night what takes too long by day', () => {
    const nightly = read(folder, 'nightly.yml');
    assert.match(nightly, /^ {2}schedule:\n {4}- cron: '\d+ \d+ \* \* \*'$/m);
    const long = ['npm test -- --all', 'npm run test:oldest', 'npm run soak'];
    const asked = [...long, 'ACP_SESSIONS_NIGHT: 1', 'ACP_SESSIONS_SCREENSHOTS: 1'];
    assert.deepEqual(
      asked.filter((each) => !nightly.includes(each)),
      [],
    );
  });
});
