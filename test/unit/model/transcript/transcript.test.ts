import assert from 'node:assert/strict';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import type { Block } from '../../../../src/shared/transcript/content';
import type { ToolCallEntry, TranscriptChange } from '../../../../src/shared/transcript/entries';
import { agent, call, change, entriesOf, thought, transcriptOf, user } from '../updates';

/** Each message as `kind: text`, other entries by their kind. */
function outline(...updates: readonly SessionUpdate[]): string[] {
  return entriesOf(...updates).map((entry) =>
    'blocks' in entry
      ? `${entry.kind}: ${entry.blocks.map((block) => (block.type === 'text' ? block.text : block.type)).join('|')}`
      : entry.kind,
  );
}

function toolCall(...updates: readonly SessionUpdate[]): ToolCallEntry {
  const entries = entriesOf(...updates).filter((entry) => entry.kind === 'toolCall');
  assert.equal(entries.length, 1);
  return entries[0]!;
}

describe('Transcript: messages', () => {
  it('MSG-3: a thought with a heading of its own begins a paragraph, as Gemini sends them', () => {
    const [entry] = entriesOf(
      thought('**Reading the cart**\nIt rounds down.'),
      thought('**Changing it**\nHalf up is right, and **'),
      thought('bold** is only bold.'),
    );
    assert.ok(entry?.kind === 'thought');
    assert.deepEqual(entry.blocks, [
      {
        type: 'text',
        text: '**Reading the cart**\nIt rounds down.\n\n**Changing it**\nHalf up is right, and **bold** is only bold.',
      },
    ]);
  });

  it('MSG-1: the same id is the same message, a changed id a new one', () => {
    assert.deepEqual(outline(agent('He', '1'), agent('llo', '1'), agent('Bye', '2')), [
      'agent: Hello',
      'agent: Bye',
    ]);
  });

  it('MSG-2: ids are opaque', () => {
    const ids = ['1', '01', ' 1', '1'.repeat(5_000), '__proto__'];
    assert.equal(entriesOf(...ids.map((id) => agent('x', id))).length, ids.length);
  });

  it('MSG-3, T-16: without ids, consecutive chunks of one kind are one message', () => {
    assert.deepEqual(
      outline(user('a'), user('b'), thought('c'), agent('d'), agent('e'), user('f')),
      ['user: ab', 'thought: c', 'agent: de', 'user: f'],
    );
  });

  it('MSG-3: a chunk without an id goes on with the message before it; an id begins a new one', () => {
    assert.deepEqual(outline(agent('a', '1'), agent('b'), agent('c', '2')), [
      'agent: ab',
      'agent: c',
    ]);
  });

  it('MSG-5, T-23: the same id of another kind is another message', () => {
    assert.deepEqual(outline(thought('hm', '1'), agent('so', '1'), user('ok', '1')), [
      'thought: hm',
      'agent: so',
      'user: ok',
    ]);
  });

  it('T-23: messages that are written at the same time stay apart', () => {
    assert.deepEqual(
      outline(thought('t1', 'x'), agent('a1', 'x'), thought('t2', 'x'), agent('a2', 'x')),
      ['thought: t1t2', 'agent: a1a2'],
    );
  });

  it('T-23: an id used again in another turn is a new message', () => {
    assert.deepEqual(outline(agent('one', 'x'), user('next', 'u'), agent('two', 'x')), [
      'agent: one',
      'user: next',
      'agent: two',
    ]);
  });

  it('T-23: an id used again after a tool call goes on behind it', () => {
    assert.deepEqual(outline(agent('before', 'x'), call('c'), agent('after', 'x')), [
      'agent: before',
      'toolCall',
      'agent: after',
    ]);
  });

  it('T-23: an id that changes with each chunk makes as many messages', () => {
    assert.equal(
      entriesOf(...Array.from({ length: 30 }, (_, id) => agent('x', `${id}`))).length,
      30,
    );
  });

  it('an empty chunk is nothing', () => {
    assert.deepEqual(outline(agent(''), agent('', '1'), thought('')), []);
    assert.deepEqual(outline(agent('a', '1'), agent('', '2'), agent('b', '1')), ['agent: ab']);
  });

  it('CO-7, CO-8: blocks of all types keep their order', () => {
    const chunk = (content: Block): SessionUpdate => ({
      sessionUpdate: 'user_message_chunk',
      content,
    });
    assert.deepEqual(
      outline(
        user('see '),
        user('this:'),
        chunk({ type: 'image', mimeType: 'image/png', data: '' }),
        chunk({ type: 'resource_link', uri: 'file:///a', name: 'a' }),
        user('and '),
        user('that'),
        chunk({ type: 'unknown', label: 'video' }),
      ),
      ['user: see this:|image|resource_link|and that|unknown'],
    );
  });

  it('what agents make of attachments in a replayed prompt is an attachment again', () => {
    const file = 'file:///code/read%20me.md';
    const image = '[@image](data:image/png;base64,iVBORw0KGgo=)';
    const entries = entriesOf(
      user('What is in @README.md please?', '1'),
      user(`[@read me.md](${file})`, '1'),
      user(image, '1'),
      user(`\n<context ref="${file}">\nhello\n\n</context>`, '1'),
      user('and this?', '1'),
    );
    const [entry] = entries;
    assert.equal(entries.length, 1);
    assert.ok(entry?.kind === 'user');
    assert.deepEqual(entry.blocks, [
      { type: 'text', text: 'What is in @README.md please?' },
      { type: 'resource', uri: file, text: 'hello\n\n' },
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
      { type: 'text', text: 'and this?' },
    ]);
  });

  it('a prompt in one piece is taken apart, and what only looks like an attachment stays text', () => {
    const [whole] = entriesOf(
      user('See [@a.ts](file:///a.ts) now\n<context ref="file:///a.ts">\nlet a;\n</context>\n'),
    );
    assert.ok(whole?.kind === 'user');
    assert.deepEqual(whole.blocks, [
      { type: 'text', text: 'See ' },
      { type: 'resource', uri: 'file:///a.ts', text: 'let a;\n' },
      { type: 'text', text: ' now\n' },
    ]);
    const texts = [
      '<context ref="file:///a.ts">never ends',
      '</context> <context ref="file:///b">',
      '[@a](https://example.org/a)',
      '[@image](data:image/svg+xml;utf8,x)',
      '[x](file:///a)',
    ];
    for (const text of texts) {
      const [entry] = entriesOf(user(text));
      assert.ok(entry?.kind === 'user');
      assert.deepEqual(entry.blocks, [{ type: 'text', text }]);
    }
    // The agent's own messages aren't prompts.
    assert.deepEqual(outline(agent('[@a.ts](file:///a.ts)')), ['agent: [@a.ts](file:///a.ts)']);
  });

  it('a summary that is replayed as a prompt is a compaction', () => {
    const summary = 'This session is being continued from a previous conversation that ran out.';
    assert.deepEqual(outline(user('one', '1'), agent('two'), user(summary, '2'), user('3', '3')), [
      'user: one',
      'agent: two',
      'compaction',
      'user: 3',
    ]);
  });

  it('a message of very many blocks costs no more per chunk', () => {
    const link: SessionUpdate = {
      sessionUpdate: 'agent_message_chunk',
      messageId: '1',
      content: { type: 'resource_link', uri: 'file:///a', name: 'a' },
    };
    const entries = entriesOf(...Array.from({ length: 1_000 }, () => link));
    assert.equal(entries.length, 4);
    assert.equal(
      entries.reduce((sum, entry) => sum + ('blocks' in entry ? entry.blocks.length : 0), 0),
      1_000,
    );
  });

  it('entries are replaced, never changed', () => {
    const transcript = transcriptOf(agent('a'));
    const before = transcript.entries[0];
    const copy = structuredClone(before);
    transcript.apply(agent('b'));
    assert.notEqual(transcript.entries[0], before);
    assert.deepEqual(before, copy);
  });
});

describe('Transcript: tool calls', () => {
  it('TO-1: a minimal call gets the defaults', () => {
    assert.deepEqual(toolCall(call('c')), {
      kind: 'toolCall',
      toolCallId: 'c',
      title: 'Call c',
      toolKind: 'other',
      status: 'pending',
      content: [],
      locations: [],
    });
  });

  it('TO-2, T-21: an update changes what it names and replaces lists as a whole', () => {
    const before = call('c', {
      kind: 'edit',
      locations: [{ path: '/a' }],
      rawInput: { a: 1 },
      content: [{ type: 'diff', path: '/a', oldText: null, newText: 'x' }],
    });
    const done = toolCall(before, change('c', { status: 'completed' }));
    assert.equal(done.status, 'completed');
    assert.equal(done.toolKind, 'edit');
    assert.equal(done.content.length, 1);
    const replaced = toolCall(
      before,
      change('c', { content: [{ type: 'terminal', terminalId: 't' }], rawOutput: false }),
    );
    assert.deepEqual(replaced.content, [{ type: 'terminal', terminalId: 't' }]);
    assert.deepEqual(replaced.locations, [{ path: '/a' }]);
    assert.equal(replaced.rawOutput, false);
    assert.deepEqual(toolCall(before, change('c', { content: [] })).content, []);
  });

  it('TO-9: an update for a call that was never announced makes it', () => {
    assert.equal(
      toolCall(change('c', { name: 'read_file', status: 'completed' })).title,
      'read_file',
    );
    assert.equal(toolCall(change('c', {})).title, 'Tool call');
    assert.equal(toolCall(change('c', {}), change('c', { title: 'Read' })).title, 'Read');
  });

  it('TO-10: the same call announced twice is one entry, with the latest title', () => {
    const entry = toolCall(
      call('c', { status: 'completed', content: [{ type: 'terminal', terminalId: 't' }] }),
      call('c', { title: 'Again' }),
    );
    assert.equal(entry.title, 'Again');
    assert.equal(entry.status, 'completed');
    assert.equal(entry.content.length, 1);
  });

  it('TO-11, TO-12: calls change in place, whatever came between', () => {
    const transcript = transcriptOf(
      call('a'),
      agent('x'),
      call('b'),
      change('a', { status: 'failed' }),
    );
    assert.deepEqual(
      transcript.entries.map((entry) => (entry.kind === 'toolCall' ? entry.status : entry.kind)),
      ['failed', 'agent', 'pending'],
    );
  });

  it("terminal output of the agent's own is replaced or added to, by terminal", () => {
    const output = (terminalId: string, value: string, append: boolean): SessionUpdate =>
      change('c', { terminalOutput: [{ terminalId, text: value, append }] });
    const { terminalOutput } = toolCall(
      output('t', 'one ', true),
      output('t', 'two', true),
      output('u', 'old', false),
      output('u', 'new', false),
      output('constructor', 'x', true),
      output('__proto__', 'y', true),
    );
    assert.deepEqual(
      [...(terminalOutput ?? [])],
      [
        ['t', 'one two'],
        ['u', 'new'],
        ['constructor', 'x'],
        ['__proto__', 'y'],
      ],
    );
  });

  it('T-16: settle marks what will never finish, and an update after it still counts', () => {
    const transcript = transcriptOf(
      call('a', { status: 'completed' }),
      call('b', { status: 'in_progress' }),
      call('c'),
      { sessionUpdate: 'compaction_update', compactionId: 'k', status: 'in_progress' },
    );
    const changes: TranscriptChange[] = [];
    transcript.onDidChange((it) => changes.push(it));
    transcript.settle();
    const statuses = (): string[] =>
      transcript.entries.map((entry) => ('status' in entry ? entry.status : ''));
    assert.deepEqual(statuses(), ['completed', 'interrupted', 'interrupted', 'interrupted']);
    assert.deepEqual(
      changes,
      [1, 2, 3].map((index) => ({ type: 'updated', index })),
    );
    transcript.apply(change('b', { title: 'still there' }));
    transcript.apply(change('c', { status: 'completed' }));
    assert.deepEqual(statuses(), ['completed', 'interrupted', 'completed', 'interrupted']);
  });
});
