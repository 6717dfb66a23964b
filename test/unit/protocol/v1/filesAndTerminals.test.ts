import assert from 'node:assert/strict';
import type { AgentRequests } from '../../../../src/protocol/agentRequests';
import { ask, codeOf, connect, Peer, requestsWith } from '../peer';

/** Answers and records every request. */
function recording(): { readonly requests: AgentRequests; readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const note =
    <T>(result: T) =>
    (request: unknown): Promise<T> => {
      asked.push(request);
      return Promise.resolve(result);
    };
  const exit = { exitCode: null, signal: 'SIGKILL' };
  return {
    asked,
    requests: requestsWith({
      requestPermission: note(undefined),
      readTextFile: note('text'),
      writeTextFile: note(undefined),
      createTerminal: note('t1'),
      terminalOutput: note({ output: 'out', truncated: true, exitStatus: exit }),
      waitForTerminalExit: note(exit),
      killTerminal: note(undefined),
      releaseTerminal: note(undefined),
      elicit: note({ action: 'decline' } as const),
    }),
  };
}

const ref = { sessionId: 's1', terminalId: 't1' };
const read = { sessionId: 's1', path: '/w/a' };
const create = { sessionId: 's1', command: 'ls' };

describe('files and terminals on the wire', () => {
  async function answering(): Promise<{ readonly peer: Peer; readonly asked: unknown[] }> {
    const peer = new Peer();
    const { requests, asked } = recording();
    await connect(peer.client, { requests });
    return { peer, asked };
  }

  const methods = {
    'fs/read_text_file': [read, { content: 'text' }],
    'fs/write_text_file': [{ ...read, content: 'new' }, {}],
    'terminal/create': [create, { terminalId: 't1' }],
    'terminal/output': [
      ref,
      { output: 'out', truncated: true, exitStatus: { exitCode: null, signal: 'SIGKILL' } },
    ],
    'terminal/wait_for_exit': [ref, { exitCode: null, signal: 'SIGKILL' }],
    'terminal/kill': [ref, {}],
    'terminal/release': [ref, {}],
    'elicitation/create': [
      { sessionId: 's1', mode: 'form', message: 'm', requestedSchema: {} },
      { action: 'decline' },
    ],
    'session/request_permission': [
      { sessionId: 's1', toolCall: { toolCallId: 't' }, options: [] },
      { outcome: { outcome: 'cancelled' } },
    ],
  } as const;

  for (const [method, [params, result]] of Object.entries(methods)) {
    it(`INIT-12, FS-1, TE-1, PE-1: ${method} is answered as promised`, async () => {
      const { peer, asked } = await answering();
      assert.deepEqual(await ask(peer, method, params), { jsonrpc: '2.0', id: 'q', result });
      assert.equal(asked.length, 1);
    });

    it(`TR-5, EX-2: ${method} with params that aren’t an object is refused, whatever _meta is`, async () => {
      const { peer, asked } = await answering();
      for (const [id, broken] of [undefined, null, [], 'x', {}, { _meta: 7 }].entries()) {
        assert.equal(codeOf(await ask(peer, method, broken, id)), -32602);
      }
      const meta = { ...params, _meta: [1, { deep: [] }], extra: true };
      assert.deepEqual((await ask(peer, method, meta, 'meta'))['result'], result);
      assert.equal(asked.length, 1);
    });
  }

  it('FS-2, TR-12: line and limit are passed on, null ones are left out', async () => {
    const { peer, asked } = await answering();
    await ask(peer, 'fs/read_text_file', { ...read, line: 3, limit: 10 }, 1);
    await ask(peer, 'fs/read_text_file', { ...read, line: 0, limit: 0 }, 2);
    await ask(peer, 'fs/read_text_file', { ...read, line: null, limit: null }, 3);
    assert.deepEqual(asked, [
      { ...read, line: 3, limit: 10 },
      { ...read, line: 0, limit: 0 },
      read,
    ]);
  });

  it('FS-3: the content as it is, empty included', async () => {
    const { peer, asked } = await answering();
    for (const [id, content] of ['', 'a\r\nb\u2028🎉', '\ufeffx'].entries()) {
      await ask(peer, 'fs/write_text_file', { ...read, content }, id);
      assert.deepEqual(asked.at(-1), { ...read, content });
    }
  });

  it('TE-2: everything of a command, null being nothing', async () => {
    const { peer, asked } = await answering();
    const full = {
      ...create,
      args: ['-l', '', 'a b; rm -rf $HOME'],
      env: [
        { name: 'A', value: '1' },
        { name: 'A', value: '2' },
      ],
      cwd: '/w/x',
      outputByteLimit: 5,
    };
    await ask(peer, 'terminal/create', full, 1);
    await ask(peer, 'terminal/create', create, 2);
    const empty = { ...create, args: null, env: null, cwd: null, outputByteLimit: null };
    await ask(peer, 'terminal/create', empty, 3);
    assert.deepEqual(asked, [
      { ...full, env: { A: '2' } },
      { ...create, args: [], env: {} },
      { ...create, args: [], env: {} },
    ]);
  });

  it('TE-4: without an end there is no exit status', async () => {
    const peer = new Peer();
    const terminalOutput = () => Promise.resolve({ output: '', truncated: false });
    await connect(peer.client, { requests: requestsWith({ terminalOutput }) });
    assert.deepEqual((await ask(peer, 'terminal/output', ref))['result'], {
      output: '',
      truncated: false,
    });
  });

  it('TE-5: both halves of an exit status are there', async () => {
    const peer = new Peer();
    const waitForTerminalExit = () => Promise.resolve({ exitCode: 3, signal: null });
    await connect(peer.client, { requests: requestsWith({ waitForTerminalExit }) });
    assert.deepEqual((await ask(peer, 'terminal/wait_for_exit', ref))['result'], {
      exitCode: 3,
      signal: null,
    });
  });

  const broken: readonly [string, unknown][] = [
    ['fs/read_text_file', { ...read, path: 'a' }],
    ['fs/read_text_file', { ...read, path: '' }],
    ['fs/read_text_file', { ...read, path: '../a' }],
    ['fs/read_text_file', { ...read, path: '~/a' }],
    ['fs/read_text_file', { ...read, path: 'file:///w/a' }],
    ['fs/read_text_file', { ...read, path: '/w/a\0.txt' }],
    ['fs/write_text_file', { ...read, path: 'a', content: '' }],
    ['terminal/create', { ...create, cwd: 'x' }],
    ['fs/read_text_file', { ...read, line: '1' }],
    ['fs/read_text_file', { ...read, line: 1.5 }],
    ['fs/read_text_file', { ...read, limit: {} }],
    ['fs/write_text_file', read],
    ['fs/write_text_file', { ...read, content: 5 }],
    ['terminal/create', { ...create, command: '' }],
    ['terminal/create', { ...create, args: '-l' }],
    ['terminal/create', { ...create, args: ['-l', 5] }],
    ['terminal/create', { ...create, env: { A: '1' } }],
    ['terminal/create', { ...create, env: [{ name: 'A' }] }],
    ['terminal/create', { ...create, env: ['A=1'] }],
    ['terminal/create', { ...create, outputByteLimit: -1 }],
    ['terminal/create', { ...create, outputByteLimit: 'x' }],
    ['terminal/kill', { sessionId: 's1' }],
    ['terminal/release', { terminalId: 't1' }],
  ];
  for (const [method, params] of broken) {
    it(`TR-11, FS-3, FS-6, TE-2, TE-6: ${method} with ${JSON.stringify(params)} is -32602, and the handler isn’t called`, async () => {
      const { peer, asked } = await answering();
      assert.equal(codeOf(await ask(peer, method, params)), -32602);
      assert.deepEqual(asked, []);
    });
  }

  const variable = (name: string, value = 'x') => ({ name, value });
  const tooLarge: readonly [string, object][] = [
    ['twice as many arguments as are taken', { args: Array(200_000).fill('') }],
    ['twice as many variables as are taken', { env: Array(2000).fill(variable('A')) }],
    ['a command twice as long as is taken', { command: 'x'.repeat(4 * 1024 * 1024) }],
    ['arguments twice as long as are taken', { args: Array(4096).fill('x'.repeat(1024)) }],
    ['a variable twice as long as is taken', { env: [variable('A', 'x'.repeat(4 * 1024 ** 2))] }],
    ['a folder twice as long as is taken', { cwd: `/${'x'.repeat(4 * 1024 ** 2)}` }],
  ];
  for (const [what, part] of tooLarge) {
    it(`TE-2: ${what} is -32602, and the handler isn’t called`, async () => {
      const { peer, asked } = await answering();
      assert.equal(codeOf(await ask(peer, 'terminal/create', { ...create, ...part })), -32602);
      assert.deepEqual(asked, []);
    });
  }

  it('TE-2, SEC-29: variables that could change the command unnoticed are -32602, others are accepted', async () => {
    const { peer, asked } = await answering();
    const refused = [
      ...['PATH', 'Path', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES', 'NODE_OPTIONS'],
      ...['ELECTRON_RUN_AS_NODE', 'BASH_ENV', 'BASH_FUNC_ls%%', 'PERL5OPT', 'GIT_SSH_COMMAND'],
    ];
    for (const [at, name] of refused.entries()) {
      const params = { ...create, env: [variable('A'), variable(name)] };
      assert.equal(codeOf(await ask(peer, 'terminal/create', params, at)), -32602, name);
    }
    assert.deepEqual(asked, []);
    // An agent may pass on its own environment: variables with an unchanged value are accepted.
    const taken = [variable('PATH', process.env['PATH']), variable('CLAUDECODE'), variable('ENV')];
    await ask(peer, 'terminal/create', { ...create, env: taken }, refused.length);
    assert.equal(asked.length, 1);
  });
});
