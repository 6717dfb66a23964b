import assert from 'node:assert/strict';
import { McpFacts } from '../../../../../src/features/mcp/model/mcpFacts';
import type { Opening } from '../../../../../src/model/ports';
import type { McpServer } from '../../../../../src/protocol/agentConnection';
import { until } from '../../../../support/until';

const program = (name: string, command: string): McpServer => ({
  ...{ type: 'stdio', name, command },
  ...{ args: [], env: {} },
});
const address = (name: string, url: string): McpServer => ({
  ...{ type: 'http', name, url, headers: { 'X-Token': 's3cret' } },
});
const opening = (
  more: Partial<Opening> = {},
): { -readonly [key in keyof Opening]: Opening[key] } => ({
  ...{ agentId: 'a', cwd: '/x', sessionId: 's1', isPending: true },
  ...more,
});

describe('what can be seen of how MCP servers start', () => {
  function make(slowMs = 60_000): McpFacts {
    return new McpFacts({
      isThere: (command) => Promise.resolve(command !== '/gone'),
      answers: (url) => Promise.resolve(!url.includes('silent')),
      slowMs,
    });
  }
  const facts = (of: McpFacts, sessionId = 's1', agentId = 'a') =>
    of.of({ agent: { id: agentId }, info: { sessionId } });
  const texts = (of: McpFacts, sessionId = 's1', agentId = 'a'): string[] =>
    facts(of, sessionId, agentId).map(({ icon, text }) => `${icon}: ${text}`);

  it('a command that isn’t there and an address that doesn’t answer are named, without secrets', async () => {
    const made = make();
    let changes = 0;
    made.onDidChange(() => {
      changes += 1;
    });
    const servers = [
      program('a', '/gone'),
      program('b', '/there'),
      address('c', 'https://silent.example/s3cret'),
      address('d', 'https://example.org'),
    ];
    const first = opening();
    await made.note(first, servers, ['file: e: "url" is missing.']);
    const said = [
      'warning: The command of an MCP server isn’t there: a',
      'warning: An MCP server doesn’t answer: c',
      'warning: MCP servers are left out: 1',
    ];
    assert.deepEqual(texts(made), said);
    first.isPending = false;
    assert.deepEqual(texts(made), said);
    assert.deepEqual(texts(made, 's2'), []);
    assert.ok(changes >= 2);
    assert.equal(made.ofAgent('a').length, 3);
    assert.doesNotMatch(made.ofAgent('a').join() + JSON.stringify(facts(made)), /s3cret/);
  });

  it('what is mended is gone with the next opening, of that session only', async () => {
    const made = make();
    await made.note(opening(), [program('a', '/gone')], ['file: e: "url" is missing.']);
    await made.note(opening({ sessionId: 's2' }), [], ['file: e: "url" is missing.']);
    await made.note(opening(), [], []);
    assert.deepEqual(texts(made), []);
    assert.deepEqual(texts(made, 's2'), ['warning: MCP servers are left out: 1']);
    assert.deepEqual(made.ofAgent('a'), [], 'a diagnosis says what a session gets now');
  });

  it('two agents that open sessions in one folder at once have facts of their own', async () => {
    const made = make(1);
    const [a, b] = [
      opening({ sessionId: undefined }),
      opening({ agentId: 'b', sessionId: undefined }),
    ];
    await Promise.all([
      made.note(a, [program('a', '/gone')], []),
      made.note(b, [address('b', 'https://example.org')], ['file: e: "url" is missing.']),
    ]);
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => made.whySilent(id)),
      ['The command of an MCP server isn’t there: a', 'Starting with MCP servers: b', undefined],
    );
    // Agents may give the same id.
    Object.assign(a, { sessionId: 's1', isPending: false });
    Object.assign(b, { sessionId: 's1', isPending: false });
    assert.deepEqual(texts(made), ['warning: The command of an MCP server isn’t there: a']);
    assert.deepEqual(texts(made, 's1', 'b'), ['warning: MCP servers are left out: 1']);
    assert.deepEqual(made.ofAgent('b'), ['/x: file: e: "url" is missing.']);
    assert.deepEqual(
      ['a', 'b'].map((id) => made.whySilent(id)),
      [undefined, undefined],
    );
  });

  it('a session that takes long with servers says so while it does', async () => {
    const made = make(1);
    const first = opening();
    void made.note(first, [program('a', '/a'), address('b', 'https://example.org')], []);
    assert.deepEqual(texts(made), []);
    await until(() => texts(made).length > 0);
    assert.deepEqual(texts(made), ['loading: Starting with MCP servers: a, b']);
    first.isPending = false;
    assert.deepEqual(texts(made), []);
  });

  it('nobody waits for an address that never answers', () => {
    const made = new McpFacts({
      isThere: () => Promise.resolve(true),
      answers: () => new Promise(() => undefined),
      slowMs: 60_000,
    });
    void made.note(opening(), [address('a', 'https://example.org')], []);
    assert.deepEqual(texts(made), []);
  });

  it('is bounded at twice the number of openings', async () => {
    const made = make();
    for (let index = 0; index < 100; index++) {
      const cwd = `/${index}`;
      await made.note(opening({ cwd }), [program('n'.repeat(10_000), '/gone')], []);
    }
    assert.equal(made.ofAgent('a').length, 50);
    assert.ok(made.ofAgent('a').every((text) => text.length < 200));
  });
});
