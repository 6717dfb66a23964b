import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ableInitialize, type Json } from '../../fakeAgent/scenario';
import { type ExtensionBench, fakeEntry, listed, waitFor } from '../../vscode/harness/support';
import { beginSession } from './beginSession';
import { useBench } from './useBench';

describe('the user’s text for the system prompt of an agent', () => {
  let bench: ExtensionBench;
  useBench((made) => {
    bench = made;
  });
  const write = (value: unknown) =>
    vscode.workspace
      .getConfiguration('acpSessions')
      .update('systemPrompts', value, vscode.ConfigurationTarget.Global);
  afterEach(() => write(undefined));

  async function opened(sessionCapabilities: Json) {
    const { agentCapabilities, ...rest } = ableInitialize as {
      readonly agentCapabilities: Readonly<Record<string, Json>>;
    };
    await bench.setAgents({
      fake: fakeEntry('Fake', {
        initialize: {
          ...rest,
          agentCapabilities: {
            ...agentCapabilities,
            sessionCapabilities: {
              ...(agentCapabilities['sessionCapabilities'] as object),
              ...(sessionCapabilities as object),
            },
          },
        },
        sessions: [listed('s1', 'The first')],
        replays: { '*': [] },
        record: bench.file('log'),
      }),
    });
    await vscode.commands.executeCommand(
      'acpSessions.session.open',
      await bench.session('The first'),
    );
    const session = await waitFor(() => bench.api.sessions.find('fake', 's1'), 'the session');
    await waitFor(() => session.isLive, 'its history');
    await beginSession(bench.api);
    const made = await waitFor(() => bench.api.sessions.find('fake', 'new-1'), 'the new session');
    const params = (await bench.received('log')).flatMap((message) =>
      /^session\/(?:new|load)$/.test(message.method ?? '') && 'params' in message
        ? [(message.params as { readonly systemPrompt?: Json }).systemPrompt]
        : [],
    );
    return { facts: [session, made].map(({ facts }) => facts.systemPrompt), params };
  }

  it('V2-NEW-4: goes with each session that is opened, and is told to be', async () => {
    await write({ fake: 'In French.', other: 'In Greek.' });
    const { facts, params } = await opened({ systemPrompt: {} });
    const sent = { mode: 'append', content: [{ type: 'text', text: 'In French.' }] };
    assert.deepEqual(params, [sent, sent]);
    const told = { mode: 'append', text: 'In French.', isSent: true };
    assert.deepEqual(facts, [told, told]);
  });

  it('V2-NEW-4: an agent that takes none isn’t sent one, which is told, too', async () => {
    await write({ fake: 'In French.' });
    const { facts, params } = await opened({});
    assert.deepEqual(params, [undefined, undefined]);
    assert.deepEqual(
      facts.map((fact) => fact?.isSent),
      [false, false],
    );
  });
});
