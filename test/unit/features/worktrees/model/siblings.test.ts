import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { movedDraft } from '../../../../../src/features/worktrees/model/movedDraft';
import {
  readDifferences,
  readNeighborhood,
} from '../../../../../src/features/worktrees/model/siblings';
import { findRepository } from '../../../../../src/model/places/repository';
import { realPath } from '../../../../../src/platform/files/realPath';
import { posixOnly } from '../../../../support/posixOnly';
import { WorktreeWorld } from './worktreeWorld';

describe('worktrees of one prompt', () => {
  let world: WorktreeWorld;
  let project: string;

  beforeEach(() => {
    world = new WorktreeWorld();
    project = world.repository('project', { 'a.txt': 'a\n', 'b.txt': 'b\n' });
  });
  afterEach(() => world.close());

  async function placeOf(folder: string) {
    const place = await findRepository(folder, realPath);
    assert.ok(place);
    return place;
  }

  it('are known by the name of their branches, before all others', async () => {
    const one = await world.add(project, 'do-it/one');
    await world.add(project, 'another');
    await world.add(project, 'do-it/two');
    await world.add(project, 'do-it-too/three');
    const { branch: own, others } = await readNeighborhood(await placeOf(one), realPath);
    assert.equal(own, 'do-it/one');
    assert.deepEqual(
      others.filter(({ isSibling }) => isSibling).map(({ branch }) => branch),
      ['do-it/two'],
    );
    assert.equal(others[0]?.branch, 'do-it/two');
    assert.equal(others.length, 3, 'the main one isn’t one of them');
    const main = await readNeighborhood(await placeOf(project), realPath);
    assert.ok(main.others.every(({ isSibling }) => !isSibling));
  });

  it('are compared by their files as they are now', async () => {
    const [one, two] = [await world.add(project, 'x/one'), await world.add(project, 'x/two')];
    world.commit(one, { 'a.txt': 'one\n', 'same.txt': 'same\n' });
    world.write(path.join(two, 'a.txt'), 'two\n');
    world.write(path.join(two, 'same.txt'), 'same\n');
    world.write(path.join(two, 'new.txt'), 'new\n');
    const differences = await readDifferences(world.model, await placeOf(one), await placeOf(two));
    assert.deepEqual(
      differences.map(({ name, one: own, other }) => [name, own.kind, other.kind]),
      [
        ['a.txt', 'file', 'file'],
        ['new.txt', 'absent', 'file'],
      ],
    );
  });

  it('get their own files with the prompt, where they have them', async () => {
    const tree = await world.add(project, 'x/one');
    world.write(path.join(project, 'untracked.txt'), 'only here\n');
    const uri = (folder: string, name: string): string =>
      pathToFileURL(path.join(folder, name)).href;
    const file = (name: string) => ({ type: 'file', uri: uri(project, name), name }) as const;
    const elsewhere = { ...file('x'), uri: uri(world.at('elsewhere'), 'a.txt') };
    const draft = { text: 'Look', attachments: [file('a.txt'), file('untracked.txt'), elsewhere] };
    const { attachments } = await movedDraft(draft, project, tree);
    assert.deepEqual(
      attachments.map((attachment) => attachment.type === 'file' && attachment.uri),
      [uri(tree, 'a.txt'), uri(project, 'untracked.txt'), elsewhere.uri],
    );
  });

  posixOnly('don’t get what a link of their branch leads to outside of them', async () => {
    const tree = await world.add(project, 'x/one');
    world.write(world.at('secret'), 'secret\n');
    rmSync(path.join(tree, 'a.txt'));
    symlinkSync(world.at('secret'), path.join(tree, 'a.txt'));
    const uri = pathToFileURL(path.join(project, 'a.txt')).href;
    const draft = { text: '', attachments: [{ type: 'file', uri, name: 'a.txt' }] } as const;
    assert.deepEqual(await movedDraft(draft, project, tree), draft);
  });
});
