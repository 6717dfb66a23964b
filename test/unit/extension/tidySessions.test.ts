import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readAllPages } from '../../../src/views/picker/readPages';
import type { SessionNode } from '../../../src/views/sessions/nodes/nodes';
import { ableInitialize, type Scenario } from '../../fakeAgent/scenario';
import { Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import { Pickers } from '../../vscode/harness/pickers';
import {
  ExtensionBench,
  fakeEntry,
  listed,
  update,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';

const agentId = 'tidy';

describe('tidying sessions', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
  });
  afterEach(async () => {
    const { choices, marks } = bench.api;
    choices.clearFilter();
    choices.setSorting('time');
    choices.setShowsHidden(false);
    await choices.setGrouping('date');
    for (const sessionId of ['s1', 's2', 's3']) {
      await marks.forget({ agentId, sessionId });
    }
    dialogs.dispose();
    await update('hiddenSessions', undefined);
    await bench.dispose();
  });

  async function setAgent(scenario: Scenario = {}): Promise<readonly SessionNode[]> {
    await bench.setAgents({
      [agentId]: fakeEntry('Tidy', {
        sessions: [
          listed('s1', 'Zebra', '2026-03-03T12:00:00Z'),
          listed('s2', 'Ant', '2026-03-02T12:00:00Z'),
          listed('s3', 'Nightly run 3', '2026-03-01T12:00:00Z'),
        ],
        record: bench.file('log'),
        ...scenario,
      }),
    });
    bench.nodes();
    return [
      await bench.session('Zebra'),
      await bench.session('Ant'),
      await bench.session('Nightly run 3'),
    ];
  }

  function run(command: string, ...args: unknown[]): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.${command}`, ...args);
  }

  function item(node: SessionNode | undefined): vscode.TreeItem {
    assert.ok(node);
    return bench.api.view.getTreeItem(node);
  }

  /** Enters a text and selects items in "Filter Sessions…", and accepts. */
  async function filter(text: string, ...labels: readonly string[]): Promise<void> {
    const pickers = new Pickers();
    const done = run('sessions.filter');
    const picker = await pickers.made();
    picker.value = text;
    picker.selectedItems = picker.items.filter(({ label }) => labels.includes(label));
    await pickers.accept(done);
    pickers.dispose();
  }

  async function sent(method: string): Promise<number> {
    return (await bench.received('log')).filter((message) => message.method === method).length;
  }

  it('pins all that are selected, above the others, and offers to unpin them', async () => {
    const [zebra, ant, nightly] = await setAgent();
    await run('session.pin', ant, [ant, nightly]);
    assert.deepEqual(bench.labels(), ['Pinned', 'Ant', 'Nightly run 3', 'Zebra']);
    assert.match(item(ant).contextValue ?? '', /\bpinned\b/);
    assert.match(item(zebra).contextValue ?? '', /\bpinnable\b/);
    await run('session.unpin', ant, [ant, nightly]);
    assert.deepEqual(bench.labels(), ['Zebra', 'Ant', 'Nightly run 3']);
  });

  it('gives a session a name that its agent doesn’t hear of, and takes it away', async () => {
    const [zebra] = await setAgent({ initialize: ableInitialize });
    assert.ok(zebra);
    const locally = (name: string): void => {
      dialogs.answer = ({ kind }) => (kind === 'input' ? name : 'Rename Locally');
    };
    locally('  Stripes\n');
    await run('session.rename', zebra);
    assert.equal(item(zebra).label, 'Stripes');
    const tooltip = bench.api.tree.tooltip(zebra);
    assert.ok(typeof tooltip === 'string');
    assert.match(tooltip, /^Zebra\nLocal name: Stripes/);
    assert.match(item(zebra).contextValue ?? '', /\bnamed\b/);
    locally('');
    await run('session.rename', zebra);
    assert.equal(item(zebra).label, 'Zebra');
    assert.doesNotMatch(item(zebra).contextValue ?? '', /\bnamed\b/);
    assert.equal(await sent('session/set_title'), 0);
  });

  it('does nothing to the tab that shows when VS Code can’t say which row was meant', async () => {
    const [, ant] = await setAgent();
    await bench.click(ant as SessionNode);
    await waitFor(() => bench.api.panels.active?.session.info.sessionId === 's2', 'the tab');
    await run('session.pin', undefined, null);
    await run('session.archive', undefined, [undefined, undefined]);
    assert.deepEqual(bench.labels(), ['Zebra', 'Ant', 'Nightly run 3']);
    assert.match(item(ant).contextValue ?? '', /pinnable/);
    assert.equal(dialogs.texts('information').filter((text) => /try again/.test(text)).length, 2);
  });

  it('archives here what the agent can’t archive, takes it back, and finds it by the filter', async () => {
    const [zebra, ant] = await setAgent();
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Undo');
    await run('session.archive', zebra, [zebra, ant]);
    assert.match(dialogs.texts('information').join(), /Archived 2 sessions/);
    await waitFor(() => bench.labels().length === 3, 'both to come back');
    dialogs.answer = () => undefined;
    await run('session.archive', ant);
    assert.deepEqual(bench.labels(), ['Zebra', 'Nightly run 3']);
    await filter('', 'Archived');
    assert.deepEqual(bench.labels(), ['Only archived', 'Ant']);
    await run('session.unarchive', await bench.session('Ant'));
    assert.deepEqual(bench.labels(), [
      'Only archived',
      'No session matches the filter. Clear Filter',
    ]);
    const [, message] = bench.nodes();
    assert.ok(message);
    await bench.click(message);
    assert.deepEqual(bench.labels(), ['Zebra', 'Ant', 'Nightly run 3']);
    assert.equal(await sent('session/archive'), 0);
  });

  it('finds by the filter what the agent has archived, and has the agent take it back', async () => {
    const [zebra] = await setAgent({ initialize: ableInitialize });
    await run('session.archive', zebra);
    await waitFor(() => bench.labels().join() === 'Ant,Nightly run 3', 'the row to go');
    assert.equal(await sent('session/archive'), 1);
    dialogs.answer = () => undefined;
    await filter('', 'Archived');
    const archived = await bench.session('Zebra');
    assert.deepEqual(bench.labels(), ['Only archived', 'Zebra']);
    assert.match(item(archived).contextValue ?? '', /\barchived\b/);
    await run('session.unarchive', archived);
    assert.equal(await sent('session/unarchive'), 1);
    bench.api.choices.clearFilter();
    await waitFor(() => bench.labels().join() === 'Zebra,Ant,Nightly run 3', 'the row to be back');
  });

  it('filters by words, says by which, and shows everything again at a click', async () => {
    await setAgent();
    await filter(' nightly RUN ');
    assert.deepEqual(bench.labels(), ['Only “nightly RUN”', 'Nightly run 3']);
    const [line] = bench.nodes();
    assert.ok(line);
    assert.equal(bench.api.view.getTreeItem(line).description, 'Clear Filter');
    await bench.click(line);
    assert.deepEqual(bench.labels(), ['Zebra', 'Ant', 'Nightly run 3']);
  });

  it('renames a row at its agent where that can, and for oneself elsewhere', async () => {
    const [zebra] = await setAgent();
    dialogs.answer = ({ kind }) => (kind === 'input' ? 'Stripes' : undefined);
    await run('session.rename', zebra);
    assert.equal(item(zebra).label, 'Stripes');
    assert.equal(await sent('session/set_title'), 0);
    const [other] = await setAgent({
      initialize: ableInitialize,
      on: { 'session/set_title': [{ result: { title: 'Stripes' } }] },
    });
    assert.equal(item(other).label, 'Stripes', 'the local name is still there');
    dialogs.answer = ({ kind }) => (kind === 'input' ? 'Spots' : 'Rename');
    await run('session.rename', other);
    await waitFor(async () => (await sent('session/set_title')) === 1, 'the agent to hear of it');
    assert.equal(bench.api.marks.get(agentId, 's1').alias, undefined);
  });

  it('renames and deletes nothing by a key when no session’s row has the focus', async () => {
    const [, ant] = await setAgent({ initialize: ableInitialize });
    await bench.click(ant as SessionNode);
    await waitFor(() => bench.api.panels.active?.session.info.sessionId === 's2', 'the tab');
    const restore = replaceMember(bench.api.view, 'focusedRows', () => Promise.resolve([]));
    await run('session.rename', 'focusedRows');
    await run('session.delete', 'focusedRows');
    restore();
    assert.deepEqual(dialogs.asked, [], 'the tab that shows isn’t meant');
  });

  it('marks sessions as unread and as read', async () => {
    const [zebra, ant] = await setAgent();
    assert.equal((item(zebra).iconPath as vscode.ThemeIcon).id, 'comment', 'a history is not news');
    await run('session.markUnread', zebra, [zebra, ant]);
    assert.equal((item(ant).iconPath as vscode.ThemeIcon).id, 'circle-filled');
    await run('session.markRead', ant);
    await filter('', 'Unread');
    assert.deepEqual(bench.labels(), ['Only unread', 'Needs You', 'Zebra']);
    await run('session.markRead', zebra);
    assert.match(bench.labels().join(), /No session matches/);
  });

  it('shows a session as unread when it changed after it was looked at', async () => {
    const [zebra, ant] = await setAgent();
    assert.ok(zebra && ant);
    await run('session.open', zebra);
    await waitFor(() => bench.api.marks.get(agentId, 's1').read !== undefined, 'its being read');
    const agent = bench.api.agents.get(agentId);
    assert.ok(agent);
    await run('session.open', ant);
    await waitFor(() => bench.api.marks.get(agentId, 's2').read !== undefined, 'the other, too');
    agent.lists.push('s1', { updatedAt: '2026-03-05T12:00:00Z' });
    agent.lists.push('s3', { updatedAt: '2026-03-05T12:00:00Z' });
    const opened = item(await bench.session('Zebra')).contextValue ?? '';
    assert.doesNotMatch(opened, /\bunread\b/, 'an open one is read as far as its agent dates it');

    await run('session.close', zebra);
    await waitFor(() => bench.api.sessions.find(agentId, 's1') === undefined, 'its end');
    agent.lists.push('s1', { updatedAt: new Date(Date.now() + 3_600_000).toISOString() });
    assert.match(item(await bench.session('Zebra')).contextValue ?? '', /\bunread\b/);
    const neverRead = item(await bench.session('Nightly run 3'));
    assert.match(neverRead.contextValue ?? '', /\breadable\b/);
  });

  it('hides what acpSessions.hiddenSessions names, says how many, and shows them again', async () => {
    await setAgent();
    await update('hiddenSessions', ['nightly *']);
    await waitFor(() => bench.labels().includes('1 hidden. Show'), 'the hint');
    assert.deepEqual(bench.labels(), ['Zebra', 'Ant', '1 hidden. Show']);
    await run('sessions.showHidden');
    assert.deepEqual(bench.labels(), ['Zebra', 'Ant', 'Nightly run 3', 'Hide 1 again']);
  });

  it('says which rule can’t be used', async () => {
    await setAgent();
    await update('hiddenSessions', ['/(/']);
    await waitFor(() => dialogs.texts('warning').length > 0, 'the warning');
    assert.match(dialogs.texts('warning').join(), /“\/\(\/”.*is ignored/);
    assert.deepEqual(bench.labels(), ['Zebra', 'Ant', 'Nightly run 3']);
  });

  it('sorts by title and groups by folder when told to, in a list that stays open', async () => {
    await setAgent();
    const pickers = new Pickers();
    const done = run('sessions.viewOptions');
    const choose = async (heading: string, label: string): Promise<void> => {
      const picker = await pickers.shown();
      const at = picker.items.findIndex((item) => item.label === heading);
      const item = picker.items.slice(at).find((each) => each.label === label);
      picker.activeItems = [item!];
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      await waitFor(() => picker.activeItems[0]?.description === 'on', 'the check mark');
    };
    await choose('Sort by', 'Title');
    assert.deepEqual(bench.labels(), ['Ant', 'Nightly run 3', 'Zebra']);
    await choose('Group by', 'Folder');
    assert.deepEqual(bench.labels().slice(1), ['Ant', 'Nightly run 3', 'Zebra']);
    await choose('Group by', 'Nothing');
    await choose('Sort by', 'Time');
    assert.deepEqual(bench.labels(), ['Zebra', 'Ant', 'Nightly run 3']);
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await done;
    pickers.dispose();
  });

  it('filters as one types, over further pages, says how many match, and takes it back', async () => {
    await setAgent({
      pageSize: 3,
      sessions: [
        ...[
          listed('s1', 'Zebra', '2026-03-03T12:00:00Z'),
          listed('s2', 'Ant', '2026-03-02T12:00:00Z'),
        ],
        listed('s3', 'Nightly run 3', '2026-03-01T12:00:00Z'),
        ...[listed('s4', 'Another zebra', '2026-02-01T12:00:00Z'), listed('s5', 'Bee')],
      ],
    });
    const pickers = new Pickers();
    const done = run('sessions.filter');
    const picker = await pickers.shown();
    assert.equal(picker.title, 'Filter Sessions: 3 of 3');
    picker.value = 'zebra';
    await waitFor(() => bench.labels().includes('Another zebra'), 'the match of a later page');
    assert.deepEqual(bench.labels(), ['Only “zebra”', 'Zebra', 'Another zebra']);
    await waitFor(() => picker.title === 'Filter Sessions: 2 of 5', 'the count');
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await done;
    assert.deepEqual(bench.labels(), ['Zebra', 'Ant', 'Nightly run 3', 'Older sessions']);
    pickers.dispose();
  });

  describe('sessions older than a date', () => {
    it('DEL-6: reads every page, asks once, and deletes the chosen sessions', async () => {
      await setAgent({
        initialize: ableInitialize,
        pageSize: 3,
        sessions: [
          listed('s1', 'Zebra', new Date().toISOString()),
          listed('s2', 'Ant', '2020-03-02T12:00:00Z'),
          listed('s3', 'Nightly run 3', '2020-03-01T12:00:00Z'),
          listed('s4', 'Old', '2019-03-01T12:00:00Z'),
        ],
        on: { 'session/delete': [{ result: {} }] },
      });
      await run('session.pin', await bench.session('Ant'));
      dialogs.answer = ({ kind, choices }) => {
        if (kind === 'pick') {
          return choices.includes('30 days') ? '30 days' : choices.join('\n');
        }
        return choices.find((choice) => choice === 'Delete');
      };
      await run('sessions.deleteOlder');
      const pick = dialogs.asked.filter(({ kind }) => kind === 'pick').at(-1);
      assert.deepEqual(pick?.choices, ['Old', 'Nightly run 3'], 'nothing that is pinned or new');
      assert.match(dialogs.texts('warning').join(), /Delete 2 sessions\?/);
      assert.equal(await sent('session/delete'), 2);
      assert.deepEqual(bench.labels(), ['Pinned', 'Ant', 'Zebra']);
    });

    it('DEL-6: reads every page even while something else reads them, too', async () => {
      const old = Array.from({ length: 9 }, (_, index) =>
        listed(`old${index}`, `Old ${index}`, `2020-03-0${index + 1}T12:00:00Z`),
      );
      await bench.setAgents({
        [agentId]: fakeEntry('Tidy', { initialize: ableInitialize, pageSize: 1, sessions: old }),
      });
      bench.nodes();
      await bench.session('Old 0');
      const list = bench.api.agents.all[0]?.lists.of({ name: '', path: workspaceFolder() });
      assert.ok(list);
      dialogs.answer = ({ kind, choices }) =>
        kind === 'pick' && choices.includes('30 days') ? '30 days' : undefined;
      const reading = readAllPages([list], new AbortController().signal);
      await run('sessions.deleteOlder');
      await reading;
      const pick = dialogs.asked.filter(({ kind }) => kind === 'pick').at(-1);
      assert.equal(pick?.choices.length, old.length);
    });

    it('says so when there is none', async () => {
      await setAgent({
        initialize: ableInitialize,
        sessions: [
          listed('s1', 'Zebra', new Date().toISOString()),
          listed('s2', 'Ant', 'not a date'),
          listed('s3', 'Nightly run 3', new Date().toISOString()),
        ],
      });
      dialogs.answer = ({ kind }) => (kind === 'pick' ? '1 week' : undefined);
      await run('sessions.deleteOlder');
      assert.match(dialogs.texts('information').join(), /no sessions here older than/);
    });
  });
});
