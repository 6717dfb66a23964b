import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SessionUpdateEvent } from '../../../../src/protocol/agentConnection';
import { JoinedChunks } from '../../../../src/protocol/rpc/joinedChunks';
import { ablePeer, connect, isMethod } from '../peer';

type Kind = 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk';

function chunk(text: string, messageId = 'm', kind: Kind = 'agent_message_chunk'): object {
  return { sessionUpdate: kind, messageId, content: { type: 'text', text } };
}

function joined(...updates: readonly object[]): readonly string[] {
  const delivered: string[] = [];
  const chunks = new JoinedChunks(({ update }) => {
    const isText = 'content' in update && 'text' in Object(update.content);
    delivered.push(isText ? (update.content as { text: string }).text : update.sessionUpdate);
  });
  for (const update of updates) {
    chunks.add({ sessionId: 's', update } as SessionUpdateEvent);
  }
  chunks.flush();
  return delivered;
}

describe('Chunks of a text that arrive together', () => {
  it('become one', () => {
    assert.deepEqual(joined(chunk('a'), chunk('b'), chunk('c')), ['abc']);
  });

  it('stay apart if they are of different messages or kinds', () => {
    assert.deepEqual(joined(chunk('a'), chunk('b', 'n')), ['a', 'b']);
    assert.deepEqual(joined(chunk('a'), chunk('b', 'm', 'agent_thought_chunk')), ['a', 'b']);
  });

  it('keep their place among other updates', () => {
    const call = { sessionUpdate: 'tool_call', toolCallId: 'c' };
    assert.deepEqual(joined(chunk('a'), call, chunk('b'), chunk('c')), ['a', 'tool_call', 'bc']);
  });

  it('stay apart where it shows: blocks of a prompt, and thoughts with a heading', () => {
    const user = 'user_message_chunk';
    assert.deepEqual(joined(chunk('a', 'm', user), chunk('b', 'm', user)), ['a', 'b']);
    const thought = 'agent_thought_chunk';
    assert.deepEqual(joined(chunk('a', 'm', thought), chunk('**B**\nb', 'm', thought)), [
      'a',
      '**B**\nb',
    ]);
  });

  it('are bounded', () => {
    const text = 'x'.repeat(40_000);
    assert.deepEqual(
      joined(chunk(text), chunk(text)).map(({ length }) => length),
      [40_000, 40_000],
    );
  });

  it('say the same in the same order, whatever they are', () => {
    const any = fc.array(
      fc.record({ text: fc.string(), id: fc.constantFrom('a', 'b'), isThought: fc.boolean() }),
    );
    fc.assert(
      fc.property(any, (all) => {
        const updates = all.map(({ text, id, isThought }) =>
          chunk(text, id, isThought ? 'agent_thought_chunk' : 'agent_message_chunk'),
        );
        assert.equal(joined(...updates).join(''), all.map(({ text }) => text).join(''));
      }),
    );
  });

  it('are delivered before an answer that follows in the same piece of the stream', async () => {
    const peer = ablePeer();
    const { connection, texts } = await connect(peer.client);
    const listed = connection.listSessions({}).then(() => texts());
    const { id } = await peer.message(isMethod('session/list'));
    const update = (text: string): object => ({
      jsonrpc: '2.0',
      method: 'session/update',
      params: { sessionId: 's', update: chunk(text) },
    });
    const answer = { jsonrpc: '2.0', id, result: { sessions: [] } };
    const lines = [update('a'), update('b'), answer].map((one) => JSON.stringify(one));
    peer.sendText(`${lines.join('\n')}\n`);
    assert.deepEqual(await listed, ['ab']);
  });
});
