import assert from 'node:assert/strict';
import { until } from '../../../support/until';
import { ask, codeOf, connect, Peer, requestsWith } from '../peer';

const unknownMethod = 'Request of an unknown method: {"method":"_x/y","params":{}}';

describe('requests that are taken back by the agent', () => {
  const refs = { sessionId: 's1', terminalId: 't' };
  const requests = {
    'fs/read_text_file': { sessionId: 's1', path: '/w/a' },
    'fs/write_text_file': { sessionId: 's1', path: '/w/a', content: '' },
    'terminal/create': { sessionId: 's1', command: 'ls' },
    'terminal/output': refs,
    'terminal/wait_for_exit': refs,
    'terminal/kill': refs,
    'terminal/release': refs,
    'elicitation/create': { sessionId: 's1', mode: 'form', message: '', requestedSchema: {} },
    'session/request_permission': {
      sessionId: 's1',
      toolCall: { toolCallId: 't' },
      options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
    },
  };

  /** Never answers, and records the abort signals of the requests. */
  function deaf(): { readonly waiting: (AbortSignal | undefined)[]; readonly peer: Peer } {
    return { waiting: [], peer: new Peer() };
  }

  for (const [method, params] of Object.entries(requests)) {
    it(`CA-6, CA-7, CA-10: ${method} gets exactly one answer, however late its handler is`, async () => {
      const { waiting, peer } = deaf();
      let finish: (value: never) => void = () => undefined;
      const wait = (_: unknown, signal?: AbortSignal): Promise<never> => {
        waiting.push(signal);
        return new Promise((resolve) => (finish = resolve));
      };
      const { log } = await connect(peer.client, {
        requests: requestsWith({
          requestPermission: wait,
          readTextFile: wait,
          writeTextFile: wait,
          createTerminal: wait,
          terminalOutput: wait,
          waitForTerminalExit: wait,
          killTerminal: wait,
          releaseTerminal: wait,
          elicit: wait,
        }),
      });
      const answered = ask(peer, method, params, 'q');
      await until(() => waiting.length === 1);
      const cancel = { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'q' } };
      peer.send(cancel);
      const answer = await answered;
      assert.ok(waiting[0]?.aborted ?? true);
      if (method === 'session/request_permission') {
        assert.deepEqual(answer['result'], { outcome: { outcome: 'cancelled' } });
      } else {
        assert.equal(codeOf(answer), -32800);
      }
      finish({ optionId: 'yes', action: 'accept' } as never);
      peer.send(cancel);
      assert.equal(codeOf(await ask(peer, '_x/y', {}, 'next')), -32601);
      assert.equal(peer.received.filter((message) => message['id'] === 'q').length, 1);
      assert.deepEqual(log.lines, [unknownMethod]);
    });
  }

  it('CA-10: nothing is known of other ids', async () => {
    const peer = new Peer();
    const { log } = await connect(peer.client, { requests: requestsWith({}) });
    for (const requestId of [999, 'x', null, {}, undefined]) {
      peer.send({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId } });
    }
    assert.equal(codeOf(await ask(peer, '_x/y', {})), -32601);
    assert.deepEqual(peer.methods(), ['initialize', undefined]);
    assert.deepEqual(log.lines, [unknownMethod]);
  });

  it('CA-9: handlers that are running when the connection is closed are aborted', async () => {
    const peer = new Peer();
    const signals: AbortSignal[] = [];
    const { connection } = await connect(peer.client, {
      requests: requestsWith({
        elicit: (_, signal) => {
          signals.push(signal);
          return new Promise(() => undefined);
        },
      }),
    });
    void ask(peer, 'elicitation/create', requests['elicitation/create']);
    await until(() => signals.length === 1);
    await connection.close();
    await until(() => signals[0]?.aborted === true);
  });
});
