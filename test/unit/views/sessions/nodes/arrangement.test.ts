import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { HideRules } from '../../../../../src/model/list/hideRules';
import { sessionKey } from '../../../../../src/model/list/sessionInfo';
import type { SessionsNode } from '../../../../../src/views/sessions/nodes/nodes';
import { until } from '../../../../support/until';
import { day, FakeModel, now } from '../fakes';

describe('arrangement of the sessions tree', () => {
  let model: FakeModel;
  beforeEach(() => {
    model = new FakeModel('a');
    load('Zebra', 'Ant', 'Bot 10', 'Bot 9');
  });
  afterEach(() => {
    model.tree.dispose();
    mock.timers.reset();
  });

  /** Loads rows with their titles as ids, newest first. */
  function load(...titles: readonly string[]): void {
    const list = model.list();
    list.state = { kind: 'loaded' };
    list.rows = titles.map((title, index) => list.row(title, now - index * 1000, title));
  }

  /** The nodes below the filter's row. */
  function outline(node?: SessionsNode, indent = ''): string[] {
    return model.tree.children(node).flatMap((child) => {
      if (child.kind === 'filter') {
        return [];
      }
      if (child.kind === 'session') {
        return [indent + child.row.title];
      }
      if (child.kind === 'message') {
        const { message } = child;
        return [indent + (message.kind === 'hidden' ? `${message.count} hidden` : message.kind)];
      }
      return child.kind === 'group'
        ? [`${indent}${child.group.label}:`, ...outline(child, `${indent}  `)]
        : [indent + child.kind];
    });
  }

  function id(sessionId: string) {
    return { agentId: 'a', sessionId };
  }

  async function changed(): Promise<readonly SessionsNode[] | undefined> {
    return new Promise((resolve) => {
      const listener = model.tree.onDidChange((nodes) => {
        listener.dispose();
        resolve(nodes);
      });
    });
  }

  it('puts pinned sessions first, in a group of their own, and back', async () => {
    model.tree.children();
    const drawn = changed();
    await model.marks.setPinned([id('Ant')], true);
    assert.equal(await drawn, undefined, 'the only agent’s list is the whole tree');
    assert.deepEqual(outline(), ['Pinned:', '  Ant', 'Zebra', 'Bot 10', 'Bot 9']);
    const [group] = model.tree.children();
    const [ant] = model.tree.children(group);
    assert.equal(ant?.parent, group);
    await model.marks.setPinned([id('Ant')], false);
    assert.deepEqual(outline(), ['Zebra', 'Ant', 'Bot 10', 'Bot 9']);
    assert.equal(model.tree.children()[1], ant, 'the same row');
    assert.equal(ant?.parent, undefined);
  });

  it('puts branches under their origin in every order, and with it into its group', async () => {
    const fork = (name: string, turn: number): Promise<void> =>
      model.marks.setOrigin(id(name), { sessionId: 'Zebra', turn, prompt: 'x', held: 'before' });
    await fork('Bot 9', 2);
    await fork('Ant', 5);
    assert.deepEqual(outline(), ['Zebra', 'Bot 9', 'Ant', 'Bot 10']);
    model.choices.setSorting('title');
    assert.deepEqual(outline(), ['Zebra', 'Bot 9', 'Ant', 'Bot 10'], 'its first row is Ant');
    await model.marks.setPinned([id('Ant')], true);
    assert.deepEqual(outline(), ['Pinned:', '  Ant', 'Zebra', 'Bot 9', 'Bot 10']);
    await model.marks.setPinned([id('Ant')], false);
    model.choices.setFilter({ states: [], agents: [], text: 'ant' });
    assert.deepEqual(outline(), ['Ant'], 'its origin isn’t shown');
  });

  it('keeps archived sessions out until they are asked for', async () => {
    await model.marks.setArchived([id('Ant')], true);
    assert.deepEqual(outline(), ['Zebra', 'Bot 10', 'Bot 9']);
    model.choices.setFilter({ states: ['archived'], agents: [], text: '' });
    assert.deepEqual(outline(), ['Ant']);
    await model.marks.setArchived([id('Ant')], false);
    assert.deepEqual(outline(), ['noneShown']);
    model.choices.clearFilter();
    assert.deepEqual(outline(), ['Zebra', 'Ant', 'Bot 10', 'Bot 9']);
  });

  it('keeps out what the agent has archived, too', () => {
    const list = model.list();
    list.rows = list.rows.map((row, at) =>
      at === 1 ? { ...row, info: { ...row.info, archived: true } } : row,
    );
    assert.deepEqual(outline(), ['Zebra', 'Bot 10', 'Bot 9']);
    model.choices.setFilter({ states: ['archived'], agents: [], text: '' });
    assert.deepEqual(outline(), ['Ant']);
  });

  it('says so when everything is archived', async () => {
    await model.marks.setArchived(['Zebra', 'Ant', 'Bot 10', 'Bot 9'].map(id), true);
    assert.deepEqual(outline(), ['noneShown']);
  });

  it('shows what any of several choices shows', async () => {
    await model.marks.setPinned([id('Ant')], true);
    await model.marks.setUnread([id('Zebra')]);
    model.sessions.open.add(sessionKey('a', 'Bot 9'));
    const shown = (...states: readonly ('open' | 'unread' | 'pinned')[]): string[] => {
      model.choices.setFilter({ states, agents: [], text: '' });
      return outline();
    };
    assert.deepEqual(shown('open'), ['Bot 9']);
    assert.deepEqual(shown('unread'), ['Needs You:', '  Zebra']);
    assert.deepEqual(shown('open', 'unread', 'pinned'), [
      ...['Needs You:', '  Zebra', 'Pinned:', '  Ant', 'Bot 9'],
    ]);
  });

  it('says in a line above all rows that the filter leaves some out, until it is cleared', async () => {
    const top = (): string | undefined => model.tree.children()[0]?.kind;
    assert.equal(top(), 'session');
    const drawn = changed();
    model.choices.setFilter({ states: [], agents: [], text: 'ant' });
    assert.equal(await drawn, undefined, 'all is drawn anew');
    assert.equal(top(), 'filter');
    model.choices.clearFilter();
    assert.equal(top(), 'session');
  });

  it('leaves the sessions that have all words of a text, whatever their case and accents', async () => {
    const shown = (text: string): string[] => {
      model.choices.setFilter({ states: [], agents: [], text });
      return outline();
    };
    assert.deepEqual(shown('BÖT'), ['Bot 10', 'Bot 9']);
    assert.deepEqual(shown('bot  10'), ['Bot 10']);
    assert.deepEqual(shown('project'), ['noneShown'], 'all are in that folder');
    assert.deepEqual(shown('agent'), ['noneShown'], 'all are of that agent');
    await model.marks.setAlias(id('Ant'), 'Robot');
    assert.deepEqual(shown('ant'), ['Ant'], 'the agent’s title still counts');
    assert.deepEqual(shown('robot'), ['Ant']);
    const list = model.list();
    const far = { ...list.row('Far', now, 'Far'), ahead: true };
    const below = { ...far, info: { ...far.info, cwd: '/code/project/shop' } };
    list.rows = [...list.rows, below];
    assert.deepEqual(shown('shop'), ['Far'], 'rows that wait elsewhere are found, too');
  });

  it('finds by agent where there are several', () => {
    model.tree.dispose();
    model = new FakeModel('claude', 'codex').byAgent();
    load('Zebra');
    const rows = (text: string): string[] => {
      model.choices.setFilter({ states: [], agents: [], text });
      const agent = model.tree.children().find(({ kind }) => kind === 'agent');
      return outline(agent);
    };
    assert.deepEqual(rows('claude'), ['Zebra']);
    assert.deepEqual(rows('codex'), ['noneShown']);
  });

  it('follows sessions that are opened if the filter selects them', async () => {
    model.choices.setFilter({ states: ['open'], agents: [], text: '' });
    assert.deepEqual(outline(), ['noneShown']);
    const drawn = changed();
    model.sessions.open.add(sessionKey('a', 'Ant'));
    model.sessions.changed.fire({ agent: { id: 'a' }, info: { sessionId: 'Ant' } } as never);
    await drawn;
    assert.deepEqual(outline(), ['Ant']);
  });

  it('keeps rows that were fetched ahead hidden, except those in use', async () => {
    const list = model.list();
    list.rows = list.rows.map((row) => ({ ...row, ahead: row.title !== 'Zebra' }));
    assert.deepEqual(outline(), ['Zebra']);
    await model.marks.setPinned([id('Ant')], true);
    assert.deepEqual(outline(), ['Pinned:', '  Ant', 'Zebra']);
    const drawn = changed();
    model.sessions.open.add(sessionKey('a', 'Bot 9'));
    model.sessions.changed.fire({ agent: { id: 'a' }, info: { sessionId: 'Bot 9' } } as never);
    await drawn;
    assert.deepEqual(outline(), ['Pinned:', '  Ant', 'Zebra', 'Bot 9']);
    model.choices.setFilter({ states: ['pinned', 'open'], agents: [], text: '' });
    assert.deepEqual(outline(), ['Pinned:', '  Ant', 'Bot 9']);
  });

  it('leaves out agents that the filter doesn’t name, and none for one that is gone', () => {
    model.tree.dispose();
    model = new FakeModel('a', 'b').byAgent();
    const agents = (): string[] =>
      model.tree
        .children()
        .flatMap((node) =>
          node.kind === 'agent' ? node.agent.id : node.kind === 'filter' ? [] : node.kind,
        );
    model.choices.setFilter({ states: [], agents: ['b'], text: '' });
    assert.deepEqual(agents(), ['b']);
    model.choices.setFilter({ states: [], agents: ['gone'], text: '' });
    assert.deepEqual(agents(), ['a', 'b']);
  });

  it('hides what rules name, says how many, and shows them on demand', () => {
    model.rules.all = new HideRules(['bot *']);
    assert.deepEqual(outline(), ['Zebra', 'Ant', '2 hidden']);
    model.choices.setShowsHidden(true);
    assert.deepEqual(outline(), ['Zebra', 'Ant', 'Bot 10', 'Bot 9', '2 hidden']);
  });

  it('never hides pinned, named or open sessions by rule', async () => {
    model.rules.all = new HideRules(['*']);
    await model.marks.setPinned([id('Ant')], true);
    await model.marks.setAlias(id('Bot 10'), 'Mine');
    model.sessions.open.add(sessionKey('a', 'Bot 9'));
    assert.deepEqual(outline(), ['Pinned:', '  Ant', 'Bot 10', 'Bot 9', '1 hidden']);
  });

  it('draws nothing for rows that come ahead', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    model.tree.children();
    const list = model.list();
    let drawn = 0;
    model.tree.onDidChange(() => drawn++);
    list.rows = [...list.rows, { ...list.row('Old', now - 9000, 'Old'), ahead: true }];
    list.changed.fire({ type: 'ahead' });
    mock.timers.tick(1000);
    assert.equal(drawn, 0);
    list.become({ more: { kind: 'ready' } });
    mock.timers.tick(1000);
    assert.equal(drawn, 1);
    assert.deepEqual(outline(), ['Zebra', 'Ant', 'Bot 10', 'Bot 9', 'older']);
  });

  it('sorts by title as it is shown, numbers by their size', async () => {
    model.choices.setSorting('title');
    assert.deepEqual(outline(), ['Ant', 'Bot 9', 'Bot 10', 'Zebra']);
    await model.marks.setAlias(id('Zebra'), 'Aardvark');
    assert.deepEqual(outline(), ['Zebra', 'Ant', 'Bot 9', 'Bot 10']);
  });

  it('sorts by title within the dates', () => {
    const list = model.list();
    list.rows = ['d', 'a', 'c', 'b', 'f', 'e', 'g', 'h', 'i'].map((title, index) =>
      list.row(title, now - (index < 4 ? 0 : day), title),
    );
    model.choices.setSorting('title');
    assert.deepEqual(outline(), [
      ...['Today:', '  a', '  b', '  c', '  d'],
      ...['Yesterday:', '  e', '  f', '  g', '  h', '  i'],
    ]);
  });

  it('shows the sessions of all folders on demand, each under its folder', async () => {
    model = new FakeModel('a');
    model.workspace.folders.push({ name: 'other', path: '/code/other' });
    model.tree.children();
    let shape = false;
    model.tree.onDidChange((nodes) => (shape ||= nodes === undefined));
    model.choices.setScope('all');
    await until(() => shape);
    model.tree.children();
    const list = model.agents.all[0]!.lists.of(undefined);
    assert.deepEqual(list.calls, ['load']);
    const places = ['/code/other', '/far/away', '/code/project/docs'];
    const rows = places.map((cwd, index) => {
      const row = list.row(`s${index}`, now - index);
      return { ...row, info: { ...row.info, cwd } };
    });
    list.become({ state: { kind: 'loaded' }, rows });
    const groups = model.tree.children().filter((node) => node.kind === 'group');
    assert.deepEqual(
      groups.map(({ group }) => group.label),
      ['other', '/far/away', 'docs'],
    );
    model.choices.setScope('workspace');
    assert.deepEqual(
      model.tree.children().map(({ kind }) => kind),
      ['folder', 'folder'],
    );
  });

  it('shows first what waits for review, and follows each decision', async () => {
    model.tree.children();
    model.reviews.pending.set(sessionKey('a', 'Ant'), 2);
    model.sessions.open.add(sessionKey('a', 'Bot 9'));
    await model.choices.setGrouping('state');
    assert.deepEqual(outline(), [
      ...['Needs You:', '  Ant'],
      ...['Open:', '  Bot 9', 'Not Open:', '  Zebra', '  Bot 10'],
    ]);
    // VS Code indents rows below a group with an icon further.
    const icons = model.tree.children().map((node) => node.kind === 'group' && node.group.icon);
    assert.equal(icons.includes(undefined), false);
    model.reviews.pending.clear();
    model.reviews.changed.fire();
    await changed();
    assert.deepEqual(outline(), [
      ...['Open:', '  Bot 9', 'Not Open:', '  Zebra', '  Ant', '  Bot 10'],
    ]);
  });

  it('shows only what waits for review when filtered by it', () => {
    model.tree.children();
    model.reviews.pending.set(sessionKey('a', 'Bot 9'), 1);
    model.choices.setFilter({ states: ['review'], agents: [], text: '' });
    assert.deepEqual(outline(), ['Needs You:', '  Bot 9']);
  });

  it('shows only what works in another worktree when filtered by it', () => {
    const list = model.list();
    const row = list.row('far', now, 'Far');
    const place = '/code/project-x';
    model.worktrees.all = [{ path: place, branch: 'x', isMain: false }];
    list.rows = [...list.rows, { ...row, info: { ...row.info, cwd: place } }];
    model.tree.children();
    model.choices.setFilter({ states: ['worktree'], agents: [], text: '' });
    assert.deepEqual(outline(), ['Far']);
  });

  it('groups by folder: the workspace’s by its name, those below by their way', async () => {
    const list = model.list();
    const at = (cwd: string, title: string) => {
      const row = list.row(title, now, title);
      return { ...row, info: { ...row.info, cwd } };
    };
    list.rows = [
      at('/code/project/web', 'one'),
      at('/code/project', 'two'),
      at('/code/project/web', 'three'),
      at('/code/project-2', 'four'),
    ];
    await model.choices.setGrouping('folder');
    assert.deepEqual(outline(), [
      ...['web:', '  one', '  three', 'project:', '  two', '/code/project-2:', '  four'],
    ]);
  });
});
