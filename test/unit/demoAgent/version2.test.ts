import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { methods } from '@agentclientprotocol/sdk/unstable';
import { applyPatch, parsePatch } from 'diff';
import { until } from '../../support/until';
import { permit } from './clientAnswers';
import { type DemoOptions, DemoWorld, errorCode, type TestClient, textOf } from './harness';
import { diffs, type Kind, ofKind, type Version2Client } from './version2Client';

const { session } = methods.agent;

describe('demo agent: what only version 2 has', () => {
  const world = new DemoWorld(2);
  afterEach(() => world.dispose());

  async function started(options: DemoOptions = {}) {
    const store = await world.folder();
    const cwd = await world.folder();
    const client = await world.connect(store, { answers: permit('allow_once'), ...options });
    return { client, own: ownOf(client), sessionId: await client.newSession(cwd), cwd, store };
  }

  const states = (own: Version2Client, sessionId: string): string[] =>
    own
      .states(sessionId)
      .map((each) =>
        'stopReason' in each ? `${each.state} ${String(each.stopReason)}` : each.state,
      );

  it('V2-INIT-2, V2-INIT-8: takes a request with the members of both versions, and says what it handles', async () => {
    const client = await world.connect(await world.folder());
    const answer = (await client.initialize()) as unknown as {
      protocolVersion: number;
      info: { name: string };
      capabilities: { session: object };
    };
    assert.equal(answer.protocolVersion, 2);
    assert.equal(answer.info.name, 'demo-agent');
    assert.deepEqual(Object.keys(answer.capabilities.session).sort(), [
      'additionalDirectories',
      'archive',
      'delete',
      'fork',
      'mcp',
      'prompt',
      'title',
    ]);
  });

  it('V2-TURN-1, V2-TURN-3, V2-TURN-7: inserts a prompt, answers with its id, runs and comes to rest', async () => {
    const { client, own, sessionId } = await started();
    const prompt = [{ type: 'text', text: 'Hello' }];
    const { messageId } = (await own.connection.agent.request(session.prompt, {
      sessionId,
      prompt: prompt as [],
    })) as { messageId: string };
    await until(() => states(own, sessionId).length === 2);
    assert.deepEqual(states(own, sessionId), ['running', 'idle end_turn']);
    const kinds = own.raw.map(({ update }) => update.sessionUpdate);
    assert.ok(kinds.indexOf('user_message') < kinds.indexOf('state_update'));
    const inserted = ofKind(own, 'user_message')[0];
    assert.deepEqual(inserted, { sessionUpdate: 'user_message', messageId, content: prompt });
    assert.equal(await client.prompt(sessionId, 'Hello'), 'end_turn');
  });

  it('V2-TURN-5: a turn that fails says why, and its prompt was inserted all the same', async () => {
    const { client, own, sessionId, store } = await started({ pace: 0.01 });
    const turn = client.prompt(sessionId, '/slow 500');
    await until(() => ofKind(own, 'tool_call_update').length > 0);
    await (await world.connect(store)).request(session.delete, { sessionId });
    await assert.rejects(turn, errorCode(-32002));
    const last = own.states(sessionId).at(-1) as { stopReason?: string; error?: { code: number } };
    assert.equal(last.stopReason, 'error');
    assert.equal(last.error?.code, -32002);
    assert.equal(ofKind(own, 'user_message').length, 1);
  });

  it('V2-TURN-9, V2-PERM-1, V2-PERM-3: asks with a title and the command, and waits for the answer', async () => {
    const { client, own, sessionId, cwd } = await started();
    await client.prompt(sessionId, '/permission');
    assert.deepEqual(states(own, sessionId), [
      'running',
      'requires_action',
      'running',
      'idle end_turn',
    ]);
    const [asked] = own.asked;
    const call = ofKind(own, 'tool_call_update')[0];
    assert.equal(asked?.['title'], 'Run this command?');
    assert.deepEqual(asked['subject'], {
      type: 'command',
      command: 'npm run deploy -- --env staging',
      cwd,
      toolCallId: call?.toolCallId,
    });
  });

  it('V2-PERM-2: asks about a call that isn’t a command by its id', async () => {
    const { client, own, sessionId, cwd } = await started();
    await client.prompt(sessionId, '/diff');
    const call = ofKind(own, 'tool_call_update')[0];
    assert.deepEqual(own.asked[0]?.['subject'], {
      type: 'tool_call',
      toolCall: { toolCallId: call?.toolCallId },
    });
    await readFile(path.join(cwd, 'demo-agent.md'), 'utf8');
  });

  it('V2-TURN-16: takes a prompt into the running turn', async () => {
    const { client, own, sessionId } = await started({ pace: 0.02 });
    const turn = client.prompt(sessionId, '/steering');
    await until(() => ofKind(own, 'tool_call_update').length > 0);
    const prompt = [{ type: 'text' as const, text: 'other way' }];
    const answer = await own.connection.agent.request(session.prompt, { sessionId, prompt });
    const { messageId } = answer as unknown as { messageId: string };
    const [first, second] = ofKind(own, 'user_message');
    assert.notEqual(first?.messageId, messageId);
    assert.equal(second?.messageId, messageId);
    assert.equal(await turn, 'end_turn');
    assert.deepEqual(states(own, sessionId), ['running', 'idle end_turn']);
    const said = textOf(client.updates(sessionId), 'agent_message_chunk');
    assert.ok(said.includes('I take that into account: other way'));
  });

  it('V2-CLOSE-2: a close ends the turn as canceled before it is answered', async () => {
    const { client, own, sessionId } = await started({ pace: 1 });
    const turn = client.prompt(sessionId, '/slow 500');
    await until(() => ofKind(own, 'tool_call_update').length > 0);
    await client.request(session.close, { sessionId });
    assert.deepEqual(states(own, sessionId), ['running', 'idle cancelled']);
    assert.equal(await turn, 'cancelled');
  });

  it('V2-RES-3, V2-RES-4, V2-RES-6: a resume tells the state, and replays messages as what they are now', async () => {
    const { client, own, sessionId, cwd } = await started();
    await client.prompt(sessionId, '/plan');
    own.raw.length = 0;
    await client.load(sessionId, cwd);
    assert.deepEqual(states(own, sessionId), ['idle end_turn']);
    const begun = new Set<string>();
    for (const { update } of own.raw) {
      if (update.sessionUpdate === 'agent_message') {
        begun.add((update as Kind<'agent_message'>).messageId);
      } else if (update.sessionUpdate === 'agent_message_chunk') {
        assert.ok(begun.has((update as Kind<'agent_message_chunk'>).messageId));
      }
    }
    own.raw.length = 0;
    await client.request(session.resume, { sessionId, cwd, mcpServers: [] });
    assert.deepEqual(states(own, sessionId), ['idle end_turn']);
    assert.deepEqual(ofKind(own, 'agent_message'), []);
    await assert.rejects(
      client.request(session.resume, {
        sessionId,
        cwd,
        mcpServers: [],
        replayFrom: { type: 'end' },
      } as never),
      errorCode(-32602),
    );
  });

  it('V2-DIFF-4: the patch of an edit has the lines that the edit has in the file', async () => {
    const { client, own, sessionId, cwd } = await started();
    const file = path.join(cwd, 'demo-agent', 'notes.md');
    await client.prompt(sessionId, '/work start');
    const before = await readFile(file, 'utf8');
    own.raw.length = 0;
    await client.prompt(sessionId, '/work fragments');
    const patches = diffs(own).map(({ patch }) => parsePatch(patch?.text ?? '')[0]!);
    const [, hours, , refund] = patches;
    const edited = applyPatch(before, hours!, { fuzzFactor: 0, autoConvertLineEndings: false });
    assert.equal(applyPatch(edited || '', refund!), await readFile(file, 'utf8'));
    await writeFile(file, before);
  });

  it('V2-SUB-1: subagents need no capability, and are announced before they say anything', async () => {
    const { client, own, sessionId } = await started();
    await client.prompt(sessionId, '/subagents');
    const known = new Set([sessionId]);
    for (const sent of own.raw) {
      assert.ok(known.has(sent.sessionId));
      if (sent.update.sessionUpdate === 'subagent_update') {
        known.add((sent.update as Kind<'subagent_update'>).sessionId);
      }
    }
    assert.equal(known.size, 4);
  });

  it('V2-CONF-1, V2-CONF-3: options are set with a type, and modes are options', async () => {
    const { own, sessionId } = await started();
    const set = (change: object): Promise<unknown> =>
      own.connection.agent.request('session/set_config_option' as '_', {
        sessionId,
        ...change,
      });
    const answer = JSON.stringify(await set({ configId: 'mode', type: 'id', value: 'plan' }));
    assert.match(answer, /"currentValue":"plan"/);
    await set({ configId: 'reportUsage', type: 'boolean', value: false });
    for (const change of [
      { configId: 'reportUsage', type: 'id', value: 'false' },
      { configId: 'mode', type: '_other', value: 'plan' },
      { configId: 'mode', type: 'id', value: 'fly' },
    ]) {
      await assert.rejects(set(change), errorCode(-32602));
    }
    assert.doesNotMatch(JSON.stringify(own.raw), /current_mode_update/);
  });
});

function ownOf({ version2 }: TestClient): Version2Client {
  assert.ok(version2);
  return version2;
}
