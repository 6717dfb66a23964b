import assert from 'node:assert/strict';
import path from 'node:path';
import { versionName } from '../../../../../src/features/registry/model/binary/installedVersion';
import { getCommand, isNewer } from '../../../../../src/features/registry/model/packageSpec';
import { readRegistry } from '../../../../../src/features/registry/model/readRegistry';
import {
  agentRunBy,
  findUpdate,
  type InstallPlace,
  versionIn,
} from '../../../../../src/features/registry/model/setUpAgents';
import { newerVersionsKey, RegistryFacts } from '../../../../../src/model/agents/registryFacts';
import { entry, registryOf } from '../../../../support/registryServer';
import { memento } from '../../../model/fakePlatform';

const agents =
  readRegistry(
    registryOf(
      entry('poet'),
      entry('tool', {
        distribution: { npx: { package: 'tool@1.2.3', cmd: 'run', args: ['acp'] } },
      }),
      entry('painter', {
        version: '2.0.0',
        distribution: {
          binary: {
            'linux-x86_64': {
              archive: 'https://example.com/painter.zip',
              cmd: './bin/painter',
              args: ['acp'],
            },
          },
        },
      }),
      entry('snake', { distribution: { uvx: { package: 'snake==1.10.0', args: ['-x'] } } }),
    ),
  )?.agents ?? [];

const place: InstallPlace = { folder: path.resolve('/store/agents'), target: 'linux-x86_64' };

function start(line: string) {
  const [command = '', ...args] = line.split(' ');
  return { command, args };
}

describe('an agent of the settings', () => {
  for (const [line, id] of [
    ['npx --yes -- @poems/poet@1.0.0 --acp', 'poet'],
    ['npx -y @poems/poet@1.0.0', 'poet'],
    ['/usr/bin/npx @poems/poet@1.2.3', 'poet'],
    ['npx.cmd --yes --package=tool@1.0.0 -- run acp', 'tool'],
    ['uvx snake==1.9.0 -x', 'snake'],
    ['uvx --from=snake==1.9.0 snake', 'snake'],
    ['npx @poems/poet', undefined],
    ['npx @poems/poet@latest', undefined],
    ['npx other@1.0.0 @poems/poet@1.0.0', undefined],
    ['npx snake@1.0.0', undefined],
    ['node @poems/poet@1.0.0', undefined],
    ['poet --acp', undefined],
  ] as const) {
    it(`is ${id ?? 'none of the registry'} if it is started with ${line}`, () => {
      assert.equal(agentRunBy(start(line), agents, place)?.id, id);
    });
  }

  it('is updated to the registry’s command, or keeps the user’s arguments', () => {
    const update = findUpdate(start('npx --yes -- @poems/poet@1.0.0 --acp --rhyme'), agents, place);
    assert.equal(update?.from, '1.0.0');
    assert.equal(update.key, '@poems/poet@1.0.0');
    assert.equal(update.command.join(' '), 'npx --yes -- @poems/poet@1.2.3 --acp');
    assert.equal(update.ownCommand.join(' '), 'npx --yes -- @poems/poet@1.2.3 --acp --rhyme');
  });

  it('that is an installed program is updated to the newer one beside it', () => {
    const old = path.join(place.folder, 'painter', '1.9.0', 'files', 'painter');
    const update = findUpdate({ command: old, args: ['acp', '--oil'] }, agents, place);
    const binary = agents.find(({ id }) => id === 'painter')?.binaries['linux-x86_64'];
    assert.ok(binary);
    const name = versionName(binary);
    const program = path.join(place.folder, 'painter', name, 'files', 'bin', 'painter');
    assert.deepEqual(
      [update?.from, update?.key, update?.command, update?.ownCommand],
      ['1.9.0', old, [program, 'acp'], [program, 'acp', '--oil']],
    );
    assert.equal(versionIn({ command: old, args: [] }, place), '1.9.0');
    assert.equal(versionIn({ command: program, args: [] }, place), '2.0.0');
    assert.equal(findUpdate({ command: program, args: [] }, agents, place), undefined);
    const elsewhere = { ...place, target: 'darwin-aarch64' as const };
    assert.equal(findUpdate({ command: old, args: [] }, agents, elsewhere), undefined);
    for (const command of ['painter', old.replace('agents', 'other'), path.join(old, '../../x')]) {
      assert.equal(agentRunBy({ command, args: [] }, agents, place), undefined, command);
    }
  });

  it('is never taken back to an older version, nor to the same', () => {
    for (const version of ['1.2.3', '1.2.4', '1.3.0', '2.0.0-beta.1']) {
      assert.equal(
        findUpdate(start(`npx @poems/poet@${version}`), agents, place),
        undefined,
        version,
      );
    }
    for (const { packages } of agents) {
      for (const [command = '', ...args] of packages.map(getCommand)) {
        assert.equal(findUpdate({ command, args }, agents, place), undefined);
      }
    }
  });

  it('compares versions by their numbers; a release comes after its previews', () => {
    const pairs: readonly (readonly [string, string])[] = [
      ['1.10.0', '1.9.9'],
      ['2026.08.11', '2025.12.30'],
      ['1.0.0', '1.0.0-rc.1'],
      ['1.0', '1.0rc1'],
      ['1.0.1', '1.0'],
    ];
    for (const [newer, older] of pairs) {
      assert.ok(isNewer(newer, older), `${newer} after ${older}`);
      assert.ok(!isNewer(older, newer), `${older} not after ${newer}`);
      assert.ok(!isNewer(newer, newer));
    }
    assert.ok(!isNewer('1.0', '1.0.post1'));
    assert.ok(!isNewer('1.0.0+b', '1.0.0+a'));
  });
});

describe('newer versions', () => {
  it('are known by the argument or the program that names the old one, in later windows too', async () => {
    const storage = memento();
    const newer = new RegistryFacts(storage, newerVersionsKey);
    let changes = 0;
    newer.onDidChange(() => changes++);
    await newer.set({ 'poet@1.0.0': '1.2.3' });
    assert.equal(changes, 1);
    const later = new RegistryFacts(storage, newerVersionsKey);
    assert.equal(later.of({ command: 'npx', args: ['--yes', 'poet@1.0.0'] }), '1.2.3');
    assert.equal(
      later.of({ command: 'npx', args: ['--yes', 'poet@1.2.3'] }),
      undefined,
      'gone with the update',
    );
    assert.equal(later.of({ command: 'poet@1.0.0', args: [] }), '1.2.3');
    assert.equal(
      later.of({ command: 'npx', args: ['toString', '__proto__', 'constructor'] }),
      undefined,
    );
  });

  it('that someone has changed are ignored', async () => {
    const storage = memento();
    for (const value of [null, [], 'x', { 'poet@1.0.0': 7 }]) {
      await storage.update('registry.newer', value);
      assert.equal(
        new RegistryFacts(storage, newerVersionsKey).of({ command: 'npx', args: ['poet@1.0.0'] }),
        undefined,
      );
    }
  });
});
