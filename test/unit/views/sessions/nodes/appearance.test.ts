import assert from 'node:assert/strict';
import type { SessionRow } from '../../../../../src/model/agent';
import type { SessionInfo } from '../../../../../src/protocol/agentConnection';
import type { Standing } from '../../../../../src/views/attention/standing';
import { folderLabel } from '../../../../../src/views/folderLabel';
import { folderFacts, type RowPlace } from '../../../../../src/views/sessions/nodes/folderFacts';
import { needsGroup } from '../../../../../src/views/sessions/nodes/needs';
import type {
  GroupNode,
  SessionNode,
  SessionsNode,
} from '../../../../../src/views/sessions/nodes/nodes';
import { findTooltip } from '../../../../../src/views/sessions/nodes/tooltips';
import { FakeModel, hour, now } from '../fakes';
import { look } from '../look';

const standings: readonly Standing[] = [
  'idle',
  'loading',
  'open',
  'running',
  'needsYou',
  'unread',
  'failed',
];

/** The context values of every row. */
const always = ['pinnable', 'archivable', 'readable'];
describe('looks of a node', () => {
  let model: FakeModel;
  beforeEach(() => {
    model = new FakeModel('a');
  });
  afterEach(() => model.tree.dispose());

  function session(info: Partial<SessionInfo> = {}, title = 'Fix the tests'): SessionNode {
    const list = model.list();
    const row = list.row('s1', now - 3 * hour, title);
    list.rows = [{ ...row, info: { ...row.info, ...info } }];
    list.state = { kind: 'loaded' };
    model.tree.children();
    const [node] = model.tree.sessionNodes('a', 's1');
    assert.ok(node);
    return node;
  }

  function worktree(path: string, branch?: string): SessionsNode {
    model.worktrees.all = [{ path, branch, isMain: false }];
    const list = model.agents.all[0]!.lists.of({ name: '', path });
    list.rows = [list.row('far', now)];
    const [node] = model.tree.children().filter((child) => child.kind === 'worktree');
    assert.ok(node);
    return node;
  }

  it('T-171: says in the tooltip since when the agent has said nothing', () => {
    const silentSince = new Date(2026, 0, 1, 14, 5).getTime();
    assert.match(
      findTooltip(session(), { silentSince }) ?? '',
      /\nNothing from Agent a since 2:05/,
    );
    assert.doesNotMatch(findTooltip(session()) ?? '', /Nothing from/);
  });

  it('marks a branch of another session, and offers what can be done with both', () => {
    const branch = look(session(), 'idle', { origin: { key: 's0', turn: 4 } });
    assert.match(branch.description ?? '', /^↳ from turn 4 · /);
    assert.match(branch.spoken ?? '', /^Fix the tests, from turn 4, /);
    assert.ok(branch.words.includes('branch'));
    assert.ok(!look(session()).words.includes('branch'));
  });

  it('T-46: says that a session runs or asks elsewhere, unless it is open here', () => {
    const runs = look(session({ state: 'running' }));
    assert.equal(runs.description, 'runs elsewhere · 3h');
    assert.equal(runs.spoken, 'Fix the tests, 3h ago, runs elsewhere');
    const asks = look(session({ state: 'requires_action' }), 'idle', { unread: true });
    assert.equal(asks.description, 'asks elsewhere · 3h');
    assert.notEqual(asks.icon?.id, runs.icon?.id);
    assert.ok(!asks.words.includes('stoppable'));
    assert.equal(look(session({ state: 'running' }), 'open').description, '3h');
    assert.equal(look(session({ state: 'idle' })).description, '3h');
  });

  it('T-47: says that a session is open elsewhere, even if it is open here, too', () => {
    const elsewhere = session({ openElsewhere: true });
    assert.equal(look(elsewhere).description, '3h', 'nobody tells while the agent is stopped');
    const [agent] = model.agents.all;
    assert.ok(agent);
    agent.state = { kind: 'ready', connection: undefined as never };
    assert.equal(look(elsewhere).description, 'open elsewhere · 3h');
    assert.equal(look(elsewhere, 'open').description, 'open elsewhere · 3h');
    assert.equal(look(elsewhere).spoken, 'Fix the tests, 3h ago, open elsewhere');
    assert.equal(look(session({ openElsewhere: false })).description, '3h');
  });

  it('T-46: names the branch that a session is on if it isn’t the usual one, as plain text', () => {
    assert.equal(look(session({ gitBranch: 'main' })).description, '3h');
    const { description, spoken } = look(session({ gitBranch: 'fix/cart' }));
    assert.equal(description, '3h · ⎇ fix/cart');
    assert.equal(spoken, 'Fix the tests, branch fix/cart, 3h ago');
    const hostile = look(session({ gitBranch: `a\n\u202e${'b'.repeat(300)}` }));
    assert.match(hostile.description ?? '', /^3h · ⎇ a b{190,}…$/);
    assert.equal(hostile.label, 'Fix the tests', 'a long branch takes no room from the title');
    const long = look(session({ gitBranch: 'feature/one-that-has-a-long-name' })).description;
    assert.equal(long, '3h · ⎇ feature/one-that-has-a-long-name', 'cut by VS Code alone');
  });

  it('T-46: tells the branch, the cost and the end of the last turn in the tooltip', () => {
    const told = findTooltip(
      session({
        gitBranch: 'main',
        cost: { amount: 1234.5, currency: '<b>\nEUR' },
        lastTurnEndedAt: '2026-11-20T10:00:00Z',
      }),
    );
    assert.match(told ?? '', /\nLast turn ended: .*November 20, 2026.*\nBranch: main\n/);
    assert.match(told ?? '', /\nCost: 1,234\.50 <b> EUR\n/);
    const garbage = findTooltip(session({ lastTurnEndedAt: 'Page 5', gitBranch: '\u202e' })) ?? '';
    assert.doesNotMatch(garbage, /Last turn|Branch|Cost/);
  });

  it('says in the tooltip that a title is from the prompt, while the agent has none', () => {
    const promptTitle = 'Find the leak';
    const first = 'Find the leak\nTitle from your first prompt\n';
    assert.ok(findTooltip(session({ title: '', promptTitle }))?.startsWith(first));
    const given = findTooltip(session({ title: 'Given', promptTitle }));
    assert.ok(given?.startsWith('Given\n\n'), given);
  });

  it('names a work tree by its branch, and says where it is', () => {
    const near = worktree('/code/project #1 100%', 'feature/x');
    const { label, description, icon, words, expandable } = look(near);
    assert.equal(label, 'feature/x');
    assert.equal(description, '../project #1 100%');
    assert.deepEqual([icon?.id, words, expandable], ['git-branch', ['folder', 'worktree'], true]);
    assert.match(findTooltip(near) ?? '', /^\/code\/project #1 100%\n/);
  });

  it('marks a session in a worktree with its branch, unless the node above names it', () => {
    const place = { cwd: '/code/x', moved: false, gone: false, worktree: { branch: 'feature/x' } };
    const marked = look(session(), 'idle', {}, { place });
    assert.match(marked.description ?? '', / · ⎇ feature\/x$/);
    assert.match(marked.spoken ?? '', /, branch feature\/x/);
    assert.ok(marked.words.includes('worktree'));
    const gone = look(session(), 'idle', {}, { place: { ...place, gone: true } });
    assert.match(gone.description ?? '', /^folder is gone/);
    const above = worktree('/code/x', 'feature/x');
    assert.ok(above.kind === 'worktree');
    const below = session();
    below.parent = above;
    assert.doesNotMatch(look(below, 'idle', {}, { place }).description ?? '', /feature/);
    assert.ok(!look(session()).words.includes('worktree'));
  });

  it('names a work tree without a branch by its folder', () => {
    assert.equal(look(worktree('/code/project-x')).label, 'project-x');
    assert.equal(look(worktree('/a/b\nc', '\u202e\n')).label, 'b c');
  });

  it('gives the whole path of a work tree that is far away', () => {
    model.workspace.folders = [{ name: 'deep', path: '/a/b/c/d' }];
    assert.equal(look(worktree('/tmp/x', 'x')).description, '/tmp/x');
    assert.equal(look(worktree('/a/b/c/d/.trees/y', 'y')).description, '.trees/y');
  });

  it('says that a session’s folder is gone, and offers to say where it is', () => {
    const row = session({ cwd: '/gone' });
    const gone = look(row, 'idle', {}, { place: { cwd: '/gone', moved: false, gone: true } });
    assert.match(gone.description ?? '', /^folder is gone · /);
    assert.ok(gone.words.includes('locatable') && !gone.words.includes('moved'));
    const moved = look(row, 'idle', {}, { place: { cwd: '/new', moved: true, gone: false } });
    assert.deepEqual(moved.words.slice(-2), ['locatable', 'moved']);
    assert.ok(look(row).words.every((word) => word !== 'locatable'));
  });

  it('says in the tooltip where a session opens', () => {
    const told = (place: RowPlace): string => findTooltip(session(), { place }) ?? '';
    assert.equal(told({ cwd: '/a', moved: false, gone: false }), findTooltip(session()));
    assert.match(told({ cwd: '/new', moved: true, gone: false }), /\n\nOpens in \/new,/);
    assert.match(told({ cwd: '/a\nb', moved: true, gone: true }), /The folder \/a b is gone/);
  });

  it('names a session’s folder by its folder of the workspace, otherwise by its path', () => {
    const folders = [{ name: 'Shop', path: '/code/shop' }];
    assert.equal(folderLabel('/code/shop', folders), 'Shop');
    assert.equal(folderLabel('/code/shop/src/cart', folders), 'Shop/src/cart');
    assert.equal(folderLabel('/code/shop/Shop', folders), 'Shop/Shop');
    assert.equal(folderLabel('/code/shopping', folders), '/code/shopping');
    assert.equal(folderLabel('C:\\shop\\src', [{ name: 'Shop', path: 'C:\\shop' }]), 'Shop/src');
    assert.equal(folderLabel('/code/shop/a\nb\u202e', folders), 'Shop/a b');
    assert.equal(folderLabel('/elsewhere', []), '/elsewhere');
  });

  it('names a folder that has moved, and where it was', () => {
    const list = model.agents.all[0]!.lists.of({ name: 'place', path: '/old/place' });
    const node = { kind: 'moved', id: 'm', parent: undefined, list, from: '/old/place' } as const;
    assert.equal(look(node).label, 'place');
    assert.equal(look(node).description, 'moved here from /old/place');
    assert.equal(findTooltip(node), '/old/place');
  });

  it('says of which folder a session is only where all are shown and no group says it', async () => {
    model.choices.setScope('all');
    await model.choices.setGrouping('none');
    const list = model.agents.all[0]!.lists.of(undefined);
    const at = (sessionId: string, cwd: string): SessionRow => {
      const row = list.row(sessionId, now - 3 * hour);
      return { ...row, info: { ...row.info, cwd } };
    };
    model.tree.children();
    const rows = [at('s1', '/far/away #1 100%\n$(bug)'), at('s2', '/code/project/')];
    list.become({ state: { kind: 'loaded' }, rows });
    const marks = (): (string | undefined)[] =>
      model.tree
        .children()
        .flatMap((node): readonly SessionsNode[] =>
          node.kind === 'group' ? node.sessions : [node],
        )
        .map((node) => {
          if (node.kind !== 'session') {
            return '?';
          }
          const place = model.arrangement.getPlace(node.row);
          return folderFacts(node, model.tree.folders, place).mark;
        });
    assert.deepEqual(marks(), ['away #1 100% $(bug)', undefined]);
    assert.match(look(model.tree.children()[0]!).description ?? '', / · away #1 100% \$\(bug\)$/);
    await model.choices.setGrouping('folder');
    model.tree.children();
    assert.deepEqual(marks(), [undefined, undefined]);
  });

  it('shows a session with its time, and opens it', () => {
    const shown = look(session());
    assert.equal(shown.label, 'Fix the tests');
    assert.equal(shown.description, '3h');
    assert.equal(shown.spoken, 'Fix the tests, 3h ago');
    assert.equal(shown.click, 'open');
    assert.deepEqual(shown.words, ['session', 'openable', ...always]);
    assert.equal(look(session(), 'failed').spoken, 'Fix the tests, 3h ago, couldn’t be opened');
  });

  it('looks and sounds different in each state', () => {
    const node = session();
    const spoken = standings.map((state) => look(node, state).spoken);
    assert.equal(new Set(spoken).size, standings.length);
    // Loading and running share the spinner.
    const icons = standings.map((state) => look(node, state).icon?.id);
    assert.equal(new Set(icons).size, standings.length - 1);
    assert.equal(look(node, 'running').description, 'running');
    assert.equal(look(node, 'needsYou').description, 'needs you');
  });

  it('names the agent of a row whose icon says what the session does, and not that below Needs You', () => {
    const node = session();
    const [shared] = model.agents.all;
    assert.ok(shared);
    assert.equal(look(node, 'idle', {}, { shared }).description, '3h', 'the icon is the agent’s');
    assert.equal(look(node, 'needsYou', {}, { shared }).description, 'Agent a · needs you');
    assert.equal(look(node, 'unread', {}, { shared }).description, 'Agent a · 3h');
    const below = { ...node, parent: { kind: 'group', group: needsGroup } as GroupNode };
    assert.equal(look(below, 'needsYou', {}, { shared }).description, 'Agent a');
    assert.equal(look(below, 'running', {}, { shared }).description, 'Agent a');
    assert.equal(look(below, 'needsYou').spoken, 'Fix the tests, 3h ago, needs your answer');
  });

  it('LOAD-1, RES-1, DEL-1: offers on a row what its agent says that it can do', () => {
    const node = session();
    const agent = model.agents.all[0];
    assert.ok(agent);
    agent.can.clear();
    agent.state = { kind: 'ready', connection: { authMethods: [] } as never };
    assert.deepEqual(look(node).words, ['session', ...always]);
    const offers = {
      load: 'openable',
      resume: 'resumable',
      fork: 'forkable',
      delete: 'deletable',
    };
    for (const [capability, word] of Object.entries(offers)) {
      agent.can.add(capability);
      assert.ok(
        look(node).words.some((other) => other === word),
        word,
      );
      agent.can.delete(capability);
    }
    agent.can.add('resume');
    assert.deepEqual(look(node, 'open').words, ['session', 'openable', 'open', ...always]);
    assert.ok(look(node, 'running').words.includes('stoppable'));
  });

  it('CLOSE-1: offers to close an open session where its agent can', () => {
    const node = session();
    const agent = model.agents.all[0];
    assert.ok(agent);
    agent.can.add('close');
    assert.ok(look(node, 'open').words.includes('closable'));
    assert.ok(!look(node).words.includes('closable'), 'it isn’t open');
    agent.can.delete('close');
    assert.ok(!look(node, 'open').words.includes('closable'));
  });

  it('shortens a title so that what stands behind it fits a narrow side bar', () => {
    const title = 'Cart total is off by a cent or two with discounts';
    const node = session({}, title);
    const shown = look(node, 'open', {}, { changed: 2 });
    assert.equal(shown.description, '2 files · 3h');
    assert.equal(shown.label, 'Cart total is off by…');
    assert.equal(shown.spoken, `${title}, 3h ago, 2 files, open`, 'all of it is said');
    assert.match(findTooltip(node) ?? '', new RegExp(`^${title}`));
    assert.equal(look(node, 'open', {}, { changed: 1 }).description, '1 file · 3h');
    const wide = look(session({}, '你好'.repeat(40))).label;
    assert.ok(wide.length < 20, wide);
    const family = look(session({}, `${'x'.repeat(30)} ${'👨‍👩‍👧‍👦'.repeat(9)}`)).label;
    assert.doesNotMatch(family, /\u200d…$/u);
  });

  it('says how much waits for review, and no longer what a session changed once all is decided', () => {
    const node = session();
    const shown = look(node, 'open', { review: true }, { changed: 5, toReview: 3 });
    assert.equal(shown.description, '3 to review · 3h');
    assert.equal(shown.spoken, 'Fix the tests, 3h ago, 3 to review, open');
    assert.ok(shown.words.includes('reviewable'));
    const decided = look(node, 'open', {}, { changed: 0, toReview: 0 });
    assert.equal(decided.description, '3h');
    assert.ok(!decided.words.includes('reviewable'));
    const unrecorded = look(node, 'open', {}, { changed: 2, toReview: 0 });
    assert.equal(unrecorded.description, '2 files · 3h');
  });

  it('leaves a title whole when nothing stands behind it', () => {
    const list = model.list();
    const title = 'Cart total is off by a cent or two with discounts';
    list.rows = [list.row('s1', undefined, title)];
    list.state = { kind: 'loaded' };
    const [node] = model.tree.children();
    assert.ok(node);
    assert.equal(look(node).label, title);
  });

  it('shows a local name, with the agent’s title in the tooltip', () => {
    const node = session();
    const shown = look(node, 'idle', { alias: 'Mine' });
    assert.equal(shown.label, 'Mine');
    assert.equal(shown.spoken, 'Mine, 3h ago');
    assert.ok(shown.words.includes('named'));
    assert.match(findTooltip(node, { alias: 'Mine' }) ?? '', /^Fix the tests\nLocal name: Mine\n/);
  });

  it('says that a window took a turn away, until the session is open again', () => {
    const node = session();
    const shown = look(node, 'idle', { interrupted: true, unread: true });
    assert.equal(shown.icon?.id, 'warning');
    assert.equal(shown.description, 'interrupted · 3h');
    assert.equal(shown.spoken, 'Fix the tests, 3h ago, interrupted');
    assert.equal(look(node, 'running', { interrupted: true }).icon?.id, 'loading~spin');
  });

  it('shows the user’s marks by icon, in words and to screen readers', () => {
    const node = session();
    const shown = look(node, 'idle', { pinned: true, archived: true, unread: true });
    assert.equal(shown.icon?.id, 'circle-filled');
    assert.equal(shown.description, 'archived · 3h');
    assert.equal(shown.spoken, 'Fix the tests, 3h ago, pinned, archived, not read yet');
    for (const word of ['pinned', 'archived', 'unread'] as const) {
      assert.ok(shown.words.includes(word));
    }
    assert.ok(!shown.words.includes('closable'), 'unread is not open');
    const running = look(node, 'running', { unread: true });
    assert.equal(running.icon?.id, 'loading~spin', 'what happens now comes first');
  });

  it('AUTH-10: offers to sign in and out where the running agent has a way', () => {
    const agent = model.agents.all[0];
    assert.ok(agent);
    const node: SessionsNode = { kind: 'agent', id: 'a', parent: undefined, agent };
    agent.state = { kind: 'ready', connection: { authMethods: [] } as never };
    assert.deepEqual(look(node).words, ['agent', 'running', 'startedHere']);
    agent.state = { kind: 'ready', connection: { authMethods: [{}] } as never };
    agent.can.add('logout');
    assert.deepEqual(look(node).words, ['agent', 'running', 'signIn', 'signOut', 'startedHere']);
  });

  it('LOAD-1, LIST-18: offers to open only what the agent can load, and says why not', () => {
    const node = session();
    const [agent] = model.agents.all;
    assert.ok(agent);
    agent.can.delete('load');
    assert.equal(look(node).click, 'open', 'nobody knows before the agent runs');
    agent.state = { kind: 'ready', connection: undefined as never };
    assert.equal(look(node).click, undefined);
    assert.deepEqual(look(node).words, ['session', ...always]);
    assert.match(findTooltip(node) ?? '', /but can’t load it/);
  });

  it('T-6: has the whole story in the tooltip, as plain text', () => {
    const tooltip = findTooltip(
      session({
        title: 'A **title** with\n$(icon) and \u202Ebidi',
        additionalDirectories: ['/code/more'],
        _meta: { model: 'large', turns: 3, nested: { a: 1 }, none: null },
      }),
    );
    const lines = tooltip?.split('\n') ?? [];
    assert.equal(lines[0], 'A **title** with $(icon) and bidi');
    assert.ok(lines.includes('Agent: Agent a'));
    assert.ok(lines.includes('Folder: /code/project'));
    assert.ok(lines.includes('Also: /code/more'));
    assert.ok(lines.includes('Session: s1'));
    assert.ok(lines.includes('model: large') && lines.includes('turns: 3'));
    assert.ok(!tooltip?.includes('nested') && !tooltip?.includes('none'));
    assert.match(tooltip ?? '', /Last change: .*2026/);
  });

  it('bounds a tooltip, whatever an agent sends', () => {
    const long = 'x'.repeat(100_000);
    const meta = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${n}${long}`, long]));
    const roots = Array.from({ length: 20 }, () => long);
    const tooltip = findTooltip(
      session({
        title: long,
        sessionId: long,
        cwd: long,
        additionalDirectories: roots,
        _meta: meta,
      }),
    );
    assert.ok((tooltip?.length ?? 0) < 20_000);
  });

  it('offers to delete a session that only this window lists', () => {
    const node = session();
    assert.ok(!look(node).words.includes('deletable'));
    model.list().state = { kind: 'unsupported' };
    assert.ok(look(node).words.includes('deletable'));
  });

  it('turns "Older sessions" into a line that can’t be expanded while the page comes', () => {
    const list = model.list();
    const older: SessionsNode = { kind: 'older', id: 'o', parent: undefined, list };
    list.more = { kind: 'ready' };
    assert.deepEqual([look(older).label, look(older).expandable], ['Older sessions', true]);
    list.more = { kind: 'loading' };
    assert.equal(look(older).expandable, false);
  });
});
