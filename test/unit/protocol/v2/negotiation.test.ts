import assert from 'node:assert/strict';
import type { AcpError } from '../../../../src/protocol/errors';
import { getVersions, type ProtocolChoice } from '../../../../src/protocol/versions';
import { until } from '../../../support/until';
import {
  ask,
  codeOf,
  connect,
  goodInitialize,
  isMethod,
  Peer,
  type Raw,
  rejectsWith,
  requestsWith,
  type Seen,
} from '../peer';
import { hello, initialize2, Reports } from './peer2';

async function negotiate(peer: Peer, choice: ProtocolChoice): Promise<Seen> {
  const requests = requestsWith({});
  const versions = getVersions(choice);
  return connect(peer.client, { versions, requests, authTerminal: true });
}

const text = { type: 'text', text: 'x' };

describe('negotiating the version', () => {
  it('V2-INIT-1, V2-INIT-2, INIT-2: one request offers both versions, with the members of both', async () => {
    const peer = new Peer(initialize2());
    const { connection } = await negotiate(peer, 'auto');
    assert.equal(connection.protocolVersion, 2);
    assert.deepEqual(peer.methods(), ['initialize']);
    const info = { name: 'acp-sessions', title: 'ACP Sessions', version: '1.2.3' };
    assert.deepEqual(peer.received[0]?.['params'], {
      protocolVersion: 2,
      info,
      capabilities: {
        elicitation: { form: {}, url: {} },
        auth: { terminal: {} },
        session: { promptSuggestions: {}, commands: { skill: {} } },
      },
      clientInfo: info,
      clientCapabilities: {
        fs: { readTextFile: true, writeTextFile: true },
        terminal: true,
        elicitation: { form: {}, url: {} },
        session: {
          configOptions: { boolean: {} },
          notices: {},
          compaction: {},
          promptSuggestions: {},
        },
        auth: { terminal: true },
        subagents: {},
        plan: {},
        _meta: { terminal_output: true },
      },
    });
  });

  it('V2-INIT-1: only version 2 is offered if only that is allowed', async () => {
    const peer = new Peer(initialize2());
    await negotiate(peer, '2');
    assert.deepEqual(Object.keys(peer.received[0]?.['params'] as Raw), [
      'protocolVersion',
      'info',
      'capabilities',
    ]);
  });

  it('V2-INIT-2, V2-INIT-3: an agent that answers 1 goes on in version 1, on the same connection', async () => {
    const peer = new Peer(goodInitialize({ agentInfo: { name: 'old' } }));
    peer.answer('session/load', () => ({}));
    const { connection, updates } = await negotiate(peer, 'auto');
    assert.equal(connection.protocolVersion, 1);
    assert.deepEqual(connection.info, { name: 'old', title: 'old' });
    peer.update('s1', { sessionUpdate: 'agent_message_chunk', content: text });
    await connection.loadSession({
      ...{ sessionId: 's1', cwd: '/w', additionalDirectories: [], mcpServers: [] },
    });
    assert.equal(updates.length, 1);
    assert.deepEqual(peer.methods(), ['initialize', 'session/load']);
    assert.equal(codeOf(await ask(peer, 'fs/read_text_file', {})), -32602);
  });

  for (const [choice, protocolVersion, subject] of [
    ['2', 1, '1'],
    ['2', 3, '3'],
    ['auto', 3, '3'],
    ['auto', 0, '0'],
    ['auto', '2', '"2"'],
    ['auto', null, 'of no kind'],
    ['auto', undefined, 'none'],
  ] as const) {
    it(`T-49, V2-INIT-5: ${JSON.stringify(protocolVersion)} in answer to ${choice} ends the connection`, async () => {
      const peer = new Peer(initialize2({}, { protocolVersion }));
      let ended = false;
      peer.own.onEnd(() => (ended = true));
      await assert.rejects(negotiate(peer, choice), (error: AcpError) => {
        assert.deepEqual([error.code, error.facts.subject], ['version', subject]);
        return true;
      });
      await until(() => ended);
      assert.deepEqual(peer.methods(), ['initialize']);
    });
  }

  /** Refuses version 2, and answers any other. */
  function refusing(error: Raw): Peer {
    const peer = new Peer();
    return peer.answer('initialize', (message) => {
      if ((message['params'] as Raw)['protocolVersion'] !== 2) {
        return goodInitialize();
      }
      peer.send({ jsonrpc: '2.0', id: message['id'], error });
      return undefined;
    });
  }

  for (const code of [-32602, -32603, -32022, -32600, 7]) {
    it(`T-50, V2-INIT-4: after the error ${code} it is asked again in version 1`, async () => {
      const peer = refusing({ code, message: 'version 2?' });
      const { connection } = await negotiate(peer, 'auto');
      assert.equal(connection.protocolVersion, 1);
      assert.deepEqual(peer.methods(), ['initialize', 'initialize']);
      assert.deepEqual(Object.keys(peer.received[1]?.['params'] as Raw), [
        'protocolVersion',
        'clientCapabilities',
        'clientInfo',
      ]);
    });
  }

  it('T-50: but the error is told if only version 2 is allowed', async () => {
    await rejectsWith(negotiate(refusing({ code: -32603, message: 'no' }), '2'), 'rpc');
  });

  it('V2-RPC-5: -32022 says which versions the agent speaks', async () => {
    const data = { requested: 2, supported: [1, 'x', 4] };
    const peer = refusing({ code: -32022, message: 'Unsupported protocol version', data });
    await assert.rejects(negotiate(peer, '2'), (error: AcpError) => {
      assert.deepEqual([error.code, error.facts.subject], ['version', '1, 4']);
      return true;
    });
  });

  it('V2-AUTH-5, T-50: an agent that wants a login isn’t asked again', async () => {
    const peer = refusing({ code: -32000, message: 'log in' });
    await rejectsWith(negotiate(peer, 'auto'), 'authRequired');
    assert.deepEqual(peer.methods(), ['initialize']);
  });

  it('V2-INIT-3: what comes in one piece with the answer is read in its version', async () => {
    const update = { sessionUpdate: 'agent_message', messageId: 'm', content: [text] };
    for (const answer of [initialize2(), goodInitialize()]) {
      const peer = new Peer(undefined);
      peer.answer('initialize', (message) => {
        const lines = [
          { jsonrpc: '2.0', id: message['id'], result: answer },
          { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's1', update } },
          { jsonrpc: '2.0', id: 'q', method: 'fs/read_text_file', params: {} },
        ];
        peer.sendText(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
        return undefined;
      });
      const { connection, log } = await negotiate(peer, 'auto');
      const asked = await peer.message(({ id, method }) => id === 'q' && method === undefined);
      const isNew = connection.protocolVersion === 2;
      assert.equal(codeOf(asked), isNew ? -32601 : -32602);
      assert.equal(
        log.lines.some((line) => line.includes('agent_message')),
        !isNew,
      );
    }
  });

  it('T-48: an agent that answers 2 in the form of version 1 is told apart, in words', async () => {
    const peer = new Peer(goodInitialize({ protocolVersion: 2 }));
    await assert.rejects(negotiate(peer, 'auto'), (error: AcpError) => {
      assert.equal(error.code, 'version');
      assert.match(error.facts.words?.detail ?? '', /acpSessions\.protocol/);
      return true;
    });
    assert.deepEqual(peer.methods(), ['initialize']);
  });

  it('T-51: members of both versions in one answer are read in the version that it names', async () => {
    const { agentCapabilities } = goodInitialize();
    const peer = new Peer(
      initialize2({ fork: {} }, { agentCapabilities, agentInfo: { name: 'o' } }),
    );
    const { connection } = await negotiate(peer, 'auto');
    assert.deepEqual(connection.info, { name: 'a', title: 'Agent A', version: '2' });
    assert.equal(connection.capabilities.fork, true);
  });

  it('T-48, T-51, V2-EXT-3: updates of version 1 over version 2 are unknown ones, and lose nothing else', async () => {
    const peer = new Peer(initialize2());
    const { connection, updates } = await negotiate(peer, '2');
    peer.update('s1', { sessionUpdate: 'tool_call', toolCallId: 't', title: 'T' });
    peer.update('s1', { sessionUpdate: 'current_mode_update', currentModeId: 'm' });
    peer.update('s1', { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text });
    await until(() => updates.length === 3);
    assert.deepEqual(
      updates.map(({ update }) =>
        'content' in update ? update.content : 'name' in update && update.name,
      ),
      ['tool_call', 'current_mode_update', text],
    );
    await connection.close();
  });

  it('V2-RPC-4, V2-TERM-6: files and terminals of this machine are not offered', async () => {
    const peer = new Peer(initialize2());
    await negotiate(peer, '2');
    for (const method of [
      'fs/read_text_file',
      'fs/write_text_file',
      'terminal/create',
      'terminal/output',
      'nonsense',
    ]) {
      assert.equal(codeOf(await ask(peer, method, { sessionId: 's1' }, method)), -32601);
    }
    peer.send({ jsonrpc: '2.0', method: '$/nonsense' });
    peer.send({ jsonrpc: '2.0', method: 'auth/status_update', params: {} });
    assert.equal(codeOf(await ask(peer, 'other', {})), -32601);
  });

  it('V2-RPC-1, SEC-92: the messages of a batch are taken one by one, and none is sent', async () => {
    const peer = new Peer(initialize2());
    const { connection, updates } = await negotiate(peer, '2');
    const agent = new Reports(peer);
    const turn = connection.prompt('s1', [hello]);
    await agent.prompted();
    const update = (content: Raw): Raw => ({
      ...{ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's1', update: content } },
    });
    peer.send([
      { jsonrpc: '2.0', id: peer.received.at(-1)?.['id'], result: { messageId: 'u1' } },
      update({ sessionUpdate: 'user_message', messageId: 'u1', content: [text] }),
      update({ sessionUpdate: 'state_update', state: 'running' }),
      { jsonrpc: '2.0', id: 'q', method: 'nonsense' },
      update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' }),
    ]);
    assert.equal(await turn, 'end_turn');
    assert.equal(updates.length, 3);
    await peer.message(({ id, error }) => id === 'q' && error !== undefined);
    assert.ok(peer.received.every((message) => !Array.isArray(message)));
  });

  for (const [first, second] of [
    [initialize2(), goodInitialize()],
    [goodInitialize(), initialize2()],
  ] as const) {
    it(`T-52, V2-INIT-3: version ${String(first['protocolVersion'])} stays, whatever the agent says later`, async () => {
      const peer = new Peer(undefined);
      peer.answer('initialize', (message) => {
        peer.send({ jsonrpc: '2.0', id: message['id'], result: first });
        peer.send({ jsonrpc: '2.0', id: message['id'], result: second });
        return undefined;
      });
      const { connection, updates } = await negotiate(peer, 'auto');
      const isNew = first['protocolVersion'] === 2;
      peer.update('s1', { sessionUpdate: 'agent_message', messageId: 'm', content: [text] });
      peer.update('s1', { sessionUpdate: 'tool_call', toolCallId: 't', title: 'T' });
      peer.answer('session/list', () => ({ sessions: [] }));
      await connection.listSessions({});
      assert.equal(connection.protocolVersion, first['protocolVersion']);
      assert.equal(codeOf(await ask(peer, 'fs/read_text_file', {})), isNew ? -32601 : -32602);
      assert.deepEqual(
        updates.map(({ update }) => update.sessionUpdate),
        isNew ? ['agent_message', '_acp_sessions_unknown'] : ['_acp_sessions_unknown', 'tool_call'],
      );
      assert.deepEqual(peer.received.filter(isMethod('initialize')).length, 1);
    });
  }

  it('V2-RPC-2: ids of the agent’s requests come back as they were, also one that is in use here', async () => {
    const peer = new Peer(initialize2());
    const { connection } = await negotiate(peer, '2');
    const listing = connection.listSessions({});
    const { id } = await peer.message(isMethod('session/list'));
    for (const own of [id, 'a', 7, -1]) {
      assert.equal(codeOf(await ask(peer, 'nonsense', {}, own)), -32601);
    }
    peer.send({ jsonrpc: '2.0', id, result: { sessions: [] } });
    assert.deepEqual(await listing, { sessions: [] });
  });
});
