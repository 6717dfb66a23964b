import assert from 'node:assert/strict';
import type { ElicitationRequest, PermissionRequest } from '../../../../src/protocol/agentRequests';
import { until } from '../../../support/until';
import { ask, codeOf, type Peer, type Raw, requestsWith } from '../peer';
import { ablePeer2, connect2 } from './peer2';

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'odd', name: 'Odd', kind: 'allow_for_a_while' },
];

/** An agent whose questions are answered with the option `odd`. */
async function asked(...all: readonly Raw[]): Promise<{
  readonly requests: PermissionRequest[];
  readonly answers: Raw[];
  readonly peer: Peer;
}> {
  const peer = ablePeer2();
  const requests: PermissionRequest[] = [];
  await connect2(peer, {
    requests: requestsWith({
      requestPermission: (request) => {
        requests.push(request);
        return Promise.resolve({ optionId: 'odd' });
      },
    }),
  });
  const answers: Raw[] = [];
  for (const [index, params] of all.entries()) {
    answers.push(await ask(peer, 'session/request_permission', params, index));
  }
  return { requests, answers, peer };
}

const question = { sessionId: 's1', title: 'May I?', description: 'Because.', options };

describe('permissions of version 2', () => {
  it('V2-PERM-1, V2-PERM-2, V2-PERM-5: about a call, with words of their own', async () => {
    const subject = {
      type: 'tool_call',
      toolCall: { toolCallId: 't1', title: 'Edit', kind: 'edit', status: 'pending' },
    };
    const { requests, answers } = await asked({ ...question, subject });
    assert.deepEqual(requests, [
      {
        sessionId: 's1',
        title: 'May I?',
        description: 'Because.',
        toolCall: { toolCallId: 't1', title: 'Edit', kind: 'edit', status: 'pending' },
        options: [options[0], { ...options[1], kind: 'other' }],
      },
    ]);
    assert.deepEqual(answers[0]?.['result'], { outcome: { outcome: 'selected', optionId: 'odd' } });
  });

  it('V2-PERM-3: about a command, of a call or of none', async () => {
    const subject = { type: 'command', command: 'make', cwd: '/w' };
    const { requests } = await asked(
      { ...question, subject: { ...subject, toolCallId: 't1' } },
      { ...question, subject },
      { ...question, subject },
    );
    const calls = requests.map(({ toolCall }) => toolCall);
    const [first, second, third] = calls.map(({ toolCallId }) => toolCallId);
    assert.equal(first, 't1');
    assert.notEqual(second, third);
    for (const { toolCallId: _, ...call } of calls) {
      assert.deepEqual(call, {
        kind: 'execute',
        title: 'make',
        rawInput: { command: 'make', cwd: '/w' },
      });
    }
  });

  it('V2-PERM-4: without a subject, or with one that isn’t known', async () => {
    const { requests } = await asked(
      { ...question, description: null },
      { ...question, subject: null },
      { ...question, subject: { type: '_acme', secret: 1 } },
    );
    assert.equal(new Set(requests.map(({ toolCall }) => toolCall.toolCallId)).size, 3);
    for (const { toolCall, title } of requests) {
      assert.deepEqual([toolCall.kind, toolCall.title, title], ['other', 'May I?', 'May I?']);
    }
    assert.equal(requests[0]?.description, undefined);
  });

  it('V2-PERM-4, V2-EXT-4: what can’t be read is refused, and everything is bounded', async () => {
    const { answers, requests } = await asked(
      { ...question, subject: { type: 'tool_call', toolCall: {} } },
      { ...question, subject: { type: 'command' } },
      { ...question, sessionId: 1 },
      { ...question, title: 'x'.repeat(1e5), description: 'x'.repeat(1e5), _meta: { a: 1 } },
      {
        ...question,
        title: 7,
        subject: { type: 'command', command: 'x'.repeat(1e5), toolCallId: 'x'.repeat(1e5) },
      },
    );
    assert.deepEqual(answers.slice(0, 3).map(codeOf), [-32602, -32602, -32602]);
    assert.ok(JSON.stringify(requests[0]).length < 30_000);
    assert.ok((requests[1]?.toolCall.toolCallId.length ?? 0) < 100);
    assert.ok((requests[1]?.toolCall.title?.length ?? 0) < 5000);
    assert.equal(requests[1]?.title, undefined);
  });

  it('V2-PERM-6, CA-7: one that the agent withdraws is answered with cancelled', async () => {
    const peer = ablePeer2();
    let isAborted = false;
    await connect2(peer, {
      requests: requestsWith({
        requestPermission: (_, signal) =>
          new Promise(() => signal.addEventListener('abort', () => (isAborted = true))),
      }),
    });
    const answer = ask(peer, 'session/request_permission', question, 'q');
    peer.send({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'q' } });
    assert.deepEqual((await answer)['result'], { outcome: { outcome: 'cancelled' } });
    await until(() => isAborted);
  });

  it('PE-1, PE-7: without anybody to ask, nothing is allowed', async () => {
    const peer = ablePeer2();
    await connect2(peer);
    const answer = await ask(peer, 'session/request_permission', question);
    assert.deepEqual(answer['result'], { outcome: { outcome: 'cancelled' } });
    assert.equal(codeOf(await ask(peer, 'elicitation/create', {}, 'e')), -32601);
  });
});

describe('elicitations of version 2', () => {
  it('V2-ELI-1, V2-ELI-3 to V2-ELI-5: forms and addresses, of a session or a request', async () => {
    const peer = ablePeer2();
    const requests: ElicitationRequest[] = [];
    const completed: string[] = [];
    await connect2(peer, {
      requests: requestsWith({
        elicit: (request) => {
          requests.push(request);
          return Promise.resolve({ action: 'accept', values: { a: 'x' } });
        },
        elicitationCompleted: (id) => completed.push(id),
      }),
    });
    const form = {
      ...{ sessionId: 's1', toolCallId: 't1', mode: 'form', message: 'Which?' },
      requestedSchema: { type: 'object', properties: { a: { type: 'string', title: 'A' } } },
    };
    assert.deepEqual((await ask(peer, 'elicitation/create', form, 1))['result'], {
      action: 'accept',
      content: { a: 'x' },
    });
    const url = { requestId: 3, mode: 'url', message: 'M', url: 'https://x/', elicitationId: 'e' };
    assert.deepEqual((await ask(peer, 'elicitation/create', url, 2))['result'], {
      action: 'accept',
    });
    assert.deepEqual(
      requests.map(({ sessionId, toolCallId, ask: { mode } }) => [sessionId, toolCallId, mode]),
      [
        ['s1', 't1', 'form'],
        [undefined, undefined, 'url'],
      ],
    );
    peer.send({ jsonrpc: '2.0', method: 'elicitation/complete', params: { elicitationId: 'e' } });
    await until(() => completed.length === 1);
    assert.deepEqual(completed, ['e']);
    const unknown = { ...form, mode: '_acme' };
    assert.equal(codeOf(await ask(peer, 'elicitation/create', unknown, 4)), -32602);
  });

  it('V2-ELI-2: any format is asked for, as a remark', async () => {
    const peer = ablePeer2();
    const requests: ElicitationRequest[] = [];
    await connect2(peer, {
      requests: requestsWith({
        elicit: (request) => {
          requests.push(request);
          return Promise.resolve({ action: 'accept', values: { a: 'x' } });
        },
      }),
    });
    for (const [index, format] of ['email', 'star-sign', '__proto__', 7, null].entries()) {
      const form = {
        ...{ sessionId: 's1', mode: 'form', message: 'Which?' },
        requestedSchema: { type: 'object', properties: { a: { type: 'string', format } } },
      };
      assert.deepEqual((await ask(peer, 'elicitation/create', form, index))['result'], {
        action: 'accept',
        content: { a: 'x' },
      });
    }
    assert.deepEqual(
      requests.flatMap((request) => (request.ask.mode === 'form' ? request.ask.fields : [])),
      ['email', 'star-sign', '__proto__', undefined, undefined].map((format) => ({
        ...{ name: 'a', title: 'a', required: false, type: 'string' },
        ...(format !== undefined && { format }),
      })),
    );
  });
});
