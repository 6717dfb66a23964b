import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Agent } from '../../../src/model/agent';
import type { AgentNode } from '../../../src/views/sessions/nodes/nodes';
import { type Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import {
  allTranscriptTabs,
  type ExtensionBench,
  fakeEntry,
  listed,
  waitFor,
} from '../../vscode/harness/support';
import { beginSession } from './beginSession';
import { useBench } from './useBench';

describe('an agent whose settings entry has just changed', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  useBench(async (...made) => {
    [bench, dialogs] = made;
    await setAgents('before');
  });

  function setAgents(log: string): Promise<void> {
    const a = fakeEntry('A', { sessions: [listed('s1', 'One')], record: bench.file(log) });
    return bench.setAgents({ a, b: fakeEntry('B', {}) });
  }

  /** Changes the entry of the agent, and waits for the agent that takes its place. */
  async function replaced(): Promise<Agent> {
    const before = bench.api.agents.get('a');
    await setAgents('after');
    return waitFor(() => {
      const now = bench.api.agents.get('a');
      return now !== before && now;
    }, 'the agent to be replaced');
  }

  function agentNode(): AgentNode {
    const node = bench.nodes().find((one) => one.kind === 'agent' && one.agent.id === 'a');
    assert.ok(node?.kind === 'agent');
    return node;
  }

  async function askedNow(method: string): Promise<number> {
    return (await bench.received('after')).filter((sent) => sent.method === method).length;
  }

  it('New Session on the row that was drawn before shows the page of a session of the one that runs', async () => {
    const node = agentNode();
    const now = await replaced();
    await vscode.commands.executeCommand('acpSessions.session.new', node);
    assert.equal(bench.api.panels.active?.session.agent, now);
    assert.equal(allTranscriptTabs().length, 1);
    assert.deepEqual(dialogs.asked, []);
  });

  it('begins a session if the settings change while the agent is being chosen', async () => {
    const choose = vscode.window.showQuickPick;
    const restore = replaceMember(
      vscode.window,
      'showQuickPick',
      async (...asked: Parameters<typeof choose>) => {
        const picked = await choose(...asked);
        await replaced();
        return picked;
      },
    );
    dialogs.answer = ({ kind }) => (kind === 'pick' ? 'A' : undefined);
    await beginSession(bench.api);
    restore();
    const [session] = bench.api.sessions.all;
    assert.equal(session?.agent, bench.api.agents.get('a'));
    assert.equal(await askedNow('session/new'), 1);
    assert.deepEqual(dialogs.texts('error'), []);
  });

  it('Restart Agent on the row that was drawn before restarts the one that runs', async () => {
    const node = agentNode();
    await (await replaced()).connect();
    await vscode.commands.executeCommand('acpSessions.agent.restart', node);
    assert.equal(await askedNow('initialize'), 2);
  });

  it('a session of a row that was drawn before is opened', async () => {
    const node = await bench.session('One');
    const now = await replaced();
    await vscode.commands.executeCommand('acpSessions.session.open', node);
    const session = await waitFor(() => bench.api.sessions.find('a', 's1'), 'the session');
    await waitFor(() => session.phase.kind === 'ready' || session.phase.kind === 'empty', 'it');
    assert.equal(session.agent, now);
    assert.deepEqual(dialogs.asked, []);
  });
});
