import assert from 'node:assert/strict';
import path from 'node:path';
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { seedSample } from '../../../src/demoAgent/sample/seed';
import type { SessionMeta } from '../../../src/demoAgent/store/records';
import { SessionStore } from '../../../src/demoAgent/store/sessionStore';
import { DemoWorld } from './harness';
import { assertValid } from './schema';

const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2025, 5, 15, 12);

describe('demo agent: the sample history', () => {
  const world = new DemoWorld();
  const transcripts = new Map<SessionMeta, SessionUpdate[]>();
  let cwd: string;

  before(async () => {
    const store = await SessionStore.open(await world.folder());
    cwd = await world.folder();
    await seedSample(store, cwd, now);
    for (const meta of await store.list()) {
      const updates: SessionUpdate[] = [];
      for await (const batch of store.updates(meta.sessionId)) {
        // The sample has only what version 1 can say, which the tests check.
        updates.push(...(batch as SessionUpdate[]));
      }
      transcripts.set(meta, updates);
    }
  });

  after(() => world.dispose());

  const metas = (): SessionMeta[] => [...transcripts.keys()];
  const all = (): SessionUpdate[] => [...transcripts.values()].flat();

  it('is dozens of sessions from today back to a year ago, each title once', () => {
    assert.ok(metas().length >= 30);
    const ages = metas().map((meta) => (now - meta.updatedAt) / day);
    assert.ok(ages.every((age) => age > 0 && age < 370));
    assert.ok(ages.filter((age) => age < 1).length >= 4, 'some today');
    assert.ok(ages.filter((age) => age < 7).length >= 12, 'more this week');
    assert.ok(
      ages.some((age) => age > 350),
      'one a year ago',
    );
    assert.equal(new Set(metas().map((meta) => meta.title)).size, metas().length);
    assert.ok(
      metas().some((meta) => meta.title.length > 250),
      'a long title',
    );
    assert.ok(
      metas().some((meta) => /\p{Emoji_Presentation}/u.test(meta.title)),
      'an emoji',
    );
  });

  it('belongs to the folder, but for a few that show that the list is filtered', () => {
    const elsewhere = metas().filter((meta) => meta.cwd !== cwd);
    assert.ok(elsewhere.length >= 3 && elsewhere.length <= 10);
    assert.ok(elsewhere.every((meta) => path.dirname(meta.cwd) === path.dirname(cwd)));
  });

  it('has only valid updates, and every file in them lies in the session’s folder', () => {
    for (const [{ sessionId, cwd: home }, updates] of transcripts) {
      for (const update of updates) {
        assertValid('zSessionNotification', { sessionId, update });
        for (const file of filesIn(update)) {
          assert.ok(file.startsWith(home + path.sep), file);
        }
      }
    }
  });

  it('shows every kind of entry and of tool call, and one long transcript', () => {
    const kinds = new Set(all().map((update) => update.sessionUpdate));
    assert.deepEqual([...kinds].sort(), [
      'agent_message_chunk',
      'agent_thought_chunk',
      'compaction_update',
      'plan',
      'tool_call',
      'tool_call_update',
      'usage_update',
      'user_message_chunk',
    ]);
    const calls = all().filter((update) => update.sessionUpdate === 'tool_call');
    assert.equal(new Set(calls.map((call) => call.kind)).size, 10);
    const results = all().filter((update) => update.sessionUpdate === 'tool_call_update');
    assert.ok(results.some((result) => result.status === 'failed'));
    const blocks = all().flatMap((update) =>
      update.sessionUpdate === 'agent_message_chunk' ? [update.content.type] : [],
    );
    assert.deepEqual([...new Set(blocks)].sort(), ['image', 'resource', 'resource_link', 'text']);
    const longest = Math.max(...[...transcripts.values()].map((updates) => updates.length));
    assert.ok(longest > 1900 && longest < 2200, `the longest has ${longest} updates`);
  });

  it('ends every tool call that it begins', () => {
    for (const [meta, updates] of transcripts) {
      const open = new Set<string>();
      for (const update of updates) {
        if (update.sessionUpdate === 'tool_call') {
          open.add(update.toolCallId);
        } else if (update.sessionUpdate === 'tool_call_update') {
          open.delete(update.toolCallId);
        }
      }
      assert.equal(open.size, 0, meta.title);
    }
  });
});

function filesIn(update: SessionUpdate): string[] {
  if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') {
    return [];
  }
  return [
    ...(update.locations ?? []).map((location) => location.path),
    ...(update.content ?? []).flatMap((content) => (content.type === 'diff' ? [content.path] : [])),
  ];
}
