import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ableInitialize, fakeAgent, type Step, update2 } from '../../fakeAgent/scenario';
import { type Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import { type ExtensionBench, fakeEntry, listed, waitFor } from '../../vscode/harness/support';
import { useBench } from './useBench';

const counts = { inputTokens: 1200, outputTokens: 34, totalTokens: 1234, cachedReadTokens: 56 };
const costs = (amount: number): Step => ({
  update: {
    ...{ sessionUpdate: 'usage_update', used: 1234, size: 200_000 },
    cost: { amount, currency: 'USD' },
  },
});

describe('Show Usage', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  afterEach(async () => {
    dialogs.answer = () => 'Clear';
    await vscode.commands.executeCommand('acpSessions.storedData.clear', 'usage');
  });
  useBench((made, user) => {
    bench = made;
    dialogs = user;
  });

  const show = async (what: string): Promise<string> => {
    await vscode.commands.executeCommand('acpSessions.usage.show');
    const { uri } = await waitFor(() => vscode.window.activeTextEditor?.document, 'the document');
    const read = (): string => bench.api.documents.provideTextDocumentContent(uri);
    await waitFor(() => read().includes(what), what);
    return read();
  };
  const row = (text: string, name: string): readonly string[] =>
    text
      .split('\n')
      .find((line) => line.startsWith(`| ${name}`))
      ?.split('|')
      .slice(1)
      .map((cell) => cell.trim()) ?? [];

  /** An agent of version 1 that tells a cost, and one of version 2 that also begins a turn by itself. */
  async function used(): Promise<void> {
    await bench.setAgents({
      one: fakeEntry('One', {
        initialize: ableInitialize,
        on: {
          'session/prompt': [costs(0.25), { result: { stopReason: 'end_turn', usage: counts } }],
        },
      }),
      two: {
        title: 'Two',
        ...fakeAgent({
          version: 2,
          sessions: [listed('s2', 'The second')],
          replays: { s2: [] },
          watch: [
            {
              file: bench.file('go'),
              steps: [
                { updates: [update2.running], sessionId: 's2' },
                { update: update2.idle('end_turn', { usage: counts }), sessionId: 's2' },
                { touch: bench.file('gone') },
              ],
            },
          ],
        }),
        protocol: '2',
      },
    });
    const agent = await waitFor(() => bench.api.agents.get('one'), 'the agent');
    const folder = bench.api.workspace.folders[0];
    assert.ok(folder);
    const session = await bench.api.sessions.create(agent, folder);
    session.turns.submit({ text: 'go', attachments: [] });
    await waitFor(() => session.transcript.entries.length > 0, 'the prompt');
    await waitFor(() => session.turns.current.kind === 'idle', 'the end of the turn');
    await vscode.commands.executeCommand(
      'acpSessions.session.open',
      await bench.session('The second'),
    );
    const other = await waitFor(() => bench.api.sessions.find('two', 's2'), 'the other session');
    await waitFor(() => other.isLive, 'its agent');
    await writeFile(bench.file('go'), '');
    await waitFor(() => other.turns.background.some(({ to }) => to !== undefined), 'its turn');
  }

  it('US-7: says what to do first; then has both agents, and is empty once it is cleared', async () => {
    await show('Nothing is counted yet');
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      vscode.window.activeTextEditor?.document.uri,
    );
    assert.deepEqual(
      lenses.map(({ command }) => command?.title),
      ['Export as CSV…', 'Clear…'],
    );
    await used();
    const text = await show('`Two`');
    assert.deepEqual(row(text, '`One`').slice(1, 2), ['1']);
    assert.ok(row(text, '`One`').includes('0.25 USD'), text);
    assert.ok(row(text, '`Two`').includes('1.2K'), text);
    assert.deepEqual(row(text, 'Total').slice(1, 2), ['2']);
    await vscode.commands.executeCommand('acpSessions.storedData.clear', 'usage');
    assert.match(dialogs.asked.at(-1)?.detail ?? '', /can’t be restored/);
    await show('`One`');
    dialogs.answer = () => 'Clear';
    await vscode.commands.executeCommand('acpSessions.storedData.clear', 'usage');
    await show('Nothing is counted yet');
  });

  it('US-9: is exported as CSV', async () => {
    await vscode.commands.executeCommand('acpSessions.usage.export');
    assert.match(dialogs.texts('information').at(-1) ?? '', /Nothing is counted yet/);
    await used();
    const file = bench.file('usage.csv');
    const restore = replaceMember(vscode.window, 'showSaveDialog', () =>
      Promise.resolve(vscode.Uri.file(file)),
    );
    try {
      await vscode.commands.executeCommand('acpSessions.usage.export');
    } finally {
      restore();
    }
    const rows = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
    assert.equal(rows.length, 3);
    assert.ok(
      rows.some((one) => /,One,.*,1,\d+,1200,34,0,56,0,0\.25,USD$/.test(one)),
      rows.join('\n'),
    );
    assert.match(dialogs.texts('information').at(-1) ?? '', /^Exported the usage to /);
  });
});
