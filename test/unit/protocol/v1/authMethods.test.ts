import assert from 'node:assert/strict';
import { readAuthMethods } from '../../../../src/protocol/v1/authMethods';
import { ablePeer, connect, goodInitialize, isMethod, Peer, rejectsWith } from '../peer';

describe('ways to log in', () => {
  const ofAgent = { id: 'a', name: 'Browser' };
  const inTerminal = { id: 't', name: 'Terminal', type: 'terminal' };

  it('AUTH-1: a method without a type is the agent’s own', () => {
    assert.deepEqual(readAuthMethods([{ ...ofAgent, description: 'Opens a page' }], true), [
      { ...ofAgent, description: 'Opens a page', type: 'agent' },
    ]);
  });

  it('AUTH-9: methods for a terminal are offered only to clients that support them', () => {
    const methods = [ofAgent, inTerminal];
    assert.deepEqual(
      readAuthMethods(methods, false).map(({ id }) => id),
      ['a'],
    );
    assert.deepEqual(readAuthMethods(methods, true)[1], { ...inTerminal, args: [], env: {} });
  });

  it('AUTH-5, AUTH-6: a terminal method adds arguments and variables, and can’t say what to run', () => {
    const args = ['login', '--now'];
    const env = { MODE: 'login' };
    const method = { ...inTerminal, args, env, command: '/bin/evil' };
    assert.deepEqual(readAuthMethods([method], true), [{ ...inTerminal, args, env }]);
  });

  it('AUTH-14: broken entries are skipped, an unknown type is the agent’s own', () => {
    const unknown = { type: 'env_var', id: 'x', name: 'X' };
    const methods = [null, { id: 1 }, { id: 'x' }, { id: '', name: 'X' }, 'x', unknown];
    assert.deepEqual(readAuthMethods(methods, true), [{ type: 'agent', id: 'x', name: 'X' }]);
    for (const value of [undefined, null, {}, 'x']) {
      assert.deepEqual(readAuthMethods(value, true), []);
    }
  });

  it('AUTH-2, AUTH-14: a broken method for a terminal is nothing, and never the agent’s own', () => {
    for (const broken of [{ args: 5 }, { args: ['a', 1] }, { env: [] }, { env: { A: 1 } }]) {
      assert.deepEqual(readAuthMethods([{ ...inTerminal, ...broken }], true), []);
    }
  });
});

describe('ways to log in that only `_meta` describes', () => {
  /** Login methods as the agents send them, each with the expected result. */
  const shapes = {
    'AUTH-5: Copilot names a program for a terminal': [
      {
        id: 'copilot-login',
        name: 'Log in with Copilot CLI',
        description: 'Run `copilot login` in the terminal',
        _meta: {
          'terminal-auth': { command: '/opt/copilot', args: ['login'], label: 'Copilot Login' },
        },
      },
      { type: 'terminal', command: '/opt/copilot', args: ['login'], env: {} },
    ],
    'AUTH-5: Qwen adds arguments to its own program': [
      { id: 'openai', name: 'Key', _meta: { type: 'terminal', args: ['--auth-type=openai'] } },
      { type: 'terminal', args: ['--auth-type=openai'], env: {} },
    ],
    'AUTH-6: Qwen’s shape names no program': [
      { id: 'openai', name: 'Key', _meta: { type: 'terminal', command: '/bin/evil' } },
      { type: 'terminal', args: [], env: {} },
    ],
    'Codex takes a key of OpenAI’s': [
      { id: 'api-key', name: 'API Key', _meta: { 'api-key': { provider: 'openai' } } },
      { type: 'apiKey', variable: 'OPENAI_API_KEY' },
    ],
    'Gemini takes a key of Google’s': [
      { id: 'gemini', name: 'Key', _meta: { 'api-key': { provider: 'google' } } },
      { type: 'apiKey', variable: 'GEMINI_API_KEY' },
    ],
    'one takes a key of Anthropic’s': [
      { id: 'claude', name: 'Key', _meta: { 'api-key': { provider: 'anthropic' } } },
      { type: 'apiKey', variable: 'ANTHROPIC_API_KEY' },
    ],
    'AUTH-1: a key of an unknown provider’s is the agent’s own affair': [
      { id: 'x', name: 'Key', _meta: { 'api-key': { provider: 'PATH' } } },
      { type: 'agent' },
    ],
    'AUTH-1: so is what `_meta` says in another way': [
      { id: 'gateway', name: 'Gateway', _meta: { gateway: { protocol: 'google' } } },
      { type: 'agent' },
    ],
  } as const;

  for (const [name, [{ _meta, ...method }, expected]] of Object.entries(shapes)) {
    it(name, () => {
      assert.deepEqual(readAuthMethods([{ ...method, _meta }], true), [{ ...method, ...expected }]);
    });
  }

  it('AUTH-6: a program of `_meta` doesn’t count for a method of type terminal', () => {
    const { _meta } = shapes['AUTH-5: Copilot names a program for a terminal'][0];
    const method = { id: 't', name: 'Terminal', type: 'terminal' };
    assert.deepEqual(readAuthMethods([{ ...method, _meta }], true), [
      { ...method, args: [], env: {} },
    ]);
  });

  it('AUTH-2: a malformed one is left out, as is any for clients without a terminal', () => {
    const broken = [
      { 'terminal-auth': { args: ['login'] } },
      { 'terminal-auth': { command: 7 } },
      { 'terminal-auth': { command: '/x', env: { A: 1 } } },
      { type: 'terminal', args: 'login' },
    ];
    const methods = broken.map((_meta) => ({ id: 'x', name: 'X', _meta }));
    assert.deepEqual(readAuthMethods(methods, true), []);
    const whole = { id: 'x', name: 'X', _meta: { 'terminal-auth': { command: '/x' } } };
    assert.deepEqual(readAuthMethods([whole], false), []);
  });
});

describe('authenticate and logout', () => {
  const authMethods = [
    { id: 'a', name: 'Browser' },
    { id: 't', name: 'Terminal', type: 'terminal' },
  ];

  it('AUTH-3: sends the id of an advertised method, and nothing else', async () => {
    const peer = new Peer(goodInitialize({ authMethods })).answer('authenticate', () => ({}));
    const { connection } = await connect(peer.client);
    assert.deepEqual(connection.authMethods, [{ ...authMethods[0], type: 'agent' }]);
    await connection.authenticate('a');
    assert.deepEqual(peer.received.at(-1)?.['params'], { methodId: 'a' });
  });

  it('AUTH-3: a method with a key is the agent’s own on the wire', async () => {
    const key = { id: 'k', name: 'Key', _meta: { 'api-key': { provider: 'openai' } } };
    const peer = new Peer(goodInitialize({ authMethods: [key] })).answer(
      'authenticate',
      () => ({}),
    );
    const { connection } = await connect(peer.client);
    await connection.authenticate('k');
    assert.deepEqual(peer.received.at(-1)?.['params'], { methodId: 'k' });
  });

  for (const authTerminal of [true, false]) {
    it(`AUTH-2, AUTH-3, AUTH-9: nothing is sent for a terminal method (${authTerminal ? '' : 'not '}offered) or an unknown one`, async () => {
      const peer = new Peer(goodInitialize({ authMethods }));
      const { connection } = await connect(peer.client, { authTerminal });
      assert.equal(connection.authMethods.length, authTerminal ? 2 : 1);
      await rejectsWith(connection.authenticate('t'), 'unsupported');
      await rejectsWith(connection.authenticate('other'), 'unsupported');
      assert.deepEqual(peer.methods(), ['initialize']);
    });
  }

  it('AUTH-3: it can be canceled while it runs', async () => {
    const peer = new Peer(goodInitialize({ authMethods }));
    const { connection } = await connect(peer.client, { requestTimeoutMs: 1 });
    const abort = new AbortController();
    const login = connection.authenticate('a', abort.signal);
    await peer.message(isMethod('authenticate'));
    abort.abort();
    await rejectsWith(login, 'cancelled');
    await peer.message(isMethod('$/cancel_request'));
  });

  it('AUTH-3: a refused login keeps its code', async () => {
    const peer = new Peer(goodInitialize({ authMethods }));
    peer.fail('authenticate', { code: -32000, message: 'no' });
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.authenticate('a'), 'authRequired');
  });

  it('AUTH-10: logout is sent only where it is offered', async () => {
    const unable = new Peer();
    const { connection: other } = await connect(unable.client);
    await rejectsWith(other.logout(), 'unsupported');
    assert.deepEqual(unable.methods(), ['initialize']);

    const peer = ablePeer().answer('logout', () => null);
    const { connection } = await connect(peer.client);
    await connection.logout();
    assert.deepEqual(peer.received.at(-1)?.['params'], {});
  });
});
