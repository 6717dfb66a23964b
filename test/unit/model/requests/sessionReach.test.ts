import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { isRootLike } from '../../../../src/model/files/paths';
import type { SessionInfo } from '../../../../src/protocol/agentConnection';
import { AcpError } from '../../../../src/protocol/errors';
import type { PermissionEntry } from '../../../../src/shared/transcript/entries';
import { posixOnly } from '../../../support/posixOnly';
import { until } from '../../../support/until';
import { folder, idle, session as info, paged } from '../fakes';
import { type SessionBench, sessionBench } from '../sessionBench';

const never = new AbortController().signal;

/** Every folder and file exists under its own name, unless a link says otherwise. */
function everythingIsThere(made: SessionBench, links: Readonly<Record<string, string>> = {}): void {
  made.realPaths.get = (path) => {
    const link = Object.keys(links).find((name) => path === name || path.startsWith(`${name}/`));
    return link === undefined ? path : `${links[link]}${path.slice(link.length)}`;
  };
  made.disk.set('/etc/passwd', 'root');
  made.decide = () => 'allow';
}

/** The session in the first row of a list, opened and loaded. */
async function opened(more: Partial<SessionInfo>, links: Readonly<Record<string, string>> = {}) {
  const made = sessionBench();
  everythingIsThere(made, links);
  const session = made.sessions.open(made.agent, info('own', more));
  await session.load();
  const connection = made.connections[0]!;
  const read = (path: string, sessionId = 'own'): Promise<string> => {
    made.disk.set(path, made.disk.get(path) ?? 'text');
    return connection.requests.readTextFile({ sessionId, path }, never);
  };
  const write = (path: string): Promise<void> =>
    connection.requests.writeTextFile({ sessionId: 'own', path, content: 'x' }, never);
  const asked = (): PermissionEntry[] =>
    session.transcript.entries.filter(
      (entry): entry is PermissionEntry =>
        entry.kind === 'permission' && entry.own?.act === 'folder',
    );
  const answer = (optionId: 'allow_always' | 'reject_once'): void => {
    const waiting = asked().find(({ state }) => state.kind === 'waiting');
    assert.ok(waiting, 'a folder is asked about');
    session.requests.answerPermission(waiting.requestId, optionId);
  };
  return { made, session, connection, read, write, asked, answer };
}

const refused = (error: unknown): boolean =>
  error instanceof AcpError && ['invalidParams', 'cancelled'].includes(error.code);

describe('the reach of a session’s agent', () => {
  it('DIR-10: is the folder that the window has open', async () => {
    const { read, write, asked } = await opened({});
    assert.equal(await read(`${folder.path}/a`), 'text');
    await write(`${folder.path}/b`);
    await assert.rejects(read('/etc/passwd'), refused);
    assert.deepEqual(asked(), []);
  });

  it('DIR-7, DIR-10, SEC-1: a list that names more folders, or another cwd, for an open session grants none', async () => {
    const { made, session, connection, read, write, asked } = await opened({});
    for (const more of [
      { additionalDirectories: ['/'] },
      { additionalDirectories: ['/etc'] },
      { cwd: '/' },
      { cwd: '/etc' },
    ]) {
      connection.list = paged([info('own', more)]);
      await made.agent.lists.of(undefined).load();
      await made.agent.lists.of(undefined).refresh();
      await assert.rejects(read('/etc/passwd'), refused, JSON.stringify(more));
      await assert.rejects(write('/etc/passwd'), refused, JSON.stringify(more));
      assert.equal(session.info.cwd, folder.path);
    }
    assert.deepEqual(asked(), [], 'it can’t even be asked for');
  });

  it('DIR-10, TE-2, SEC-21: nor does an update of the session; commands start where they did', async () => {
    const { made, connection, read } = await opened({});
    const update = { sessionUpdate: 'session_info_update', title: 'T' } as const;
    connection.send('own', {
      ...update,
      cwd: '/etc',
      additionalDirectories: ['/'],
    } as typeof update);
    await assert.rejects(read('/etc/passwd'), refused);
    const request = { sessionId: 'own', command: 'ls', args: [], env: {} };
    await connection.requests.createTerminal(request, never);
    assert.equal(made.terminals.all.at(-1)?.options.cwd, folder.path);
  });

  const roots = {
    '/': '/',
    'the home folder': os.homedir(),
    'what it is in': path.dirname(os.homedir()),
    ...(process.platform !== 'win32' && {
      'a drive of Windows in WSL': '/mnt/c',
      'a drive of macOS': '/Volumes/Macintosh HD',
      'a drive of Linux': '/media/me/DISK',
    }),
  };
  for (const [name, root] of Object.entries(roots)) {
    it(`DIR-10, SEC-2: a first row that names ${name} is never offered`, async () => {
      const { read, asked } = await opened({ cwd: root, additionalDirectories: [root] });
      await assert.rejects(read('/etc/passwd'), refused);
      await assert.rejects(read(`${os.homedir()}/.ssh/id_rsa`), refused);
      assert.deepEqual(asked(), []);
    });
  }

  posixOnly('DIR-10: nor is the real place of a home folder that is called by a link', () => {
    const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-home-')));
    const home = process.env['HOME'];
    try {
      mkdirSync(path.join(base, 'real/me'), { recursive: true });
      symlinkSync(path.join(base, 'real'), path.join(base, 'home'));
      process.env['HOME'] = path.join(base, 'home/me');
      assert.ok(isRootLike(path.join(base, 'real/me')));
      assert.ok(isRootLike(path.join(base, 'home')));
      assert.ok(!isRootLike(path.join(base, 'real/me/project')));
    } finally {
      process.env['HOME'] = home;
      rmSync(base, { recursive: true });
    }
  });

  it('DIR-8, DIR-10, SEC-2: a folder that only the agent names is asked about once, in full, and then used', async () => {
    const { session, read, asked, answer } = await opened({ additionalDirectories: ['/etc'] });
    const reading = [read('/etc/passwd'), read('/etc/hosts')];
    await until(() => session.requests.waiting.length > 0);
    await idle();
    assert.equal(asked().length, 1, 'requests that come meanwhile wait for the same answer');
    assert.equal(asked()[0]?.toolCall.title, '/etc');
    assert.deepEqual(
      asked()[0]?.options.map(({ kind }) => kind),
      ['allow_always', 'reject_once'],
    );
    answer('allow_always');
    assert.deepEqual(await Promise.all(reading), ['root', 'text']);
    await read('/etc/group');
    await assert.rejects(read('/usr/x'), refused);
    assert.equal(asked().length, 1);
  });

  it('DIR-10, SEC-2: a rejected folder is refused without asking again', async () => {
    const { read, asked, answer } = await opened({ additionalDirectories: ['/etc'] });
    const reading = read('/etc/passwd');
    await until(() => asked().length === 1);
    answer('reject_once');
    await assert.rejects(reading, refused);
    await assert.rejects(read('/etc/hosts'), refused);
    assert.equal(asked().length, 1);
  });

  it('PE-7, DIR-10: an unanswered question about a folder counts as no answer', async () => {
    const { session, read, asked } = await opened({ additionalDirectories: ['/etc'] });
    const reading = read('/etc/passwd');
    await until(() => asked().length === 1);
    void session.reload();
    await assert.rejects(reading, refused);
  });

  it('DIR-10: a session of another folder has to be asked for; no rule opens a folder', async () => {
    const { read, asked, answer } = await opened({ cwd: '/elsewhere' });
    const reading = read('/elsewhere/a');
    await until(() => asked().length === 1);
    assert.equal(asked()[0]?.toolCall.title, '/elsewhere');
    answer('allow_always');
    assert.equal(await reading, 'text');
  });

  it('DIR-10: worktrees that are shown, and a folder that the user has located, need no question', async () => {
    const tree = await opened({ cwd: '/trees/feature' });
    tree.made.worktrees = ['/trees/feature'];
    assert.equal(await tree.read('/trees/feature/a'), 'text');
    const { made, connection } = tree;
    await made.places.moved.move('demo', '/old/place', '/new/place');
    const moved = made.sessions.open(made.agent, info('moved', { cwd: '/old/place' }));
    await moved.load();
    made.disk.set('/new/place/a', 'moved');
    const request = { sessionId: 'moved', path: '/new/place/a' };
    assert.equal(await connection.requests.readTextFile(request, never), 'moved');
  });

  it('DIR-10: a session above the window’s folder reaches that folder, and is asked about the rest', async () => {
    const { read, asked, answer } = await opened({ cwd: '/elsewhere' });
    await assert.rejects(read(`${folder.path}/a`), refused, 'not the session’s');
    const above = await opened({ cwd: '/code' });
    above.made.workspace.folders = [{ name: 'inner', path: '/code/inner' }];
    assert.equal(await above.read('/code/inner/a'), 'text');
    assert.deepEqual(above.asked(), []);
    const reading = read('/elsewhere/a');
    await until(() => asked().length === 1);
    answer('reject_once');
    await assert.rejects(reading, refused);
  });

  it('DIR-7: a link in the window’s folder that is named as a folder is what it leads to', async () => {
    const link = `${folder.path}/link`;
    const { read, asked, answer } = await opened(
      { additionalDirectories: [link] },
      { [link]: '/etc' },
    );
    const reading = read('/etc/passwd');
    await until(() => asked().length === 1);
    assert.equal(asked()[0]?.toolCall.title, '/etc');
    answer('reject_once');
    await assert.rejects(reading, refused);
  });

  it('DIR-10, SEC-193: many files are judged as each of them, and their folders are looked at once', async () => {
    const { made, session } = await opened(
      { cwd: folder.path },
      { [`${folder.path}/out`]: '/etc' },
    );
    const { reach } = session.acts;
    const inside = Array.from({ length: 100 }, (_, at) => `${folder.path}/${at}`);
    const outside = [
      ...[`${folder.path}/out/passwd`, `${folder.path}/../etc/passwd`, `${folder.path}2/a`],
      ...['/etc/passwd', 'a', `${folder.path}/a\0b`, `${folder.path}/${'x'.repeat(40_000)}`],
    ];
    const all = [...inside, ...outside, ...inside];
    const real = made.realPaths.get.bind(made.realPaths);
    let looks = 0;
    made.realPaths.get = (path) => {
      looks += path === folder.path ? 1 : 0;
      return real(path);
    };
    const found = await reach.hasAll(all);
    assert.ok(looks < 5, `${looks} looks`);
    made.realPaths.get = real;
    assert.deepEqual([...found.keys()], inside);
    for (const file of all) {
      assert.equal(await reach.has(file), found.has(file), file.slice(0, 100));
    }
    assert.deepEqual([...(await session.acts.readable(all))], inside);
  });

  it('DIR-4, DIR-10: folders sent with session/new are granted, also when the session is opened again', async () => {
    const { made, connection } = await opened({});
    made.extra.additionalDirectories = 'workspaceFolders';
    const other = { name: 'other', path: '/other' };
    made.workspace.folders = [folder, other];
    const session = await made.sessions.create(made.agent, folder);
    const { sessionId } = session.info;
    await session.close();
    // Another window, without the other folder.
    made.workspace.folders = [folder];
    const again = made.sessions.open(made.agent, info(sessionId));
    await again.load();
    made.disk.set('/other/a', 'other');
    const request = { sessionId, path: '/other/a' };
    assert.equal(await connection.requests.readTextFile(request, never), 'other');
  });

  it('DIR-10, SEC-21: a fork keeps what its session was made with, not what the agent named', async () => {
    const { made, connection } = await opened({});
    const named = info('named', { additionalDirectories: ['/etc'] });
    const fork = await made.sessions.fork(made.agent, named);
    assert.deepEqual(
      connection.forks.at(-1)?.additionalDirectories,
      ['/etc'],
      'sent as it was named',
    );
    assert.deepEqual(made.places.keptRoots('demo', fork.info.sessionId), []);
  });

  it('DIR-10: what an id was allowed goes with its session', async () => {
    const { made, session, connection, read, asked, answer } = await opened({
      additionalDirectories: ['/etc'],
    });
    const reading = read('/etc/passwd');
    await until(() => asked().length === 1);
    answer('allow_always');
    await reading;
    await session.close();
    const again = made.sessions.open(made.agent, info('own', { additionalDirectories: ['/etc'] }));
    await again.load();
    void connection.requests.readTextFile({ sessionId: 'own', path: '/etc/passwd' }, never);
    await until(() => again.requests.waiting.length === 1);
    await again.close();
  });

  it('NEW-4, SEC-22: an agent that gives a new session the id of an open one fails, and that one stays', async () => {
    const { made, session, connection } = await opened({});
    connection.opening = () => ({ sessionId: 'own' });
    const malformed = (error: unknown): boolean =>
      error instanceof AcpError && error.code === 'malformed';
    await assert.rejects(made.sessions.create(made.agent, folder), malformed);
    await assert.rejects(made.sessions.fork(made.agent, info('s0')), malformed);
    assert.equal(made.sessions.find('demo', 'own'), session);
    assert.equal(session.phase.kind, 'empty');
  });
});
