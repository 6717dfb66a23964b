import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SessionNode, SessionsNode } from '../../../src/views/sessions/nodes/nodes';
import { Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import { ExtensionBench, fakeEntry, listed, waitFor } from '../../vscode/harness/support';

describe('groups of sessions', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
  });
  afterEach(async () => {
    const { groups } = bench.api;
    await Promise.all(groups.all.map(({ id }) => groups.delete(id)));
    dialogs.dispose();
    await bench.dispose();
  });

  async function setAgent(): Promise<readonly [SessionNode, SessionNode, SessionNode]> {
    await bench.setAgents({
      grouped: fakeEntry('Grouped', {
        sessions: [
          listed('s1', 'Zebra', '2026-03-03T12:00:00Z'),
          listed('s2', 'Ant', '2026-03-02T12:00:00Z'),
          listed('s3', 'Bee', '2026-03-01T12:00:00Z'),
        ],
      }),
    });
    bench.nodes();
    return [await bench.session('Zebra'), await bench.session('Ant'), await bench.session('Bee')];
  }

  function run(command: string, ...args: unknown[]): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.${command}`, ...args);
  }

  function words(node: SessionsNode): string {
    return bench.api.view.getTreeItem(node).contextValue ?? '';
  }

  function group(): SessionsNode {
    const found = bench.nodes().find((node) => node.kind === 'group');
    assert.ok(found);
    return found;
  }

  it('T-183: are made from several rows at once, shown at a click, and ordered by keys', async () => {
    const rows = await setAgent();
    dialogs.answer = ({ kind }) => (kind === 'input' ? ' Small\nanimals ' : 'Show My Groups');
    await run('session.addToGroup', rows[1], [rows[1], rows[2]]);
    await waitFor(() => bench.api.choices.grouping === 'own', 'the groups to show');
    assert.deepEqual(bench.labels(), ['Small animals', 'Ant', 'Bee', 'Zebra']);
    const zebra = await bench.session('Zebra');
    const [ant, bee] = [await bench.session('Ant'), await bench.session('Bee')];
    assert.match(words(ant), /\bgrouped\b/);
    assert.doesNotMatch(words(zebra), /grouped/);
    const restore = replaceMember(bench.api.view, 'focusedRows', () => Promise.resolve([bee]));
    await run('sessions.moveUp', 'focusedRows');
    restore();
    assert.deepEqual(bench.labels(), ['Small animals', 'Bee', 'Ant', 'Zebra']);
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Small animals');
    await run('session.addToGroup', zebra);
    assert.deepEqual(bench.labels(), ['Small animals', 'Bee', 'Ant', 'Zebra']);
    await run('sessions.moveUp', zebra, [zebra]);
    await run('session.removeFromGroup', bee, [bee, ant]);
    assert.deepEqual(bench.labels(), ['Small animals', 'Zebra', 'Ant', 'Bee']);
  });

  it('T-183: are renamed, colored and deleted, which can be undone', async () => {
    await setAgent();
    await bench.api.choices.setGrouping('own');
    assert.deepEqual(bench.labels().slice(0, 1), ['No groups yet. New Group…']);
    dialogs.answer = ({ kind }) => (kind === 'input' ? 'Stripes $(x)' : undefined);
    await bench.click(await bench.message('noGroups'));
    const { groups } = bench.api;
    await groups.put([{ agentId: 'grouped', sessionId: 's1' }], groups.all[0]?.id ?? '');
    assert.match(words(group()), /\bownGroup\b/);
    const edit = async (...answers: readonly string[]): Promise<void> => {
      const left = [...answers];
      dialogs.answer = () => left.shift();
      await run('group.edit', group());
    };
    await edit('Color…', 'Green');
    assert.deepEqual(
      bench.api.view.getTreeItem(group()).iconPath,
      new vscode.ThemeIcon('tag', new vscode.ThemeColor('charts.green')),
    );
    await edit('Rename…', 'Striped');
    assert.deepEqual(bench.labels(), ['Striped', 'Zebra', 'Ant', 'Bee']);
    await edit('Delete', 'Undo');
    assert.match(dialogs.texts('information').join(), /Deleted the group “Striped”/);
    assert.deepEqual(bench.labels(), ['Striped', 'Zebra', 'Ant', 'Bee']);
    await edit('Delete');
    assert.deepEqual(bench.labels().slice(1), ['Zebra', 'Ant', 'Bee']);
  });

  it('T-183: are renamed and deleted by keys, one at a time', async () => {
    const rows = await setAgent();
    const { groups, view, choices } = bench.api;
    await choices.setGrouping('own');
    await groups.add('Striped');
    const focused: SessionsNode[] = [group()];
    const restore = replaceMember(view, 'focusedRows', () => Promise.resolve(focused));
    const names = () => groups.all.map(({ name }) => name);
    dialogs.answer = ({ kind }) => (kind === 'input' ? 'Spotted' : undefined);
    await run('session.rename', 'focusedRows');
    assert.deepEqual(names(), ['Spotted']);
    focused.push(...rows.slice(0, 1));
    await run('session.delete', 'focusedRows');
    assert.deepEqual(names(), ['Spotted'], 'with a session it isn’t clear what is meant');
    focused.splice(0, 2, group());
    await run('session.delete', 'focusedRows');
    assert.deepEqual(names(), []);
    assert.match(dialogs.texts('information').join(), /Deleted the group “Spotted”/);
    restore();
  });

  it('SEC-350: are as many as can be kept, and no more', async () => {
    await setAgent();
    const { groups } = bench.api;
    while (!groups.isFull) {
      await groups.add(`Group ${groups.all.length}`);
    }
    const before = groups.all.length;
    dialogs.answer = ({ kind }) => (kind === 'input' ? 'One more' : undefined);
    await run('group.new');
    assert.equal(groups.all.length, before);
    assert.match(dialogs.texts('information').join(), /There are 50 groups/);
  });
});
