import assert from 'node:assert/strict';
import { McpFacts } from '../../../../../src/features/mcp/model/mcpFacts';
import type { McpServer } from '../../../../../src/protocol/agentConnection';
import { until } from '../../../../support/until';

const program = (name: string, command: string): McpServer => ({
  ...{ type: 'stdio', name, command },
  ...{ args: [], env: {} },
});
const address = (name: string, url: string): McpServer => ({
  ...{ type: 'http', name, url, headers: { 'X-Token': 's3cret' } },
});
const loading = { kind: 'loading', received: 0 } as const;
const ready = { kind: 'ready' } as const;

describe('what can be seen of how MCP servers start', () => {
  function make(slowMs = 60_000): McpFacts {
    return new McpFacts({
      isThere: (command) => Promise.resolve(command !== '/gone'),
      answers: (url) => Promise.resolve(!url.includes('silent')),
      slowMs,
    });
  }
  const texts = (facts: McpFacts, phase: typeof loading | typeof ready, cwd = '/x'): string[] =>
    facts.of({ cwd }, phase).map(({ icon, text }) => `${icon}: ${text}`);

  it('a command that isn’t there and an address that doesn’t answer are named, without secrets', async () => {
    const facts = make();
    let changes = 0;
    facts.onDidChange(() => {
      changes += 1;
    });
    const servers = [
      program('a', '/gone'),
      program('b', '/there'),
      address('c', 'https://silent.example/s3cret'),
      address('d', 'https://example.org'),
    ];
    await facts.note('/x', servers, ['file: e: "url" is missing.']);
    assert.deepEqual(texts(facts, loading), [
      'warning: The command of an MCP server isn’t there: a',
      'warning: An MCP server doesn’t answer: c',
      'warning: MCP servers are left out: 1',
    ]);
    assert.deepEqual(texts(facts, ready), texts(facts, loading));
    assert.deepEqual(texts(facts, ready, '/y'), []);
    assert.ok(changes >= 2);
    assert.equal(facts.all.length, 3);
    assert.doesNotMatch(
      facts.all.join() + JSON.stringify(facts.of({ cwd: '/x' }, ready)),
      /s3cret/,
    );
    await facts.note('/x', [], []);
    assert.deepEqual([texts(facts, ready), facts.all], [[], []]);
  });

  it('a session that takes long with servers says so while it does', async () => {
    const facts = make(1);
    void facts.note('/x', [program('a', '/a'), address('b', 'https://example.org')], []);
    assert.deepEqual(texts(facts, loading), []);
    await until(() => texts(facts, loading).length > 0);
    assert.deepEqual(texts(facts, loading), ['loading: Starting with MCP servers: a, b']);
    assert.deepEqual(texts(facts, ready), []);
  });

  it('nobody waits for an address that never answers', () => {
    const facts = new McpFacts({
      isThere: () => Promise.resolve(true),
      answers: () => new Promise(() => undefined),
      slowMs: 60_000,
    });
    void facts.note('/x', [address('a', 'https://example.org')], []);
    assert.deepEqual(texts(facts, loading), []);
  });

  it('is bounded at twice the number of folders', async () => {
    const facts = make();
    for (let index = 0; index < 100; index++) {
      await facts.note(`/${index}`, [program('n'.repeat(10_000), '/gone')], []);
    }
    assert.equal(facts.all.length, 50);
    assert.ok(facts.all.every((text) => text.length < 200));
  });
});
