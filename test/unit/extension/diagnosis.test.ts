import assert from 'node:assert/strict';
import os from 'node:os';
import * as vscode from 'vscode';
import { ableInitialize } from '../../fakeAgent/scenario';
import { isRunning, pidIn } from '../../support/processes';
import type { Dialogs } from '../../vscode/harness/dialogs';
import { type ExtensionBench, fakeEntry, listed, waitFor } from '../../vscode/harness/support';
import { useBench } from './useBench';

describe('the diagnosis of an agent', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  useBench((...made) => {
    [bench, dialogs] = made;
  });

  const missing = { title: 'Gull', command: 'no-such-agent-anywhere' };

  /** The editor with the report of an agent with this title. */
  function report(title: string): Promise<vscode.TextDocument> {
    return waitFor(() => {
      const document = vscode.window.activeTextEditor?.document;
      return document?.uri.path.endsWith(`/${title}.diagnosis.md`) === true && document;
    }, `the report on ${title}`);
  }

  async function lenses({ uri }: vscode.TextDocument): Promise<readonly vscode.CodeLens[]> {
    return vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
  }

  function titlesOf(all: readonly vscode.CodeLens[]): (string | undefined)[] {
    return all.map(({ command }) => command?.title);
  }

  it('V2-INIT-5: sets the version of the protocol that an agent speaks, with one click', async () => {
    await bench.setAgents({
      gull: {
        ...(fakeEntry('Gull', { initialize: { protocolVersion: 1 } }) as object),
        protocol: '2',
      },
    });
    await vscode.commands.executeCommand('acpSessions.agent.diagnose');
    const document = await report('Gull');
    assert.match(document.getText(), /### Error: It speaks another version of the protocol/);
    assert.match(document.getText(), /- Protocol version that it is asked for: 2\n/);
    const lens = (await lenses(document)).find(({ command }) => command?.title === 'Use Version 1');
    const { command, arguments: args = [] } = lens?.command ?? {};
    await vscode.commands.executeCommand(command ?? '', ...(args as unknown[]));
    await waitFor(() => bench.api.agents.get('gull')?.config.protocol === '1', 'version 1');
    assert.match(dialogs.texts('information').join(), /Gull is asked for version 1/);
  });

  it('can be copied for an issue', async () => {
    await bench.setAgents({ gull: { ...missing, cwd: os.homedir() } });
    await vscode.commands.executeCommand('acpSessions.agent.diagnose');
    const document = await report('Gull');
    const home = `- Folder: \`${os.homedir()}\``;
    assert.ok(document.getText().includes(home));
    await vscode.commands.executeCommand('acpSessions.agent.copyReport');
    const copied = await vscode.env.clipboard.readText();
    assert.match(copied, /^# Diagnosis of `Gull`\n/);
    assert.match(copied, /- Folder: `~`/);
    assert.match(dialogs.texts('information').join(), /Read it before you post it/);
  });

  it('starts an agent that works beside the one that runs, and ends it', async () => {
    const pidFile = bench.file('pids');
    const scenario = {
      initialize: ableInitialize,
      sessions: [listed('s1', 'Fix it')],
      record: bench.file('received'),
      pidFile,
    };
    await bench.setAgents({ gull: missing, heron: fakeEntry('Heron', scenario) });
    await bench.session('Fix it');
    const running = bench.api.agents.get('heron')?.state;
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Heron');
    await vscode.commands.executeCommand('acpSessions.agent.diagnose');
    const document = await report('Heron');
    assert.deepEqual(dialogs.texts('pick'), ['Diagnose Agent']);
    assert.match(document.getText(), /No problem was found/);
    assert.match(document.getText(), /\| `delete` \| yes \|/);
    assert.deepEqual(titlesOf(await lenses(document)), [
      'Copy Report',
      'Diagnose Again',
      'Record Trace…',
    ]);
    assert.equal(bench.api.agents.get('heron')?.state, running);
    // The file has the id of the newest process.
    assert.equal(isRunning(pidIn(pidFile)), false);
    const methods = (await bench.received('received')).map(({ method }) => method);
    assert.deepEqual(new Set(methods), new Set(['initialize', 'session/list']));
  });

  it('is offered where an agent couldn’t be started', async () => {
    await bench.setAgents({ gull: missing });
    const failed = await bench.message('failed');
    assert.match(bench.api.view.getTreeItem(failed).contextValue ?? '', /\bdiagnose\b/);
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Diagnose');
    await bench.click(failed);
    await report('Gull');
  });
});
