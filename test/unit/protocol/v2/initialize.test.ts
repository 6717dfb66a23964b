import assert from 'node:assert/strict';
import type { AgentCapabilities, AuthMethod } from '../../../../src/protocol/agentConnection';
import { initializeParams, readInitializeResult } from '../../../../src/protocol/v2/initialize';
import type { Raw } from '../peer';
import { able2, initialize2 } from './peer2';

const offer = { requests: true, machine: true, authTerminal: true };
const client = { name: 'n', title: 'T', version: '1' };

function read(result: Raw, authTerminal = true): ReturnType<typeof readInitializeResult> {
  return readInitializeResult(result, { ...offer, authTerminal });
}

function offered(result: Raw): string[] {
  const { capabilities } = read(result);
  return Object.keys(capabilities).filter((key) => capabilities[key as keyof AgentCapabilities]);
}

const baseline = ['load', 'list', 'resume', 'close', 'prompt', 'steering'];

describe('initialize of version 2', () => {
  it('V2-INIT-9: promises what is handled and nothing else', () => {
    const params = (own: Partial<typeof offer>): object =>
      initializeParams(client, { requests: false, machine: false, authTerminal: false, ...own });
    const session = { promptSuggestions: {}, commands: { skill: {} } };
    assert.deepEqual(params({}), { info: client, capabilities: { session } });
    assert.deepEqual(params({ requests: true, machine: true }), {
      info: client,
      capabilities: { elicitation: { form: {}, url: {} }, session },
    });
    assert.deepEqual(params({ authTerminal: true }), {
      info: client,
      capabilities: { auth: { terminal: {} }, session },
    });
  });

  it('V2-INIT-6: title, else name, else nothing', () => {
    const info = (value: unknown): unknown => read(initialize2({}, { info: value })).info;
    assert.deepEqual(info({ name: 'n', title: 'T', version: '1' }), {
      name: 'n',
      title: 'T',
      version: '1',
    });
    assert.deepEqual(info({ name: 'n', title: null }), { name: 'n', title: 'n' });
    assert.deepEqual(info(null), {});
    assert.deepEqual(info('x'), {});
  });

  it('V2-INIT-8: sessions come with their methods', () => {
    assert.deepEqual(offered(initialize2()), baseline);
    for (const capabilities of [{}, { session: null }, { session: false }, { session: [] }, null]) {
      assert.deepEqual(offered(initialize2({}, { capabilities })), []);
    }
    assert.deepEqual(offered({ protocolVersion: 2 }), []);
  });

  it('V2-INIT-7, V2-INIT-10, V2-MCP-1: the others are markers', () => {
    assert.deepEqual(
      offered(initialize2(able2)).toSorted(),
      [
        ...[
          ...baseline,
          'additionalDirectories',
          'archive',
          'delete',
          'fork',
          'mcpAcp',
          'mcpHttp',
          'mcpStdio',
        ],
        ...['promptAudio', 'promptEmbeddedContext', 'promptImage', 'title'],
      ].toSorted(),
    );
    for (const marker of [null, false, 1, 'yes', []]) {
      const session = Object.fromEntries(Object.keys(able2).map((name) => [name, marker]));
      const inner = {
        prompt: { image: marker },
        mcp: { stdio: marker, acp: marker, sse: {} },
        unknown: {},
      };
      assert.deepEqual(offered(initialize2({ ...session, ...inner })), baseline);
    }
  });

  it('T-37: true is taken for a marker', () => {
    assert.deepEqual(
      offered(initialize2({ fork: true, prompt: { image: true } })).toSorted(),
      [...[...baseline, 'fork', 'promptImage']].toSorted(),
    );
  });

  it('V2-AUTH-2: signing out comes with the login methods', () => {
    const method = { type: 'agent', methodId: 'a', name: 'A' };
    const logout = (authMethods: unknown): boolean =>
      read(initialize2({}, { authMethods })).capabilities.logout;
    assert.equal(logout([method]), true);
    for (const none of [[], null, undefined, {}]) {
      assert.equal(logout(none), false);
    }
  });
});

describe('login methods of version 2', () => {
  function methods(authMethods: unknown, authTerminal = true): readonly AuthMethod[] {
    return read(initialize2({}, { authMethods }), authTerminal).authMethods;
  }

  it('V2-AUTH-1, AUTH-14: those of the agent’s own', () => {
    assert.deepEqual(
      methods([
        { type: 'agent', methodId: 'a', name: 'A', description: 'D' },
        { type: 'agent', methodId: 'k', name: '', _meta: { 'api-key': { provider: 'openai' } } },
      ]),
      [
        { type: 'agent', id: 'a', name: 'A', description: 'D' },
        { type: 'apiKey', id: 'k', name: 'k', variable: 'OPENAI_API_KEY' },
      ],
    );
  });

  it('V2-AUTH-3: those in a terminal, where there can be one', () => {
    const terminal = {
      type: 'terminal',
      methodId: 't',
      name: 'T',
      args: ['login'],
      env: [{ name: 'A', value: '1' }],
    };
    assert.deepEqual(methods([terminal]), [
      { type: 'terminal', id: 't', name: 'T', args: ['login'], env: { A: '1' } },
    ]);
    assert.deepEqual(methods([{ ...terminal, args: null, env: null }]), [
      { type: 'terminal', id: 't', name: 'T', args: [], env: {} },
    ]);
    assert.deepEqual(methods([terminal], false), []);
  });

  it('V2-AUTH-4: no other is used, nor a broken one', () => {
    assert.deepEqual(
      methods([
        { methodId: 'a', name: 'A' },
        { type: '_acme', methodId: 'a', name: 'A' },
        { type: 'env_var', methodId: 'a', name: 'A' },
        { type: 'agent', id: 'a', name: 'A' },
        { type: 'agent', methodId: 'a' },
        { type: 'terminal', methodId: 'a', name: 'A', env: { A: '1' } },
        { type: 'terminal', methodId: 'a', name: 'A', args: [1] },
        null,
        'a',
      ]),
      [],
    );
  });
});
