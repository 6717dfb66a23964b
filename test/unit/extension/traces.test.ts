import assert from 'node:assert/strict';
import { constants } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Agent } from '../../../src/model/agent';
import { ableInitialize, type Scenario, update as says } from '../../fakeAgent/scenario';
import { Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import {
  ExtensionBench,
  fakeEntry,
  listed,
  transcriptTabs,
  waitFor,
} from '../../vscode/harness/support';
import { beginSession } from './beginSession';

describe('traces', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  let scenario: Scenario;
  const restore: (() => void)[] = [];
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
    scenario = {
      sessions: [listed('s1', 'Fix the nest'), listed('s2', 'Count the eggs')],
      replays: { s1: [{ updates: [says.user('Hello gull'), says.agent('Hello human')] }] },
    };
  });
  afterEach(async () => {
    for (const undo of restore.splice(0)) {
      undo();
    }
    await run('close');
    dialogs.dispose();
    await bench.dispose();
  });

  function run(command: string, argument?: unknown): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.trace.${command}`, argument);
  }

  function saveTo(file: string): void {
    const chosen = (): Promise<vscode.Uri> => Promise.resolve(vscode.Uri.file(file));
    restore.push(replaceMember(vscode.window, 'showSaveDialog', chosen));
  }

  async function replay(file: string): Promise<void> {
    await run('replay', vscode.Uri.file(file));
  }

  function traces(): readonly Agent[] {
    return bench.api.agents.all.filter(({ config }) => config.ofWindow === true);
  }

  it('SEC-190: the token of the editor’s tools is in no trace, and would be in no log or report', async () => {
    const record = bench.file('wire');
    await bench.setAgents({
      gull: fakeEntry('Gull', { ...scenario, initialize: ableInitialize, record }),
    });
    await bench.session('Fix the nest');
    const file = bench.file('Gull trace.ndjson');
    saveTo(file);
    dialogs.answer = ({ choices }) =>
      choices.find((choice) => choice === 'With Texts' || choice === 'Restart and Record');
    await run('record');
    await beginSession(bench.api);
    dialogs.answer = () => undefined;
    await run('stop', 'gull');
    const trace = await waitFor(
      () => readFile(file, 'utf8').then((text) => text.includes('"session/new"') && text),
      'the trace',
    );
    const { method, ...sent } = (await bench.received('wire')).findLast(
      (message) => message.method === 'session/new',
    ) as { method: string; params: { mcpServers: { headers: { value: string }[] }[] } };
    assert.equal(method, 'session/new');
    const token = sent.params.mcpServers[0]?.headers[0]?.value.replace('Bearer ', '') ?? '';
    assert.equal(token.length, 43);
    assert.ok(!trace.includes(token));
    assert.ok(!bench.api.held.without(`It says ${token}.`).includes(token));
  });

  it('an agent is recorded from its start, and replayed beside it as one that can only be read', async () => {
    await bench.setAgents({ gull: fakeEntry('Gull', scenario) });
    await bench.session('Fix the nest');
    const file = bench.file('Gull trace.ndjson');
    saveTo(file);
    dialogs.answer = ({ choices }) =>
      choices.find((choice) => choice === 'With Texts' || choice === 'Restart and Record');
    await run('record');
    await bench.click(await bench.session('Fix the nest'));
    await waitFor(
      () => bench.api.sessions.find('gull', 's1')?.phase.kind === 'ready',
      'the session',
    );
    dialogs.answer = () => undefined;
    await run('stop', 'gull');
    await waitFor(
      () => dialogs.texts('information').join().includes('The trace of Gull has'),
      'its end',
    );
    const [header, first] = (await readFile(file, 'utf8')).split('\n');
    assert.match(header ?? '', /"format":"acp-sessions-trace","version":1.*"from":"start"/);
    assert.match(first ?? '', /"dir":"out".*"method":"initialize"/);
    if (process.platform !== 'win32') {
      assert.equal((await stat(file)).mode & (constants.S_IRWXG | constants.S_IRWXO), 0);
    }

    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await replay(file);
    const [trace] = traces();
    assert.ok(trace);
    assert.equal(trace.title, 'Gull trace');
    const node = bench.nodes().find((own) => own.kind === 'agent' && own.agent === trace);
    assert.ok(node);
    const { collapsibleState } = bench.api.view.getTreeItem(node);
    assert.equal(collapsibleState, vscode.TreeItemCollapsibleState.Expanded, 'shows its sessions');
    const row = await waitFor(
      () =>
        bench
          .nodes()
          .find(
            (node) =>
              node.kind === 'session' &&
              node.list.agent === trace &&
              node.row.info.sessionId === 's1',
          ),
      'the row of the trace',
    );
    const { contextValue = '' } = bench.api.view.getTreeItem(row);
    assert.doesNotMatch(contextValue, /deletable|forkable|resumable/);
    await bench.click(row);
    const session = await waitFor(() => {
      const found = bench.api.sessions.find(trace.id, 's1');
      return found?.phase.kind === 'ready' && found;
    }, 'its transcript');
    assert.deepEqual(
      session.transcript.entries.map(({ kind }) => kind),
      ['user', 'agent'],
    );
    assert.deepEqual(session.writable, {
      kind: 'no',
      reason: 'The sessions of Gull trace can only be read.',
    });

    await run('close');
    await waitFor(
      () => traces().length === 0 && transcriptTabs().length === 0,
      'the trace to close',
    );
    assert.equal(bench.api.agents.get('gull')?.state.kind, 'ready');
  });

  it('an agent that is at work is recorded from the middle, without its texts if so chosen', async () => {
    const go = bench.file('go');
    const prompt = [{ waitForFile: go }, { update: says.agent('Feathers') }, { result: {} }];
    await bench.setAgents({
      gull: fakeEntry('Gull', { ...scenario, on: { 'session/prompt': prompt } }),
    });
    await bench.click(await bench.session('Fix the nest'));
    const session = await waitFor(() => {
      const found = bench.api.sessions.find('gull', 's1');
      return found?.phase.kind === 'ready' && found;
    }, 'the session');
    session.turns.submit({ text: 'Fly', attachments: [] });
    await waitFor(() => session.turns.current.kind === 'running', 'the turn');
    const file = bench.file('busy.ndjson');
    saveTo(file);
    dialogs.answer = ({ choices }) =>
      choices.find((choice) => choice.startsWith('With Placeholders'));
    await run('record', 'gull');
    assert.match(dialogs.texts('information').join(), /Gull is working/);
    await writeFile(go, '');
    await waitFor(() => session.turns.current.kind === 'idle', 'the end of the turn');
    await run('stop', 'gull');
    const text = await readFile(file, 'utf8');
    assert.match(text, /"from":"middle","protocol":1,"texts":"placeholders"/);
    assert.match(text, /"agent_message_chunk".*"Xxxxxxxx"/);
    assert.doesNotMatch(text, /Feathers/);
  });

  it('what can’t be written or replayed is refused with the reason', async () => {
    await bench.setAgents({ gull: fakeEntry('Gull', scenario) });
    saveTo(bench.folder);
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'With Texts');
    await run('record', 'gull');
    assert.match(dialogs.texts('error').join(), /No trace was recorded: .* It is a folder/);
    await replay(bench.folder);
    assert.match(dialogs.texts('error').at(-1) ?? '', /can’t be replayed. It is a folder/);
    const notes = bench.file('notes.md');
    await writeFile(notes, '# Notes');
    await replay(notes);
    assert.match(
      dialogs.texts('error').at(-1) ?? '',
      /notes.md can’t be replayed. It isn’t a trace/,
    );
    assert.deepEqual(traces(), []);
  });
});
