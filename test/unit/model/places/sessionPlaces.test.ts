import assert from 'node:assert/strict';
import { SessionPlaces } from '../../../../src/model/places/sessionPlaces';
import { SessionRoots } from '../../../../src/model/places/sessionRoots';
import { memento } from '../../views/sessions/fakes';
import { FakeWorkspace } from '../fakePlatform';
import { session as listed, paged } from '../fakes';
import { type SessionsBench, sessionsBench } from '../sessionBench';

const one = { name: 'one', path: '/code/one' };
const two = { name: 'two', path: '/code/two #1 100%' };

describe('places of sessions', () => {
  it('a session isn’t opened where its folder is gone, and no agent starts for it', async () => {
    const made = sessionsBench();
    const agent = made.agents.get('demo')!;
    made.gone.add('/gone #1 100%');
    const session = made.sessions.open(agent, listed('s', { cwd: '/gone #1 100%' }));
    await session.load();
    assert.ok(session.phase.kind === 'failed');
    const { failure } = session.phase;
    assert.equal(failure.code, 'folderGone');
    assert.match(failure.detail, /^“\/gone #1 100%” was moved/);
    assert.deepEqual(failure.actions, ['locateFolder', 'retry']);
    assert.equal(agent.state.kind, 'stopped');

    made.gone.clear();
    await session.reload();
    assert.equal(made.connections[0]?.loads.length, 1, 'it is looked for again with each try');
  });

  it('none is made or forked in a folder that is gone', async () => {
    const made = sessionsBench();
    const agent = made.agents.get('demo')!;
    made.gone.add('/gone');
    const isFolderGone = { code: 'folderGone' };
    await assert.rejects(made.sessions.create(agent, { name: 'x', path: '/gone' }), isFolderGone);
    await assert.rejects(made.sessions.fork(agent, listed('s', { cwd: '/gone' })), isFolderGone);
    assert.equal(agent.state.kind, 'stopped');
  });

  it('a session of a moved folder is opened, forked and begun where that is now', async () => {
    const made = sessionsBench();
    const agent = made.agents.get('demo')!;
    made.gone.add('/old');
    await made.places.moved.move('demo', '/old', '/new');
    const info = listed('s', { cwd: '/old', additionalDirectories: ['/old/sub', '/x'] });
    const session = made.sessions.open(agent, info);
    await session.load();
    const connection = made.connections[0]!;
    const { cwd, additionalDirectories } = connection.loads[0]!;
    assert.deepEqual([cwd, additionalDirectories], ['/new', ['/new/sub', '/x']]);
    assert.deepEqual(session.roots, ['/new', '/new/sub', '/x'], 'files are served there');
    await made.sessions.fork(agent, info);
    assert.equal(connection.forks[0]?.cwd, '/new');
    await made.sessions.create(agent, { name: 'x', path: '/old/sub' });
    assert.equal(connection.places.at(-1)?.cwd, '/new/sub');
  });

  it('another agent’s session of the same folder stays where it is', async () => {
    const made = sessionsBench(['demo', 'other']);
    await made.places.moved.move('demo', '/old', '/new');
    const session = made.sessions.open(made.agents.get('other')!, listed('s', { cwd: '/old' }));
    assert.equal(session.info.cwd, '/old');
  });
});

describe('further folders of sessions', () => {
  async function multiRoot(): Promise<SessionsBench> {
    const made = sessionsBench();
    made.workspace.folders = [one, two];
    made.extra.additionalDirectories = 'workspaceFolders';
    await made.agents.get('demo')!.connect();
    return made;
  }

  it('DIR-5, DIR-6: are empty until the user chooses some', async () => {
    const made = await multiRoot();
    made.extra.additionalDirectories = 'none';
    const session = await made.sessions.create(made.agents.get('demo')!, one);
    assert.deepEqual(made.connections[0]?.places.at(-1)?.additionalDirectories, []);
    assert.deepEqual(session.roots, [one.path]);
  });

  it('DIR-4: are the other workspace folders, and sent again although the agent doesn’t list them', async () => {
    const made = await multiRoot();
    const agent = made.agents.get('demo')!;
    const connection = made.connections[0]!;
    const session = await made.sessions.create(agent, one);
    const { sessionId } = session.info;
    assert.deepEqual(connection.places.at(-1)?.additionalDirectories, [two.path]);
    assert.deepEqual(session.roots, [one.path, two.path]);

    connection.list = paged([listed(sessionId, { cwd: one.path, title: 'Listed' })]);
    await agent.lists.of(one).load();
    assert.equal(session.title, 'Listed');
    assert.deepEqual(session.roots, [one.path, two.path], 'the list takes nothing away');

    await session.close();
    const again = made.sessions.open(agent, agent.lists.of(one).find(sessionId)!.info);
    await again.load();
    assert.deepEqual(connection.loads.at(-1)?.additionalDirectories, [two.path]);
    await made.sessions.fork(agent, agent.lists.of(one).find(sessionId)!.info);
    assert.deepEqual(connection.forks.at(-1)?.additionalDirectories, [two.path]);
  });

  it('DIR-8: are those that the agent reports, where it does', async () => {
    const made = await multiRoot();
    const agent = made.agents.get('demo')!;
    const { sessionId } = (await made.sessions.create(agent, one)).info;
    const told = listed(sessionId, { cwd: one.path, additionalDirectories: ['/other'] });
    made.connections[0]!.list = paged([told]);
    await agent.lists.of(one).load();
    assert.deepEqual(made.sessions.find('demo', sessionId)?.roots, [one.path, '/other']);
  });

  it('DIR-1: are none where the agent takes none', async () => {
    const made = await multiRoot();
    const connection = made.connections[0]!;
    connection.capabilities = { ...connection.capabilities, additionalDirectories: false };
    const session = await made.sessions.create(made.agents.get('demo')!, one);
    assert.deepEqual(session.roots, [one.path]);
  });

  it('DIR-3, DIR-5: are those of the workspace, in its order, without the session’s own, and none elsewhere', () => {
    const workspace = new FakeWorkspace();
    const settings = { additionalDirectories: 'workspaceFolders' as const };
    const folderIsGone = (): Promise<boolean> => Promise.resolve(false);
    const places = new SessionPlaces({
      ...{ storage: memento(), workspace, settings, folderIsGone },
      realPath: (path) => Promise.resolve(path),
      worktrees: { below: () => [], at: () => undefined },
    });
    workspace.folders = [two, one, { name: 'three', path: '/code/three' }];
    assert.deepEqual(places.rootsFor('/code/one/'), [two.path, '/code/three']);
    assert.deepEqual(places.rootsFor('/code/one-worktree'), []);
    workspace.trusted = false;
    assert.deepEqual(places.rootsFor('/code/one'), []);
  });

  describe('kept', () => {
    it('outlive the window, beside what other windows keep', async () => {
      const storage = memento();
      await new SessionRoots(storage).keep('a', 's', ['/x']);
      await new SessionRoots(storage).keep('b', 's', ['/y', '/z']);
      const roots = new SessionRoots(storage);
      assert.deepEqual([roots.of('a', 's'), roots.of('b', 's')], [['/x'], ['/y', '/z']]);
      assert.deepEqual(roots.of('a', 't'), []);
    });

    it('are bounded: the oldest go', async () => {
      const roots = new SessionRoots(memento());
      for (let index = 0; index <= 500; index++) {
        await roots.keep('a', `s${index}`, ['/x']);
      }
      assert.deepEqual([roots.of('a', 's0'), roots.of('a', 's1')], [[], ['/x']]);
    });

    it('are what can be read of what is stored', () => {
      for (const stored of [
        null,
        'x',
        [null, 7, { agentId: 'a' }],
        [{ agentId: 'a', sessionId: 's', roots: ['', 'relative', 7, null] }],
      ]) {
        const storage = memento();
        void storage.update('sessions.roots', stored);
        assert.deepEqual(new SessionRoots(storage).of('a', 's'), []);
      }
    });
  });
});
