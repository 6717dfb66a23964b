import * as vscode from 'vscode';
import { ableInitialize } from '../../fakeAgent/scenario';
import { ExtensionBench, fakeEntry, listed, waitFor } from '../../vscode/harness/support';

const chunk = (text: string) => ({
  update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
});
const list = (updatedAt: string) => [{ result: { sessions: [listed('s1', 'One', updatedAt)] } }];

describe('a session that went on elsewhere', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(() => bench.dispose());

  it('is noticed when the list is read again, and loaded again on request', async () => {
    // A clock that is ahead: a change right after an action of this window counts as ours, the next one doesn't.
    const later = [1, 2, 3, 4, 5, 6].map((hours) => new Date(Date.now() + hours * 3_600_000));
    await bench.setAgents({
      a: fakeEntry('A', {
        initialize: ableInitialize,
        on: {
          'session/list': later.map((time) => list(time.toISOString())),
          'session/load': [
            [chunk('Hello'), { result: {} }],
            [chunk('Hello'), chunk(' again'), { result: {} }],
          ],
        },
      }),
    });
    bench.nodes();
    await vscode.commands.executeCommand('acpSessions.session.open', await bench.session('One'));
    const session = await waitFor(() => bench.api.sessions.find('a', 's1'), 'the session');
    await waitFor(() => session.phase.kind === 'ready', 'its history');
    await waitFor(async () => {
      await bench.api.tree.refresh();
      return session.elsewhere.wentOn;
    }, 'the news');
    await session.reload();
    await waitFor(() => !session.elsewhere.wentOn && session.phase.kind === 'ready', 'it anew');
    await waitFor(
      () => JSON.stringify(session.transcript.entries).includes('Hello again'),
      'what was said elsewhere',
    );
  });
});
