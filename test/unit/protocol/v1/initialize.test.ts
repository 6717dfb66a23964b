import assert from 'node:assert/strict';
import { AcpError } from '../../../../src/protocol/errors';
import type { InitializeResult } from '../../../../src/protocol/protocolVersion';
import { chosenVersion, onlyVersion1 } from '../../../../src/protocol/versions';

const nothing = {
  load: false,
  list: false,
  resume: false,
  close: false,
  delete: false,
  fork: false,
  archive: false,
  title: false,
  options: false,
  additionalDirectories: false,
  systemPrompt: false,
  systemPromptOverride: false,
  logout: false,
  // Every agent takes prompts, unless it says otherwise.
  prompt: true,
  promptImage: false,
  promptAudio: false,
  promptEmbeddedContext: false,
  promptSkill: false,
  promptSkillInline: false,
  mcpStdio: true,
  mcpHttp: false,
  mcpSse: false,
  mcpAcp: false,
  steering: false,
};

function read(result: unknown): InitializeResult {
  const { version, answer } = chosenVersion(result, onlyVersion1);
  return version.readInitializeResult(answer, {
    requests: true,
    machine: true,
    authTerminal: false,
  });
}

function capabilities(agentCapabilities: unknown): unknown {
  return read({ protocolVersion: 1, agentCapabilities }).capabilities;
}

function withCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof AcpError && error.code === code;
}

describe('answer to initialize', () => {
  it('INIT-9: omitted capabilities are absent', () => {
    assert.deepEqual(read({ protocolVersion: 1 }), {
      info: {},
      capabilities: nothing,
      authMethods: [],
      tellsAccount: false,
    });
    for (const value of [null, [], 'x', { sessionCapabilities: null }]) {
      assert.deepEqual(capabilities(value), nothing);
    }
  });

  it('prompts are off only for an agent that says that its sessions can only be read', () => {
    const of = (acpSessions: unknown): unknown => capabilities({ _meta: { acpSessions } });
    assert.deepEqual(of({ readOnly: true }), { ...nothing, prompt: false });
    for (const value of [null, true, { readOnly: 'true' }, { readOnly: false }]) {
      assert.deepEqual(of(value), nothing);
    }
  });

  it('INIT-10, INIT-16: each flag where it belongs, others passed over', () => {
    const sessionCapabilities = {
      list: {},
      resume: {},
      close: {},
      delete: {},
      fork: {},
      archive: {},
      title: {},
      options: {},
      additionalDirectories: {},
      systemPrompt: { mode: { override: {} } },
      load: {},
      bar: {},
    };
    const all = {
      ...Object.fromEntries(Object.keys(nothing).map((name) => [name, true])),
      // It isn’t one of `agentCapabilities`.
      steering: false,
      // Only version 2 has skills.
      promptSkill: false,
      promptSkillInline: false,
    };
    const sent = {
      loadSession: true,
      sessionCapabilities,
      auth: { logout: {}, foo: {} },
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true, acp: true },
      foo: 1,
    };
    assert.deepEqual(capabilities(sent), all);
    assert.deepEqual(capabilities({ sessionCapabilities: { load: {} }, list: {} }), nothing);
  });

  it('LOAD-1: load is on for true only', () => {
    for (const loadSession of [false, null, undefined, 'true', 1, {}]) {
      assert.deepEqual(capabilities({ loadSession }), nothing);
    }
  });

  it('T-37, LIST-2, CLOSE-1: false, null and missing are off, true counts as on', () => {
    for (const list of [false, null, undefined, 0, 'yes', []]) {
      assert.deepEqual(capabilities({ sessionCapabilities: { list, close: list } }), nothing);
    }
    assert.deepEqual(capabilities({ sessionCapabilities: { list: true } }), {
      ...nothing,
      list: true,
    });
  });

  it('AUTH-10, RES-1, DEL-1: logout, resume and delete are on for objects only', () => {
    for (const value of [false, null, undefined, 0, 'yes', []]) {
      const sessionCapabilities = { resume: value, delete: value };
      assert.deepEqual(capabilities({ auth: { logout: value }, sessionCapabilities }), nothing);
    }
    assert.deepEqual(capabilities({ auth: null }), nothing);
    assert.deepEqual(capabilities({ auth: { logout: {} } }), { ...nothing, logout: true });
  });

  it('PR-2, MCP-3: capabilities for prompts and MCP servers are on only if they’re true', () => {
    for (const value of [false, null, undefined, 'true', 1, {}]) {
      const promptCapabilities = { image: value, audio: value, embeddedContext: value };
      const mcpCapabilities = { http: value, sse: value, acp: value };
      assert.deepEqual(capabilities({ promptCapabilities, mcpCapabilities }), nothing);
    }
    assert.deepEqual(capabilities({ promptCapabilities: { image: true } }), {
      ...nothing,
      promptImage: true,
    });
    const mcpCapabilities = { acp: true };
    assert.deepEqual(capabilities({ mcpCapabilities }), { ...nothing, mcpAcp: true });
  });

  it('INIT-14: title, else name, else nothing', () => {
    const info = (agentInfo: unknown): unknown => read({ protocolVersion: 1, agentInfo }).info;
    assert.deepEqual(info({ name: 'n', title: 'T', version: '1' }), {
      name: 'n',
      title: 'T',
      version: '1',
    });
    assert.deepEqual(info({ name: 'n' }), { name: 'n', title: 'n' });
    assert.deepEqual(info({ name: 'n', title: '' }), { name: 'n', title: 'n' });
    assert.deepEqual(info({ name: 7 }), {});
    assert.deepEqual(info(null), {});
  });

  for (const protocolVersion of [2, 0, '1', undefined, null]) {
    it(`INIT-7: version ${JSON.stringify(protocolVersion)} is not ours`, () => {
      assert.throws(() => read({ protocolVersion }), withCode('version'));
    });
  }

  it('SDK-8: an answer that is no object is malformed', () => {
    for (const result of [null, [], 'x', undefined]) {
      assert.throws(() => read(result), withCode('malformed'));
    }
  });
});
