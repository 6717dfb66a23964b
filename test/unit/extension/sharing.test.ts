import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SessionNode } from '../../../src/views/sessions/nodes/nodes';
import { ableInitialize, type Scenario, update as says } from '../../fakeAgent/scenario';
import { Dialogs } from '../../vscode/harness/dialogs';
import {
  ExtensionBench,
  fakeEntry,
  listed,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';

const scenario = (): Scenario => ({
  initialize: ableInitialize,
  sessions: [listed('s1', 'Fix the nest')],
  on: {
    'session/prompt': [
      { update: says.title('Mend the nest') },
      { result: { stopReason: 'end_turn' } },
    ],
  },
});

describe('sharing an agent', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
  });
  /** Ends it if it is shared; otherwise it is asked where it should be, and nobody answers. */
  const stopSharing = (): Thenable<unknown> => {
    dialogs.answer = ({ choices }) => choices.find((choice) => choice.includes('Stop Sharing'));
    return run('share', 'gull');
  };
  afterEach(async () => {
    await stopSharing();
    dialogs.dispose();
    await bench.dispose();
  });

  function run(command: string, argument?: unknown): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.agent.${command}`, argument);
  }

  function row(agentId: string): Promise<SessionNode> {
    return waitFor(
      () => bench.nodes().find((node) => node.kind === 'session' && node.list.agent.id === agentId),
      `a session of ${agentId}`,
    ) as Promise<SessionNode>;
  }

  async function shownOf(agentId: string): Promise<string> {
    const { label, description } = bench.api.view.getTreeItem(await row(agentId));
    return `${JSON.stringify(label)} ${String(description)}`;
  }

  /** Shares the agent, and returns where and with which token. */
  async function share(): Promise<{ readonly url: string; readonly token: string }> {
    dialogs.answer = ({ choices }) =>
      choices.find((choice) => choice === 'This Machine Only' || choice === 'Share');
    await run('share');
    const last = dialogs.asked.at(-1);
    const [, url] = / at (ws:\S+)/.exec(last?.text ?? '') ?? [];
    const [, token] = /^Token: (\S+)/.exec(last?.detail ?? '') ?? [];
    assert.ok(url !== undefined && token !== undefined, 'the address and the token');
    return { url, token };
  }

  it('T-47: gives another client the same list, says what is open in it, and ends', async () => {
    const gull = fakeEntry('Gull', scenario());
    await bench.setAgents({ gull });
    await row('gull');
    const { url, token } = await share();
    const question = dialogs.asked.find(({ text }) => text === 'Share Gull?');
    assert.match(question?.detail ?? '', /fakeAgent\.js.*runs with your permissions/s);
    assert.ok(!JSON.stringify(vscode.workspace.getConfiguration('acpSessions')).includes(token));

    const same = workspaceFolder();
    const pathMappings = [{ theirs: same, ours: same }];
    await bench.api.tokens.store({ url }, token);
    await bench.setAgents({ gull, far: { title: 'Far', url, pathMappings } });
    await vscode.commands.executeCommand('acpSessions.session.open', await row('far'));
    const session = await waitFor(() => bench.api.sessions.find('far', 's1'), 'the session');
    await waitFor(() => session.isLive, 'its history');
    await waitFor(async () => /open elsewhere/.test(await shownOf('gull')), 'the mark on the row');

    session.turns.submit({ text: 'Go', attachments: [] });
    await waitFor(async () => /Mend the nest/.test(await shownOf('gull')), 'the new title');

    await vscode.commands.executeCommand('acpSessions.session.open', await row('gull'));
    await waitFor(() => bench.api.sessions.find('gull', 's1')?.isLive, 'the same, open here, too');

    await stopSharing();
    assert.doesNotMatch(await shownOf('gull'), /open elsewhere/, 'nobody else is there');
    await waitFor(() => session.phase.kind === 'failed', 'the loss');
    assert.doesNotMatch(await shownOf('far'), /open elsewhere/, 'nobody tells');
  });

  it('SEC-170: ends when the settings of the agent change', async () => {
    await bench.setAgents({ gull: fakeEntry('Gull', scenario()) });
    const { url } = await share();
    await bench.setAgents({ gull: fakeEntry('Other gull', scenario()) });
    await waitFor(
      () => dialogs.texts('information').some((text) => /isn’t shared any more/.test(text)),
      'its end',
    );
    await waitFor(
      () =>
        fetch(url.replace('ws:', 'http:')).then(
          () => false,
          () => true,
        ),
      'the server to be gone',
    );
  });
});
