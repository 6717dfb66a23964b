import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { methods } from '@agentclientprotocol/sdk/unstable';
import { applyPatch, parsePatch } from 'diff';
import { until } from '../../support/until';
import { everything, permit } from './clientAnswers';
import { type DemoOptions, DemoWorld, errorCode, type TestClient, textOf } from './harness';
import { diffs, type Kind, ofKind, type Version2Client } from './version2Client';

const { session } = methods.agent;

describe('demo agent: what only version 2 has', () => {
  const world = new DemoWorld(2);
  const ofVersion1 = new DemoWorld(1);
  afterEach(async () => {
    await world.dispose();
    await ofVersion1.dispose();
  });

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

  it('V2-INIT-2, V2-INIT-4: limited to one version, it answers 1 with its members, or refuses 1', async () => {
    const old = await ofVersion1.connect(await world.folder(), {
      versions: '1',
      capabilities: everything,
    });
    const both = { protocolVersion: 2, info: { name: 'test', version: '0' }, capabilities: {} };
    const answer = await old.request(methods.agent.initialize, {
      ...both,
      clientCapabilities: everything,
    });
    assert.equal(answer.protocolVersion, 1);
    const sessionId = await old.newSession(await world.folder());
    await until(() => old.received.length > 0);
    assert.match(JSON.stringify(old.updates(sessionId)), /unasked/, 'the client’s files are known');
    await assert.rejects(
      ofVersion1.connect(await world.folder(), { versions: '2' }),
      errorCode(-32022),
    );
  });

  it('V2-TURN-1, V2-TURN-3, V2-TURN-7: inserts a prompt, answers with its id, runs and comes to rest', async () => {
    const { client, own, sessionId } = await started();
    const prompt = [{ type: 'text', text: '/refuse' }];
    const { messageId } = (await own.connection.agent.request(session.prompt, {
      sessionId,
      prompt: prompt as [],
    })) as { messageId: string };
    await until(() => states(own, sessionId).length === 2);
    assert.deepEqual(states(own, sessionId), ['running', 'idle refusal']);
    const kinds = own.raw.map(({ update }) => update.sessionUpdate);
    assert.ok(kinds.indexOf('user_message') < kinds.indexOf('state_update'));
    const inserted = ofKind(own, 'user_message')[0];
    assert.deepEqual(inserted, { sessionUpdate: 'user_message', messageId, content: prompt });
    assert.equal(await client.prompt(sessionId, '/limit'), 'max_tokens');
  });

  it('V2-TURN-5: a turn that fails says why, and its prompt was inserted all the same', async () => {
    const { client, own, sessionId } = await started();
    await assert.rejects(client.prompt(sessionId, '/error'), errorCode(-32603));
    const last = own.states(sessionId).at(-1) as { stopReason?: string; error?: { code: number } };
    assert.equal(last.stopReason, 'error');
    assert.equal(last.error?.code, -32603);
    assert.equal(await client.prompt(sessionId, '/refuse'), 'refusal');
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

  it('V2-TURN-16: takes a prompt into the turn, refuses it, or takes it after the turn', async () => {
    for (const outcome of ['injected', 'failed', 'startedNewTurn']) {
      const { client, own, sessionId } = await started({ pace: 0.02 });
      const turn = client.prompt(sessionId, `/steering ${outcome}`);
      await until(() => ofKind(own, 'tool_call_update').length > 0);
      const prompt = [{ type: 'text' as const, text: 'other way' }];
      const answer = own.connection.agent.request(session.prompt, { sessionId, prompt });
      if (outcome === 'failed') {
        await assert.rejects(answer, errorCode(-32603));
        await turn;
        assert.equal(ofKind(own, 'user_message').length, 1);
        continue;
      }
      const { messageId } = (await answer) as unknown as { messageId: string };
      const [first, second] = ofKind(own, 'user_message');
      assert.notEqual(first?.messageId, messageId);
      assert.equal(second?.messageId, messageId);
      assert.equal(await turn, 'end_turn');
      const isLater = outcome === 'startedNewTurn';
      await until(() => states(own, sessionId).length === (isLater ? 4 : 2));
      const said = textOf(client.updates(sessionId), 'agent_message_chunk');
      assert.equal(said.includes('I take that into account: other way'), !isLater);
      assert.equal(said.includes('Demo Agent'), isLater);
    }
  });

  it('V2-TURN-14, V2-TURN-15: canceling ends the turn, and the prompt that waits for its end', async () => {
    const { client, own, sessionId } = await started({ pace: 0.05 });
    const turn = client.prompt(sessionId, '/steering startedNewTurn');
    await until(() => ofKind(own, 'tool_call_update').length > 0);
    const prompt = [{ type: 'text' as const, text: 'other way' }];
    const answer = own.connection.agent.request(session.prompt, { sessionId, prompt });
    await client.cancel(sessionId);
    await assert.rejects(answer, errorCode(-32800));
    assert.equal(await turn, 'cancelled');
  });

  it('V2-CLOSE-2: a close ends the turn as canceled before it is answered', async () => {
    const { client, own, sessionId } = await started({ pace: 1 });
    const turn = client.prompt(sessionId, '/slow 500');
    await until(() => ofKind(own, 'tool_call_update').length > 0);
    await client.request(session.close, { sessionId });
    assert.deepEqual(states(own, sessionId), ['running', 'idle cancelled']);
    assert.equal(await turn, 'cancelled');
  });

  it('V2-TURN-11: work in the background begins and ends a turn without a prompt', async () => {
    const { client, own, sessionId } = await started();
    await client.prompt(sessionId, '/background');
    await until(() => textOf(client.updates(sessionId), 'agent_message_chunk').endsWith('passed.'));
    await until(() => states(own, sessionId).at(-1) === 'idle end_turn');
    assert.equal(ofKind(own, 'user_message').length, 1);
  });

  it('V2-TURN-12, V2-TURN-13: /watch rests while its command goes on, and speaks up when that ends', async () => {
    const { client, own, sessionId } = await started({ pace: 0.03 });
    await client.prompt(sessionId, '/watch');
    const terminalId = ofKind(own, 'terminal_update')[0]?.terminalId;
    const rest = own.states(sessionId).at(-1) as { state: string; background?: unknown };
    assert.equal(rest.state, 'idle');
    assert.deepEqual(rest.background, [{ type: 'terminal', terminalId }]);
    await client.cancel(sessionId);
    await until(() => own.states(sessionId).filter(({ state }) => state === 'idle').length === 2);
    const last = own.states(sessionId).slice(-2) as { state: string; background?: unknown }[];
    assert.deepEqual(
      last.map(({ state }) => state),
      ['running', 'idle'],
    );
    assert.deepEqual(
      last.map(({ background }) => background),
      [[], []],
    );
    assert.match(textOf(client.updates(sessionId), 'agent_message_chunk'), /tests have passed/);
  });

  it('V2-TURN-12: a subagent in the background is listed until it ends', async () => {
    const { client, own, sessionId } = await started({ pace: 0.01 });
    await client.prompt(sessionId, '/subagents background');
    await until(() => {
      const { background } = own.states(sessionId).at(-1) as { background?: unknown[] };
      return background?.length === 0 && ofKind(own, 'subagent_update').length === 2;
    });
    const listed = own
      .states(sessionId)
      .flatMap((each) => ('background' in each ? (each.background as object[]) : []));
    const child = ofKind(own, 'subagent_update')[0]?.sessionId;
    assert.ok(
      listed.every(
        (each) => JSON.stringify(each) === JSON.stringify({ type: 'subagent', sessionId: child }),
      ),
    );
  });

  it('V2-TERM-1, V2-TERM-3, V2-TERM-5: tells what its own terminal prints, byte by byte, and a replay has it as a whole', async () => {
    const { client, own, sessionId, cwd, store } = await started();
    await client.prompt(sessionId, '/terminal');
    const chunks = ofKind(own, 'terminal_output_chunk').map(({ data }) =>
      Buffer.from(data, 'base64'),
    );
    const output = Buffer.concat(chunks).toString('utf8');
    assert.match(output, /✓[^]*8 passing/);
    assert.ok(
      chunks.some((chunk) => chunk.toString('utf8').includes('\ufffd')),
      'a character is split',
    );
    const exit = ofKind(own, 'terminal_update').at(-1);
    assert.deepEqual(exit?.exitStatus, { exitCode: 0 });
    const other = await world.connect(store);
    await other.load(sessionId, cwd);
    const [snapshot] = ofKind(ownOf(other), 'terminal_update');
    assert.equal(snapshot?.terminalId, exit.terminalId);
    assert.equal(Buffer.from(snapshot.output?.data ?? '', 'base64').toString('utf8'), output);
  });

  it('V2-RES-3, V2-RES-4, V2-RES-6: a resume tells the state, and replays messages as what they are now', async () => {
    const { client, own, sessionId, cwd } = await started();
    await client.prompt(sessionId, '/correct');
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

  it('V2-MSG-3, V2-MSG-4, V2-MSG-5: /correct replaces a message, empties one, and leaves one as it is', async () => {
    const { client, own, sessionId } = await started();
    await client.prompt(sessionId, '/correct');
    const contents = ofKind(own, 'agent_message').map(({ content }) => content?.length);
    assert.deepEqual(contents, [1, 0, undefined]);
  });

  it('V2-TOOL-3: /tools tells the matches of a search one by one, and again in a replay', async () => {
    const { client, own, sessionId, cwd } = await started();
    await client.prompt(sessionId, '/tools');
    const found = ofKind(own, 'tool_call_content_chunk');
    assert.equal(found.length, 3);
    const [first] = ofKind(own, 'tool_call_update');
    assert.deepEqual(
      new Set(found.map(({ toolCallId }) => toolCallId)),
      new Set([first?.toolCallId]),
    );
    own.raw.length = 0;
    await client.load(sessionId, cwd);
    assert.deepEqual(ofKind(own, 'tool_call_content_chunk'), found);
  });

  it('V2-DIFF-1, V2-DIFF-2, V2-DIFF-4, V2-DIFF-5: /patch tells every change, with and without a patch', async () => {
    const { client, own, sessionId, cwd } = await started();
    await client.prompt(sessionId, '/patch');
    const [told, bare] = diffs(own);
    assert.ok(told);
    const at = (file: string): string => path.join(cwd, 'src', file);
    assert.deepEqual(told.changes, bare?.changes);
    assert.equal(bare?.patch, undefined);
    assert.deepEqual(
      told.changes.map(({ operation }) => operation),
      ['add', 'modify', 'delete', 'move', 'copy', 'modify', 'add', 'add'],
    );
    const text = told.patch?.text ?? '';
    assert.ok(
      text.startsWith(`diff --git ${at('rates.md')} ${at('rates.md')}\nnew file mode 100644\n`),
    );
    assert.ok(text.includes(`rename from ${at('round.ts')}\nrename to ${at('money/round.ts')}\n`));
    assert.ok(text.includes(`copy from ${at('plants.ts')}\ncopy to ${at('seeds.ts')}\n`));
    assert.ok(text.includes('new file mode 120000\n'));
    assert.ok(text.includes(`--- ${at('oldRates.ts')}\n+++ /dev/null\n`));
    assert.equal(parsePatch(text).length, 6);
    assert.ok(!text.includes('logo.png'));
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

  it('V2-TOOL-5, V2-PLAN-1 to V2-PLAN-4: /pause and /plans show what they name', async () => {
    const { client, own, sessionId } = await started();
    await client.prompt(sessionId, '/pause');
    const told = ofKind(own, 'tool_call_update').map(({ status }) => status);
    assert.ok(told.includes('paused') && told.includes('cancelled'));
    await client.prompt(sessionId, '/plans');
    const plans = ofKind(own, 'plan_update').map(({ plan }) => [plan.type, plan.planId]);
    assert.deepEqual(
      new Set(plans.map(String)),
      new Set(['items,shop', 'items,release', 'markdown,spring']),
    );
    assert.deepEqual(
      ofKind(own, 'plan_removed').map(({ planId }) => planId),
      ['release'],
    );
    assert.match(JSON.stringify(ofKind(own, 'plan_update')), /"cancelled"/);
  });

  it('V2-EXT-1, V2-EXT-2, V2-TOOL-7, V2-MSG-8, V2-PERM-4: /strange says things that nobody knows', async () => {
    const { client, own, sessionId } = await started();
    await client.prompt(sessionId, '/strange');
    assert.equal((own.asked[0]?.['subject'] as { type: string }).type, 'premonition');
    const all = JSON.stringify(own.raw);
    for (const kind of ['hologram', '_demo/aside', 'scent', 'sculpture']) {
      assert.ok(all.includes(`"${kind}"`), kind);
    }
  });

  it('V2-SUB-1: subagents need no capability, and an earlier draft’s are told in today’s way', async () => {
    for (const shape of ['sessions', 'earlier']) {
      const { client, own, sessionId } = await started();
      await client.prompt(sessionId, `/subagents ${shape}`);
      const known = new Set([sessionId]);
      for (const sent of own.raw) {
        assert.ok(known.has(sent.sessionId), 'a child is announced before it says anything');
        if (sent.update.sessionUpdate === 'subagent_update') {
          known.add((sent.update as Kind<'subagent_update'>).sessionId);
        }
      }
      assert.equal(known.size, 4);
      assert.doesNotMatch(JSON.stringify(own.raw), /subagent_(spawned|state)/);
    }
  });

  it('V2-CONF-1, V2-CONF-3: options are set with a type, and modes are options', async () => {
    const { client, own, sessionId } = await started();
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
    await client.prompt(sessionId, '/tools');
    assert.doesNotMatch(JSON.stringify(own.raw), /current_mode_update/);
  });
});

function ownOf({ version2 }: TestClient): Version2Client {
  assert.ok(version2);
  return version2;
}
