import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { maxBase64, maxId, maxItems, maxText, maxTitle } from '../../../../src/protocol/bounds';
import { maxPathLength } from '../../../../src/shared/lengths';
import { nested } from '../../../support/nested';
import { normalise, text, toolField } from './normalised';

type Raw = Record<string, unknown>;

function read(sessionUpdate: string, fields: Raw): Raw {
  return normalise({ sessionUpdate, ...fields }) as Raw;
}

function times<T>(count: number, item: T): T[] {
  return Array.from({ length: count }, () => item);
}

describe('bounds of what an agent of version 2 sends', () => {
  it('texts, messages and ids of twice the size (V2-MSG-2, V2-MSG-3)', () => {
    const content = times(2 * maxItems, text('x'));
    const blocks = read('agent_message', { messageId: 'm', content })['content'] as Raw[];
    assert.equal(blocks.length, maxItems + 1);
    assert.deepEqual(blocks.at(-1), text('… 2,000 more items left out'));
    const messageId = 'i'.repeat(2 * maxId);
    const long = text('x'.repeat(2 * maxText));
    const chunk = read('agent_message_chunk', { messageId, content: long });
    assert.ok((chunk['messageId'] as string).length < 100);
    assert.ok((chunk['content'] as { text: string }).text.length < maxText + 100);
    assert.ok((read('user_message', { messageId })['messageId'] as string).length < 100);
  });

  it('SEC-90: output of terminals is cut between groups of base64, and says so (V2-TERM-2, V2-TERM-3)', () => {
    const data = Buffer.alloc(2 * maxText, 'x').toString('base64');
    const cut = [
      read('terminal_output_chunk', { terminalId: 't', data })['data'],
      read('terminal_update', { terminalId: 't', output: { data } })['output'],
    ] as string[];
    for (const kept of cut) {
      const bytes = Buffer.from(kept, 'base64').toString();
      assert.ok(bytes.startsWith('x'.repeat((maxBase64 / 4) * 3)));
      assert.match(bytes.slice(-100), /x\n… 4,194,\d{3} more bytes left out\n$/);
      assert.ok(kept.length < maxBase64 + 100);
    }
    const whole = 'A'.repeat(maxBase64);
    assert.equal(read('terminal_output_chunk', { terminalId: 't', data: whole })['data'], whole);
  });

  it('SEC-90: titles, commands and errors of twice the size (V2-TERM-1, V2-TURN-5)', () => {
    const long = 'x'.repeat(2 * maxTitle);
    const update = {
      terminalId: 'i'.repeat(2 * maxId),
      command: long,
      exitStatus: { signal: long },
    };
    const terminal = read('terminal_update', update);
    assert.equal((terminal['command'] as string).length, maxTitle);
    assert.equal((terminal['exit'] as { signal: string }).signal.length, maxTitle);
    assert.ok((terminal['terminalId'] as string).length < 100);
    const error = { message: 'x'.repeat(100_000) };
    const idle = read('state_update', { state: 'idle', stopReason: long, error });
    assert.equal((idle['stopReason'] as string).length, maxTitle);
    assert.ok((idle['error'] as { message: string }).message.length < 10_100);
    const background = times(2 * maxItems, { type: 'x' });
    const tasks = read('state_update', { state: 'idle', background })['background'];
    assert.equal((tasks as unknown[]).length, maxItems);
  });

  it('V2-TERM-8: a size of a terminal that is none', () => {
    const sizeOf = (size: unknown) => read('terminal_update', { terminalId: 't', size })['size'];
    assert.deepEqual(sizeOf({ cols: 80, rows: 24 }), { columns: 80, rows: 24 });
    assert.equal(sizeOf(null), null);
    for (const size of [
      { cols: 0, rows: 24 },
      { cols: '80', rows: 24 },
      { cols: 1e300, rows: 1 },
    ]) {
      assert.equal(sizeOf(size), undefined);
    }
  });

  it('content, locations and JSON of a call (V2-TOOL-4)', () => {
    const content = toolField('content', times(2 * maxItems, text('x'))) as unknown[];
    assert.equal(content.length, maxItems + 1);
    const more = text('… 2,000 more items left out');
    assert.deepEqual(content.at(-1), { type: 'content', block: more });
    const locations = toolField('locations', times(2 * maxItems, { path: '/a' })) as unknown[];
    assert.equal(locations.length, maxItems);
    assert.match(JSON.stringify(toolField('rawInput', nested(5_000))), /nested too deeply/);
  });

  it('SEC-89: changes, hunks and texts of a diff, and paths that are too long (V2-DIFF-1)', () => {
    const diff = (changes: unknown, patch = ''): unknown[] =>
      toolField('content', [
        { type: 'diff', changes, patch: { format: 'git_patch', text: patch } },
      ]) as unknown[];
    const more = (count: string): unknown => ({
      type: 'content',
      block: text(`… ${count} more items left out`),
    });
    const change = { operation: 'delete', path: '/a' };
    const many = diff(times(2 * maxItems, change));
    assert.equal(many.length, maxItems + 1);
    assert.deepEqual(many.at(-1), more('2,000'));
    const modify = { operation: 'modify', path: '/a' };
    const head = 'diff --git /a /a\n--- /a\n+++ /a\n';
    const hunks = diff([modify], head + '@@ -1 +1 @@\n-a\n+b\n'.repeat(2 * maxItems));
    assert.equal(hunks.length, maxItems + 1);
    assert.deepEqual(hunks.at(-1), more('2,000'));
    const [cut] = diff([modify], `${head}@@ -1 +1 @@\n-a\n+${'x'.repeat(2 * maxText)}\n`) as {
      newText: string;
    }[];
    assert.ok((cut?.newText.length ?? 0) < maxText + 100);
    const path = `/${'x'.repeat(maxPathLength)}`;
    const oldPath = path;
    assert.deepEqual(
      diff([
        { ...change, path },
        { operation: 'move', path: '/b', oldPath },
      ]),
      [{ type: 'fileChange', operation: 'move', path: '/b' }],
    );
    const quoted = `diff --git "/${'\\303\\244'.repeat(2 * maxPathLength)}"`;
    assert.equal(diff([change], `${quoted} ${quoted.slice(11)}\n`.repeat(3)).length, 1);
  });
});
