import assert from 'node:assert/strict';
import {
  RecordedPlaces,
  type RecordedPlacesOptions,
} from '../../../../../src/features/review/model/recordedPlaces';
import type { SessionList, SessionRow } from '../../../../../src/model/agent';
import type { Session } from '../../../../../src/model/session/session';
import { Emitter } from '../../../../../src/util/emitter';
import { until } from '../../../../support/until';

describe('The folders whose records belong to a window', () => {
  const listed = new Emitter<SessionList>();
  const none = new Emitter<void>();
  const opened = new Emitter<Session>();
  let lists: SessionList[];
  let sessions: Session[];
  let trees: string[];
  let places: RecordedPlaces;
  const links = new Map([
    ['/work', '/real/work'],
    ['/gone', '/real/gone'],
    ['/', '/'],
  ]);

  beforeEach(() => {
    [lists, sessions, trees] = [[], [], []];
    places = new RecordedPlaces({
      agents: {
        get lists() {
          return lists;
        },
        onDidList: listed.event,
        onDidChange: none.event,
      },
      sessions: {
        get all() {
          return sessions;
        },
        find: (agentId: string, sessionId: string) =>
          sessions.find(({ agent, info }) => agent.id === agentId && info.sessionId === sessionId),
        onDidChange: opened.event,
      },
      places: {
        workspace: {
          folders: [{ name: 'work', path: '/work' }],
          trusted: true,
          onDidChange: none.event,
        },
        moved: { getPlace: (_: string, folder: string) => folder.replace('/old/', '/new/') },
      },
      worktrees: { below: () => trees.map((path) => ({ path })), onDidChange: none.event },
      realPath: (file: string) => Promise.resolve(links.get(file)),
    } as unknown as RecordedPlacesOptions);
  });
  afterEach(() => places.dispose());

  const list = (cwds: readonly string[], remote?: object): SessionList => {
    const rows = cwds.map((cwd) => ({ info: { cwd, sessionId: cwd } }) as SessionRow);
    return {
      agent: { id: 'a', config: { remote } },
      rows,
      find: (id: string) => rows.find(({ info }) => info.sessionId === id),
    } as unknown as SessionList;
  };
  const session = (cwd: string): Session =>
    ({ agent: { id: 'a' }, info: { sessionId: 'open' }, roots: [cwd] }) as unknown as Session;

  it('are those of the workspace, of its worktrees and of each session that is listed or open', async () => {
    trees = ['/tree'];
    lists = [list(['/work/sub', '/old/there', '/work']), list(['/remote'], {})];
    sessions = [session('/opened')];
    assert.deepEqual(await places.real(), [
      ...['/real/work', '/tree', '/opened', '/real/work/sub', '/new/there'],
    ]);
    assert.ok(places.folders().includes('/work') && places.folders().includes('/real/work'));
    assert.equal(places.findFolder('a', '/work'), '/real/work');
    assert.equal(places.findFolder('a', '/old/there'), '/new/there');
    assert.equal(places.findFolder('a', 'open'), '/opened');
    assert.equal(places.findFolder('a', 'unknown'), undefined);
  });

  it('are also those that are gone, and none that lead to another machine', async () => {
    lists = [list(['/gone/tree', '//host/share', 'relative'])];
    assert.deepEqual(await places.real(), ['/real/work', '/real/gone/tree']);
  });

  it('says when there is a new one, once', async () => {
    await places.real();
    let fired = 0;
    places.onDidChange(() => fired++);
    lists = [list(['/work', '/tree'])];
    listed.fire(lists[0] as SessionList);
    listed.fire(lists[0] as SessionList);
    await until(() => fired === 1);
    sessions = [session('/opened')];
    opened.fire(sessions[0] as Session);
    await until(() => fired === 2);
    assert.deepEqual(await places.real(), ['/real/work', '/opened', '/tree']);
  });
});
