import assert from 'node:assert/strict';
import type { PermissionAnswer, PermissionRequest } from '../../../../src/protocol/agentRequests';
import { AcpError } from '../../../../src/protocol/errors';
import { deferred } from '../../../../src/util/async';
import { until } from '../../../support/until';
import { ask, codeOf, connect, Peer, type Raw, requestsWith } from '../peer';

const method = 'session/request_permission';
const cancelled = { outcome: { outcome: 'cancelled' } };
const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
  { optionId: 'never', name: 'Never', kind: 'reject_always' },
];
const permission = { sessionId: 's1', toolCall: { toolCallId: 't' }, options };

describe('session/request_permission', () => {
  /** An agent whose permission requests are answered like this, and the requests that arrived. */
  async function asking(
    answer: (request: PermissionRequest) => PermissionAnswer | Promise<PermissionAnswer>,
  ): Promise<{ readonly peer: Peer; readonly asked: PermissionRequest[] }> {
    const peer = new Peer();
    const asked: PermissionRequest[] = [];
    const requestPermission = async (request: PermissionRequest): Promise<PermissionAnswer> => {
      asked.push(request);
      return answer(request);
    };
    await connect(peer.client, { requests: requestsWith({ requestPermission }) });
    return { peer, asked };
  }

  it('PE-2: the options in the agent’s order, with their kinds', async () => {
    const { peer, asked } = await asking(() => undefined);
    await ask(peer, method, permission);
    assert.deepEqual(asked, [permission]);
  });

  it('PE-2, T-26: an option of an unknown kind is one like the others', async () => {
    const { peer, asked } = await asking(() => ({ optionId: 'x' }));
    const odd = { optionId: 'x', name: 'X', kind: 'allow_maybe' };
    const kindless = { optionId: 'z', name: 'Z' };
    const answer = await ask(peer, method, { ...permission, options: [odd, kindless] });
    assert.deepEqual(answer['result'], { outcome: { outcome: 'selected', optionId: 'x' } });
    assert.deepEqual(asked[0]?.options, [
      { ...odd, kind: 'other' },
      { ...kindless, kind: 'other' },
    ]);
  });

  it('PE-2: options that can’t be used are left out, and of two with one id the second', async () => {
    const { peer, asked } = await asking(() => undefined);
    const broken = [null, 'yes', { name: 'No id', kind: 'allow_once' }, { optionId: 5, name: 'X' }];
    const long = { optionId: 'x'.repeat(10_001), name: 'X', kind: 'allow_once' };
    const again = { optionId: 'yes', name: 'Reject', kind: 'reject_once' };
    await ask(peer, method, { ...permission, options: [...broken, long, options[0], again] });
    assert.deepEqual(asked[0]?.options, [options[0]]);
  });

  it('PE-6: the tool call is read like an update of it', async () => {
    const { peer, asked } = await asking(() => undefined);
    const toolCall = {
      toolCallId: 't',
      title: 'rm -rf build',
      kind: 'zap',
      status: null,
      content: [{ type: 'diff', path: '/w/a', newText: 'x' }],
      rawInput: { command: 'rm' },
    };
    await ask(peer, method, { ...permission, toolCall });
    assert.deepEqual(asked[0]?.toolCall, {
      toolCallId: 't',
      title: 'rm -rf build',
      kind: 'other',
      content: [{ type: 'diff', path: '/w/a', oldText: null, newText: 'x' }],
      rawInput: { command: 'rm' },
    });
  });

  for (const { optionId } of options) {
    it(`PE-3: the choice of ${optionId} goes back as it is`, async () => {
      const { peer } = await asking(() => ({ optionId }));
      assert.deepEqual(await ask(peer, method, permission), {
        jsonrpc: '2.0',
        id: 'q',
        result: { outcome: { outcome: 'selected', optionId } },
      });
    });
  }

  it('PE-3, PE-7: no choice, and one that was not offered, are canceled', async () => {
    for (const answer of [undefined, { optionId: 'other' }]) {
      const { peer } = await asking(() => answer);
      assert.deepEqual((await ask(peer, method, permission))['result'], cancelled);
    }
  });

  it('PE-8: without options there is nothing that could be allowed', async () => {
    for (const none of [[], null, undefined, 'x', [null]]) {
      const { peer } = await asking(() => ({ optionId: 'yes' }));
      const answer = await ask(peer, method, { ...permission, options: none });
      assert.deepEqual(answer['result'], cancelled);
    }
  });

  it('PE-4: a handler that gives up instead of answering counts as canceled', async () => {
    const { peer } = await asking(() => Promise.reject(new AcpError('cancelled', '')));
    assert.deepEqual((await ask(peer, method, permission))['result'], cancelled);
  });

  it('PE-1, UP-1: one for an unknown session is refused, not allowed', async () => {
    const { peer } = await asking(() => Promise.reject(new AcpError('gone', 'no such session')));
    assert.equal(codeOf(await ask(peer, method, permission)), -32002);
  });

  it('PE-2: one that is about nothing is invalid', async () => {
    const { peer, asked } = await asking(() => ({ optionId: 'yes' }));
    const broken = [
      undefined,
      null,
      [],
      { ...permission, sessionId: 5 },
      { ...permission, toolCall: null },
      { ...permission, toolCall: { title: 'no id' } },
    ];
    for (const [id, params] of broken.entries()) {
      assert.equal(codeOf(await ask(peer, method, params, id)), -32602);
    }
    assert.deepEqual(asked, []);
  });

  it('PE-8: several at once each get the answer that is theirs', async () => {
    const answers = new Map<string, (answer: PermissionAnswer) => void>();
    const { peer } = await asking(({ toolCall }) => {
      const answer = deferred<PermissionAnswer>();
      answers.set(toolCall.toolCallId, (value) => answer.resolve(value));
      return answer.promise;
    });
    const pending = ['a', 'b', 'c'].map((toolCallId) =>
      ask(peer, method, { ...permission, toolCall: { toolCallId } }, toolCallId),
    );
    await until(() => answers.size === 3);
    answers.get('c')?.({ optionId: 'yes' });
    answers.get('a')?.({ optionId: 'no' });
    answers.get('b')?.(undefined);
    const outcomes = (await Promise.all(pending)).map((answer) => answer['result']);
    assert.deepEqual(outcomes, [
      { outcome: { outcome: 'selected', optionId: 'no' } },
      cancelled,
      { outcome: { outcome: 'selected', optionId: 'yes' } },
    ]);
  });

  it('PE-8: two with one id are both asked, and each is answered once', async () => {
    const waiting: ((answer: PermissionAnswer) => void)[] = [];
    const { peer } = await asking(() => new Promise((resolve) => waiting.push(resolve)));
    for (let i = 0; i < 2; i++) {
      peer.send({ jsonrpc: '2.0', id: 'same', method, params: permission });
    }
    await until(() => waiting.length === 2);
    for (const [index, resolve] of waiting.entries()) {
      resolve({ optionId: index === 0 ? 'yes' : 'no' });
    }
    const answers = (): Raw[] => peer.received.filter((message) => message['id'] === 'same');
    await until(() => answers().length === 2);
    await ask(peer, '_x/y', {});
    assert.deepEqual(
      answers().map((answer) => answer['result']),
      [
        { outcome: { outcome: 'selected', optionId: 'yes' } },
        { outcome: { outcome: 'selected', optionId: 'no' } },
      ],
    );
  });

  it('PE-4: it hears when the agent goes', async () => {
    const peer = new Peer();
    const signals: AbortSignal[] = [];
    const requestPermission = (_: unknown, signal: AbortSignal): Promise<never> => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    await connect(peer.client, { requests: requestsWith({ requestPermission }) });
    void ask(peer, method, permission);
    await until(() => signals.length === 1);
    await peer.own.close();
    await until(() => signals[0]?.aborted === true);
  });
});
