import assert from 'node:assert/strict';
import { getVersions } from '../../../../../src/protocol/versions';
import { until } from '../../../../support/until';
import { folder } from '../../../model/fakes';
import { sessionsBench } from '../../../model/sessionBench';
import { connect } from '../../../protocol/peer';
import { TraceText } from '../../../protocol/trace/traceBench';
import { here, ReplayBench } from './replayBench';

describe('replaying a trace', () => {
  const { replay } = ReplayBench.ofSuite();

  describe('of version 2', () => {
    /** What the agent answers to these requests, message by message. */
    async function said(
      text: string,
      ...requests: readonly (readonly [string, object])[]
    ): Promise<readonly Record<string, unknown>[]> {
      const transport = replay(text);
      let sent = '';
      transport.onData((bytes) => (sent += Buffer.from(bytes).toString()));
      for (const [id, [method, params]] of requests.entries()) {
        await transport.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
        await until(() => sent.includes(`"id":${id},`));
      }
      await transport.close();
      return sent
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    }

    const initialized = (): TraceText =>
      new TraceText().request('initialize', {}, { protocolVersion: 2 });
    const start = { replayFrom: { type: 'start' } };
    const state = (text: TraceText, name: string, more: object = {}, sessionId = 's'): TraceText =>
      text.update(sessionId, { sessionUpdate: 'state_update', state: name, ...more });
    const prompt = { sessionId: 's', prompt: [{ type: 'text', text: 'And now?' }] };
    const updatesOf = (messages: readonly Record<string, unknown>[]): readonly unknown[] =>
      messages.flatMap(({ method, params }) =>
        method === 'session/update' ? [(params as { update: unknown }).update] : [],
      );
    const idle = { sessionUpdate: 'state_update', state: 'idle' };

    it('V2-INIT-3, V2-INIT-8: answers in the version of the recording, as an agent whose sessions can only be read', async () => {
      const [first, second, third, fourth, fifth] = await said(
        state(initialized(), 'idle').text,
        ['initialize', { protocolVersion: 2 }],
        ['session/load', { sessionId: 's', ...here }],
        ['session/resume', { sessionId: 's', ...here }],
        ['session/close', { sessionId: 's' }],
        ['session/prompt', prompt],
      );
      assert.deepEqual(first?.['result'], {
        protocolVersion: 2,
        info: { name: 'acp-sessions-trace', version: '1' },
        capabilities: { session: {}, _meta: { acpSessions: { readOnly: true } } },
      });
      assert.deepEqual(fourth?.['result'], {});
      for (const refused of [second, third, fifth]) {
        assert.equal((refused?.['error'] as { code: number }).code, -32601);
      }
    });

    it('V2-RES-1: replays what it has on a resume from the start, and is idle then', async () => {
      const text = initialized();
      const message = { sessionUpdate: 'agent_message', messageId: 'a', content: [] };
      const options = { configOptions: [{ id: 'model' }] };
      text.request('session/resume', { sessionId: 's', ...start }, options, () => {
        text.update('s', message);
        state(text, 'idle', { stopReason: 'cancelled' });
      });
      text.request('session/prompt', prompt, { messageId: 'm' });
      state(text, 'running');
      const messages = await said(text.text, [
        'session/resume',
        { sessionId: 's', ...here, ...start },
      ]);
      const own = {
        ...{ sessionUpdate: 'user_message_chunk', content: prompt.prompt[0] },
        messageId: 'trace-7',
      };
      assert.deepEqual(updatesOf(messages), [message, own, idle]);
      assert.deepEqual(messages.at(-1)?.['result'], options);
    });

    for (const [stopReason, reason, more] of [
      ['max_tokens', 'max_tokens', {}],
      ['refusal', 'refused', {}],
      ['cancelled', 'cancelled', {}],
      ['_own', '_own', {}],
      ['error', 'No luck', { error: { code: -32603, message: 'No luck' } }],
      ['error', 'failed', {}],
      ['end_turn', undefined, {}],
      [undefined, undefined, {}],
    ] as const) {
      it(`V2-TURN-3, V2-TURN-5: a turn that became idle with ${stopReason} ${JSON.stringify(more)} has ended once`, async () => {
        const text = initialized();
        text.request('session/prompt', prompt, { messageId: 'm' });
        const user = { sessionUpdate: 'user_message', messageId: 'm', content: prompt.prompt };
        text.update('s', user);
        state(text, 'running');
        state(text, 'idle', { stopReason, ...more });
        state(text, 'idle', { stopReason, ...more });
        state(text, 'running', {}, 'child');
        state(text, 'idle', { stopReason: 'cancelled' }, 'child');
        const messages = await said(text.text, [
          'session/resume',
          { sessionId: 's', ...here, ...start },
        ]);
        const end = { sessionUpdate: '_acp_sessions_turn_end', stopReason: reason };
        assert.deepEqual(updatesOf(messages), [user, ...(reason === undefined ? [] : [end]), idle]);
      });
    }

    it('is read as it was recorded: what was said, how a turn has ended, and nothing to be written', async () => {
      const text = initialized();
      const block = (words: string): object => ({ type: 'text', text: words });
      const says = (kind: string, messageId: string, words: string): unknown =>
        text.update('s', { sessionUpdate: kind, messageId, content: block(words) });
      text.request(
        'session/list',
        {},
        { sessions: [{ sessionId: 's', cwd: '/there', title: 'T' }] },
      );
      text.request('session/resume', { sessionId: 's', ...start }, {}, () => {
        says('user_message_chunk', 'u1', 'Hello');
        says('agent_message_chunk', 'a1', 'Hi there');
        state(text, 'idle');
      });
      text.request('session/prompt', prompt, { messageId: 'u2' });
      says('user_message_chunk', 'u2', 'And now?');
      state(text, 'running');
      says('agent_message_chunk', 'a2', 'So far');
      state(text, 'idle', { stopReason: 'max_tokens' });
      state(text, 'running');
      const bench = sessionsBench(['trace']);
      bench.connect = async () =>
        (await connect(replay(text.text), { versions: getVersions('2') })).connection as never;
      const agent = bench.agents.get('trace');
      assert.ok(agent);
      const list = agent.lists.of(folder);
      await list.load();
      const [row] = list.rows;
      assert.ok(row);
      const session = bench.sessions.open(agent, row.info);
      await session.load();
      assert.equal(session.phase.kind, 'ready');
      const entries = JSON.stringify(session.transcript.entries);
      for (const words of ['Hello', 'Hi there', 'And now?', 'So far']) {
        assert.equal(entries.split(words).length, 2, words);
      }
      assert.match(entries, /max_tokens/);
      assert.equal(session.writable.kind, 'no');
      assert.equal(session.isBusy, false);
      for (const capability of ['delete', 'fork', 'resume', 'prompt', 'steering'] as const) {
        assert.equal(agent.supports(capability), false, capability);
      }
      await bench.agents.close();
    });

    it('V2-TURN-6: a prompt that was refused is there with the reason', async () => {
      const text = initialized();
      text.answers(text.asks('session/prompt', prompt), { error: { code: 1, message: 'Busy' } });
      const messages = await said(text.text, [
        'session/resume',
        { sessionId: 's', ...here, ...start },
      ]);
      assert.deepEqual(
        updatesOf(messages).map((one) => (one as Record<string, unknown>)['stopReason']),
        [undefined, 'Busy', undefined],
      );
    });
  });
});
