import assert from 'node:assert/strict';
import type { Block } from '../../../../src/shared/transcript/content';
import { until } from '../../../support/until';
import { ablePeer, connect, isMethod, Peer, type Raw, rejectsWith } from '../peer';

const hello: Block = { type: 'text', text: 'hello' };

function last(peer: Peer): Raw {
  return peer.received.at(-1)?.['params'] as Raw;
}

describe('session/prompt', () => {
  const ended = { stopReason: 'end_turn' };

  it('PR-2, PR-3, CO-5: text and links go to every agent', async () => {
    const peer = new Peer().answer('session/prompt', () => ended);
    const { connection } = await connect(peer.client);
    const link: Block = { type: 'resource_link', uri: 'file:///w/a', name: 'a' };
    await connection.prompt('s1', [hello, link]);
    assert.deepEqual(last(peer), { sessionId: 's1', prompt: [hello, link] });
  });

  it('PR-2, PR-4, CO-2, CO-3, CO-4: everything else as the protocol has it, to agents that take it', async () => {
    const peer = ablePeer().answer('session/prompt', () => ended);
    const { connection } = await connect(peer.client);
    await connection.prompt('s1', [
      { type: 'image', mimeType: 'image/png', data: 'AA==' },
      { type: 'audio', mimeType: 'audio/wav', data: 'AA==' },
      { type: 'resource', uri: 'file:///w/a', text: 'x', mimeType: 'text/plain' },
      { type: 'resource', uri: 'file:///w/b', text: '' },
    ]);
    assert.deepEqual(last(peer)['prompt'], [
      { type: 'image', mimeType: 'image/png', data: 'AA==' },
      { type: 'audio', mimeType: 'audio/wav', data: 'AA==' },
      { type: 'resource', resource: { uri: 'file:///w/a', mimeType: 'text/plain', text: 'x' } },
      { type: 'resource', resource: { uri: 'file:///w/b', text: '' } },
    ]);
  });

  it('PR-2: what the agent doesn’t take is not sent', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    const others: readonly Block[] = [
      { type: 'image', mimeType: 'image/png', data: '' },
      { type: 'audio', mimeType: 'audio/wav', data: '' },
      { type: 'resource', uri: 'file:///w/a', text: '' },
      { type: 'unknown', label: 'video' },
    ];
    for (const block of others) {
      await rejectsWith(connection.prompt('s1', [hello, block]), 'unsupported');
    }
    await rejectsWith(connection.prompt('s1', []), 'invalidParams');
    assert.deepEqual(peer.methods(), ['initialize']);
  });

  it('US-5: its tokens are told before it ends', async () => {
    const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 };
    const peer = new Peer().answer('session/prompt', () => ({ ...ended, usage }));
    const { connection } = await connect(peer.client);
    const told: unknown[] = [];
    await connection.prompt('s1', [hello], undefined, (turn) => told.push(turn));
    assert.deepEqual(told, [{ total: 7, input: 3, output: 4 }]);
  });

  it('CM-2: a command is ordinary text', async () => {
    const peer = new Peer().answer('session/prompt', () => ended);
    const { connection } = await connect(peer.client);
    await connection.prompt('s1', [{ type: 'text', text: '/plan with care' }]);
    assert.deepEqual(last(peer)['prompt'], [{ type: 'text', text: '/plan with care' }]);
  });

  it('PR-10, MSG-4, EX-1: nothing goes along but session and content', async () => {
    const peer = new Peer().answer('session/prompt', () => ended);
    const { connection } = await connect(peer.client);
    await connection.prompt('s1', [hello]);
    assert.deepEqual(Object.keys(last(peer)), ['sessionId', 'prompt']);
  });

  for (const reason of [
    'end_turn',
    'max_tokens',
    'max_turn_requests',
    'refusal',
    'cancelled',
    'banana',
  ]) {
    it(`PR-6: ${reason} ends the turn`, async () => {
      const peer = new Peer().answer('session/prompt', () => ({ stopReason: reason }));
      const { connection } = await connect(peer.client);
      assert.equal(await connection.prompt('s1', [hello]), reason);
    });
  }

  for (const result of [null, {}, { stopReason: null }, { stopReason: 7 }, [], 'x']) {
    it(`PR-6: an answer of ${JSON.stringify(result)} ends it, too`, async () => {
      const peer = new Peer().answer('session/prompt', (message) => {
        peer.send({ jsonrpc: '2.0', id: message['id'], result });
        return undefined;
      });
      const { connection } = await connect(peer.client);
      assert.equal(await connection.prompt('s1', [hello]), 'unknown');
    });
  }

  it('PR-9, AUTH-13, ER-3: an error ends it with its code', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    for (const [code, expected] of [
      [-32603, 'rpc'],
      [-32000, 'authRequired'],
      [-32002, 'gone'],
      [-32800, 'cancelled'],
      [-32602, 'invalidParams'],
    ] as const) {
      peer.fail('session/prompt', { code, message: 'm' });
      await rejectsWith(connection.prompt('s1', [hello]), expected);
    }
    peer.fail('session/prompt', 'not even an error');
    await rejectsWith(connection.prompt('s1', [hello]), 'malformed');
  });

  it('ER-5: a prompt for a session that the agent has forgotten', async () => {
    const peer = new Peer().fail('session/prompt', { code: -32603, message: 'unknown session s1' });
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.prompt('s1', [hello]), 'gone');
  });

  it('PR-6: a second answer to the same prompt is nothing', async () => {
    const peer = new Peer().answer('session/prompt', (message) => {
      for (const stopReason of ['end_turn', 'refusal']) {
        peer.send({ jsonrpc: '2.0', id: message['id'], result: { stopReason } });
      }
      return undefined;
    });
    const { connection, log } = await connect(peer.client);
    assert.equal(await connection.prompt('s1', [hello]), 'end_turn');
    await until(() => log.lines.length > 0);
    assert.match(log.lines.join(), /answer without a request/);
  });

  it('PR-9: has no time limit, and ends with the agent', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client, { requestTimeoutMs: 1, setupTimeoutMs: 1 });
    const turn = connection.prompt('s1', [hello]);
    await peer.message(isMethod('session/prompt'));
    await rejectsWith(connection.setMode('s1', 'x'), 'timeout');
    await peer.own.close();
    await rejectsWith(turn, 'exited');
  });

  it('NEW-7, PR-5: turns of two sessions run side by side', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    const one = connection.prompt('s1', [hello]);
    const two = connection.prompt('s2', [hello]);
    await until(() => peer.received.filter(isMethod('session/prompt')).length === 2);
    const [first, second] = peer.received.filter(isMethod('session/prompt'));
    peer.send({ jsonrpc: '2.0', id: second?.['id'], result: { stopReason: 'two' } });
    assert.equal(await two, 'two');
    peer.send({ jsonrpc: '2.0', id: first?.['id'], result: { stopReason: 'one' } });
    assert.equal(await one, 'one');
  });
});

describe('session/cancel', () => {
  it('CA-1: one notification with the session, after the prompt that it is about', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    const turn = connection.prompt('s1', [hello]);
    connection.cancel('s1');
    const cancel = await peer.message(isMethod('session/cancel'));
    assert.deepEqual(cancel, {
      jsonrpc: '2.0',
      method: 'session/cancel',
      params: { sessionId: 's1' },
    });
    assert.deepEqual(peer.methods(), ['initialize', 'session/prompt', 'session/cancel']);
    const prompt = peer.received.find(isMethod('session/prompt'));
    peer.send({ jsonrpc: '2.0', id: prompt?.['id'], result: { stopReason: 'cancelled' } });
    assert.equal(await turn, 'cancelled');
  });

  it('CA-4, CA-8, CA-12, UP-4: updates after the cancel and after the answer arrive', async () => {
    const peer = new Peer();
    const { connection, updates } = await connect(peer.client);
    const turn = connection.prompt('s1', [hello]);
    connection.cancel('s1');
    await peer.message(isMethod('session/cancel'));
    const prompt = peer.received.find(isMethod('session/prompt'));
    const late = { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' };
    for (let i = 0; i < 100; i++) {
      peer.update('s1', late);
    }
    peer.send({ jsonrpc: '2.0', id: prompt?.['id'], result: { stopReason: 'cancelled' } });
    peer.update('s1', late);
    await turn;
    await until(() => updates.length === 101);
  });

  it('CA-1: canceling when the agent has gone does no harm', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    const closed = new Promise((resolve) => connection.onClosed(resolve));
    await peer.own.close();
    await closed;
    connection.cancel('s1');
    await rejectsWith(connection.prompt('s1', [hello]), 'exited');
  });
});

describe('modes and config options', () => {
  const flag = { id: 'f', name: 'F', type: 'boolean' };

  it('MO-3: sends the mode, also while a turn runs, and says when it is refused', async () => {
    const peer = new Peer().answer('session/set_mode', () => ({}));
    const { connection } = await connect(peer.client);
    const turn = connection.prompt('s1', [hello]);
    await connection.setMode('s1', 'https://x/plan');
    assert.deepEqual(last(peer), { sessionId: 's1', modeId: 'https://x/plan' });
    peer.fail('session/set_mode', { code: -32602, message: 'no such mode' });
    await rejectsWith(connection.setMode('s1', 'x'), 'invalidParams');
    await peer.own.close();
    await rejectsWith(turn, 'exited');
  });

  it('MO-6: sends the model, and says when it is refused', async () => {
    const peer = new Peer().answer('session/set_model', () => ({}));
    const { connection } = await connect(peer.client);
    await connection.setModel('s1', 'gemini-2.5-pro');
    assert.deepEqual(last(peer), { sessionId: 's1', modelId: 'gemini-2.5-pro' });
    peer.fail('session/set_model', { code: -32602, message: 'no such model' });
    await rejectsWith(connection.setModel('s1', 'x'), 'invalidParams');
  });

  it('CF-8, CF-9: a choice and a switch, each answered with the complete list', async () => {
    const peer = new Peer().answer('session/set_config_option', () => ({
      configOptions: [{ ...flag, currentValue: true }, { type: 'number' }],
    }));
    const { connection } = await connect(peer.client);
    const raw = '{\n  "type": "number"\n}';
    const unknown = { type: 'unknown', kind: 'number', name: 'number', raw };
    const list = [{ ...flag, value: true }, unknown];
    assert.deepEqual(await connection.setConfigOption('s1', 'model', 'a'), list);
    assert.deepEqual(last(peer), { sessionId: 's1', configId: 'model', value: 'a' });
    assert.deepEqual(await connection.setConfigOption('s1', 'f', true), list);
    assert.deepEqual(last(peer), { sessionId: 's1', configId: 'f', type: 'boolean', value: true });
  });

  it('CF-9: without the list the current values are unknown', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    for (const result of [{}, { configOptions: 'x' }, []]) {
      peer.answer('session/set_config_option', () => result);
      await rejectsWith(connection.setConfigOption('s1', 'a', 'b'), 'malformed');
    }
    peer.fail('session/set_config_option', { code: -32603, message: 'not now' });
    await rejectsWith(connection.setConfigOption('s1', 'a', 'b'), 'rpc');
  });
});
