import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ableInitialize, type Scenario } from '../../fakeAgent/scenario';
import type { Dialogs } from '../../vscode/harness/dialogs';
import {
  allTranscriptTabs,
  type ExtensionBench,
  fakeEntry,
  listed,
  transcriptTabs,
  waitFor,
} from '../../vscode/harness/support';
import { useBench } from './useBench';

describe('the names of agents', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  useBench((...made) => {
    [bench, dialogs] = made;
  });

  const scenario = (sessionId: string): Scenario => ({
    initialize: ableInitialize,
    sessions: [listed(sessionId, 'Fix it')],
    on: { 'session/archive': [{ result: {} }], 'session/unarchive': [{ result: {} }] },
  });
  const gull = (): ReturnType<typeof fakeEntry> => fakeEntry('Gull', scenario('s1'));
  const heron = (): ReturnType<typeof fakeEntry> => fakeEntry('Heron', scenario('s2'));

  function run(command: string, ...args: unknown[]): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.${command}`, ...args);
  }

  /** The row of the agent's session. */
  function row(agentId: string): ReturnType<ExtensionBench['session']> {
    return waitFor(
      () => bench.nodes().find((node) => node.kind === 'session' && node.row.agentId === agentId),
      `the session of ${agentId}`,
    ) as ReturnType<ExtensionBench['session']>;
  }

  /** Runs everything that shows dialogs or messages about a session of one agent. */
  async function askAll(agentId: string): Promise<void> {
    const node = await row(agentId);
    await run('session.rename', node);
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Undo');
    await run('session.archive', node);
    await waitFor(() => dialogs.texts('information').length > 0, 'what was archived');
    dialogs.answer = () => undefined;
    await run('session.delete', await row(agentId));
  }

  it('are in titles, questions and messages where there are several', async () => {
    await bench.setAgents({ gull: gull(), heron: heron() });
    await askAll('heron');
    assert.deepEqual(
      dialogs.asked.map(({ text }) => text),
      [
        'Rename Session · Heron',
        'Archived “Fix it” (Heron).',
        'Delete the session “Fix it” (Heron)?',
      ],
    );
  });

  it('are left out of them where there is one', async () => {
    await bench.setAgents({ gull: gull() });
    await askAll('gull');
    assert.deepEqual(
      dialogs.asked.map(({ text }) => text),
      ['Rename Session', 'Archived “Fix it”.', 'Delete the session “Fix it”?'],
    );
  });

  it('tell apart tabs of the same title', async () => {
    await bench.setAgents({ gull: gull(), heron: heron() });
    await run('session.open', await row('gull'));
    await run('session.open', await row('heron'));
    await waitFor(() => transcriptTabs().join() === 'Fix it · Gull,Fix it · Heron', 'both tabs');
    const paths = allTranscriptTabs().map(({ input }) => (input as vscode.TabInputCustom).uri.path);
    assert.deepEqual(paths, ['/Gull/Fix it', '/Heron/Fix it']);
  });
});
