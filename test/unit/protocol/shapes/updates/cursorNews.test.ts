import assert from 'node:assert/strict';
import type { CallNews } from '../../../../../src/protocol/agentRequests';
import { until } from '../../../../support/until';
import { ask, codeOf, connect, Peer, type Raw, requestsWith, TestLog } from '../../peer';

/** What is heard of a message, and the answer to it as a request. */
async function heard(
  method: string,
  params: unknown,
): Promise<{ readonly news: readonly CallNews[]; readonly answer: Raw }> {
  const news: CallNews[] = [];
  const peer = new Peer();
  await connect(peer.client, { requests: requestsWith({ callNews: (each) => news.push(each) }) });
  peer.send({ jsonrpc: '2.0', method, params });
  const answer = await ask(peer, method, params);
  return { news, answer };
}

const todos = [
  { id: '1', content: 'Pack', status: 'completed' },
  { id: '2', content: 'Drive', status: 'in_progress' },
];

describe('EX-8, T-96: what Cursor tells besides updates', () => {
  for (const merge of [true, false]) {
    it(`a to-do list that ${merge ? 'changes' : 'replaces'} the last one is a plan, as notification and as request`, async () => {
      const params = { toolCallId: 'c1', todos, merge };
      const { news, answer } = await heard('cursor/update_todos', params);
      const entries = todos.map((todo) => ({ ...todo, priority: 'medium' }));
      const update = { sessionUpdate: 'plan', entries, ...(merge && { merges: true }) };
      assert.deepEqual(news, [
        { toolCallId: 'c1', update },
        { toolCallId: 'c1', update },
      ]);
      assert.deepEqual(answer['result'], { outcome: { outcome: 'accepted', todos } });
    });
  }

  it('a subagent’s task is shown at its call', async () => {
    const { news, answer } = await heard('cursor/task', {
      ...{ toolCallId: 'c1', description: 'Explore', prompt: 'Find the login.' },
      ...{ subagentType: 'explore', model: 'large', durationMs: 12_400 },
    });
    const text = 'Subagent: Explore, explore, large, 12 s\n\nFind the login.';
    assert.deepEqual(news[0], {
      toolCallId: 'c1',
      call: { toolCallId: 'c1', title: 'Explore', kind: 'other', status: 'completed' },
      update: {
        ...{ sessionUpdate: 'tool_call_content_chunk', toolCallId: 'c1' },
        content: [{ type: 'content', block: { type: 'text', text } }],
      },
    });
    assert.deepEqual(answer['result'], { outcome: { outcome: 'completed' } });
  });

  it('a subagent may be of a kind of the user’s own, or of none', async () => {
    for (const [subagentType, words] of [
      [{ custom: 'reviewer' }, 'Subagent: Look, reviewer'],
      ['unspecified', 'Subagent: Look'],
      [7, 'Subagent: Look'],
    ] as const) {
      const { news } = await heard('cursor/task', {
        toolCallId: 'c1',
        description: 'Look',
        subagentType,
      });
      assert.deepEqual(textsOf(news[0]), [words]);
    }
  });

  it('an image is a link to its file, which isn’t read', async () => {
    for (const [filePath, uri] of [
      ['/tmp/a b.png', 'file:///tmp/a%20b.png'],
      ['C:\\tmp\\icon.png', 'file:///C:/tmp/icon.png'],
    ] as const) {
      const { news, answer } = await heard('cursor/generate_image', {
        ...{ toolCallId: 'c1', description: 'An icon', filePath },
      });
      const [first] = news;
      assert.ok(first?.update.sessionUpdate === 'tool_call_content_chunk');
      const name = filePath.split(/[\\/]/).at(-1);
      const block = { type: 'resource_link', uri, name, description: 'An icon' };
      assert.deepEqual(first.update.content, [{ type: 'content', block }]);
      assert.deepEqual(answer['result'], { outcome: { outcome: 'generated', filePath } });
    }
  });

  it('an image without a file, or with one that no folder is said of, is a text', async () => {
    for (const filePath of [undefined, 'icon.png', 'x'.repeat(100_000)]) {
      const { news } = await heard('cursor/generate_image', {
        ...{ toolCallId: 'c1', description: 'An icon', filePath },
      });
      assert.match(textsOf(news[0])[0] ?? '', /^An icon/);
    }
  });

  it('what can’t be read is refused as a request, and only logged as a notification', async () => {
    for (const [method, params] of [
      ['cursor/update_todos', { toolCallId: 'c1', todos: 'none' }],
      ['cursor/update_todos', { todos }],
      ['cursor/task', null],
      ['cursor/generate_image', { toolCallId: 7 }],
    ] as const) {
      const { news, answer } = await heard(method, params);
      assert.equal(codeOf(answer), -32602, method);
      assert.deepEqual(news, []);
    }
    const log = new TestLog();
    const peer = new Peer();
    await connect(peer.client, { log, requests: requestsWith({}) });
    for (let each = 0; each < 60; each++) {
      peer.send({ jsonrpc: '2.0', method: 'cursor/task', params: null });
    }
    const failed = (): string[] => log.lines.filter((line) => line.includes('cursor/task failed'));
    await until(() => failed().length >= 20);
    await ask(peer, 'cursor/task', null);
    assert.ok(failed().length < 30, 'an agent may repeat it without end');
  });

  it('texts and lists are cut', async () => {
    const long = 'x'.repeat(2_000_000);
    for (const [method, params] of [
      ['cursor/task', { description: long, prompt: long, model: long, subagentType: long }],
      ['cursor/generate_image', { description: long, filePath: long }],
      [
        'cursor/update_todos',
        { todos: Array.from({ length: 4_000 }, () => ({ content: 'a', status: 'pending' })) },
      ],
    ] as const) {
      const { news } = await heard(method, { toolCallId: 'c1', ...params });
      assert.ok(JSON.stringify(news[0]).length < 200_000, method);
    }
  });
});

function textsOf(news: CallNews | undefined): readonly string[] {
  assert.ok(news?.update.sessionUpdate === 'tool_call_content_chunk');
  return news.update.content.map((item) =>
    item.type === 'content' && item.block.type === 'text' ? item.block.text : '',
  );
}
