import assert from 'node:assert/strict';
import { Transcript } from '../../src/model/transcript/transcript';
import { normaliseUpdate } from '../../src/protocol/v1/normaliseUpdate';
import { normaliseUpdate as normaliseUpdate2 } from '../../src/protocol/v2/normaliseUpdate';
import { measureWeight } from '../../src/util/weight';
import { budgets } from './budgets';
import type { Check, CheckRun } from './check';
import { deep, jsonOf, long } from './hostileLines';
import { flood, SoakWorld, sessionId, turn } from './world';

/** Opens a session, attacks it, and checks that it still works. */
function attack(
  name: string,
  run: (world: SoakWorld, run: CheckRun) => void | Promise<void>,
  more: Partial<Check> = {},
): Check {
  return {
    name,
    ...more,
    run: async (given) => {
      const world = await SoakWorld.open();
      await run(world, given);
      await world.settled();
      const { note } = world;
      await world.close();
      return note;
    },
  };
}

/** A text that is expensive to diff against another of its kind. */
function shuffled(lines: number, run: CheckRun): string {
  return Array.from({ length: lines }, () => `line ${run.random.below(20)}\n`).join('');
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const chunk = (text: string, messageId?: string): object => ({
  sessionUpdate: 'agent_message_chunk',
  messageId,
  content: { type: 'text', text },
});
const call = (rest: object): object => ({
  sessionUpdate: 'tool_call',
  toolCallId: 'call',
  title: 'Call',
  kind: 'edit',
  ...rest,
});

/** Attacks by a single update on its row. */
const rowAttacks: readonly Check[] = [
  attack('rawInput nested deep', (world, run) => {
    const levels = run.size(20_000, 5000);
    world.updateText(jsonOf(call({ rawInput: deep(levels), rawOutput: deep(levels) })));
    world.updateText(jsonOf(call({ _meta: deep(levels), content: [deep(levels)] })));
  }),
  attack('a title of 30 MB', (world, run) => {
    const title = 'T'.repeat(run.size(30_000_000, 3_000_000));
    world.update(call({ title }));
    world.update({ sessionUpdate: 'session_info_update', title });
    world.update({ sessionUpdate: 'notice', severity: 'info', title, description: title });
  }),
  attack('a plan of 18 MB', (world, run) => {
    const content = 'p'.repeat(1000);
    const entries = times(run.size(18_000, 3000), () => ({
      content,
      priority: 'high',
      status: 'pending',
    }));
    world.update({ sessionUpdate: 'plan', entries });
  }),
  attack('40 images in a row', async (world, run) => {
    const data = 'A'.repeat(run.size(3_000_000, 1_000_000));
    const image = { type: 'image', mimeType: 'image/png', data };
    const content = { type: 'content', content: image };
    for (let sent = 0; sent < 40; sent++) {
      world.update({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: image });
      await turn();
    }
    world.update(call({ content: times(8, () => content) }));
  }),
  attack('2,000 hard diffs on one call', (world, run) => {
    const content = times(run.size(2000, 50), (index) => ({
      type: 'diff',
      path: `/home/user/project/f${index}`,
      oldText: shuffled(600, run),
      newText: shuffled(600, run),
    }));
    world.update(call({ content }));
  }),
  attack('20,000 terminal ids on one call', async (world, run) => {
    const count = run.size(20_000, 2000);
    const content = times(count, (index) => ({ type: 'terminal', terminalId: `t${index}` }));
    world.update(call({ content }));
    await flood(count, (index) => {
      const _meta = { terminal_output: { terminal_id: `t${index}`, data: 'x' } };
      world.update({ sessionUpdate: 'tool_call_update', toolCallId: 'call', _meta });
    });
  }),
  attack('lists without end on one call', (world, run) => {
    const count = run.size(100_000, 10_000);
    const locations = times(count, (line) => ({ path: '/home/user/project/a', line }));
    const content = times(count, () => ({ type: 'content', content: { type: 'text', text: 'x' } }));
    world.update(call({ locations, content }));
  }),
  attack('ids and names of megabytes', (world, run) => {
    const id = long(run.size(8_000_000, 500_000));
    world.updateText(jsonOf(chunk('x', id)));
    world.updateText(jsonOf(call({ toolCallId: id, name: id })));
    world.updateText(jsonOf(call({ content: [{ type: 'terminal', terminalId: id }] })));
    world.updateText(jsonOf({ sessionUpdate: 'current_mode_update', currentModeId: id }));
  }),
  attack('commands and options without end', (world, run) => {
    const count = run.size(100_000, 10_000);
    const description = 'd'.repeat(100);
    world.update({
      sessionUpdate: 'available_commands_update',
      availableCommands: times(count, (index) => ({ name: `c${index}`, description })),
    });
    const options = times(count, (index) => ({ value: `v${index}`, name: description }));
    const option = { id: 'o', name: 'O', type: 'select', currentValue: 'v0', options };
    world.update({ sessionUpdate: 'config_option_update', configOptions: [option, option] });
  }),
];

/** Attacks by many updates. */
const floods: readonly Check[] = [
  attack('100,000 chunks of one message', (world, run) =>
    flood(run.size(100_000, 10_000), () => world.update(chunk('some words and more ', 'm'))),
  ),
  attack('100,000 entries', (world, run) =>
    flood(run.size(100_000, 10_000), (index) =>
      world.update(index % 2 === 0 ? chunk('x', `m${index}`) : call({ toolCallId: `c${index}` })),
    ),
  ),
  attack('40,000 compaction chunks', (world, run) =>
    flood(run.size(40_000, 8000), (index) => {
      const text = { type: 'text', text: `word ${index} ` };
      // Images between the texts keep them from merging.
      const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
      const content = index % 2 === 0 ? text : image;
      world.update({ sessionUpdate: 'compaction_summary_chunk', compactionId: 'k', content });
    }),
  ),
  attack('400,000 notices to a hidden tab', async (world, run) => {
    world.tab.show(false);
    const before = world.tab.sent.get('notice') ?? 0;
    await flood(run.size(400_000, 20_000), (index) =>
      world.update({ sessionUpdate: 'notice', severity: 'info', title: `Notice ${index}` }),
    );
    await turn();
    world.tab.show(true);
    await world.settled();
    const sent = (world.tab.sent.get('notice') ?? 0) - before;
    assert.ok(sent <= budgets.notices, `${sent} notices were sent at once`);
  }),
  attack('updates of sessions that nobody opened', async (world, run) => {
    const text = 'e'.repeat(1_000_000);
    const before = heap();
    for (let sent = 0; sent < run.size(1600, 105); sent++) {
      world.update(chunk(text, `m${sent}`), `unknown-${sent % 16}`);
      await turn();
    }
    await world.settled();
    const kept = heap() - before;
    assert.ok(kept <= budgets.early, `${kept} bytes are kept`);
  }),
  attack('a line of 40 MB', (world) => {
    world.updateText(jsonOf(chunk(long(40_000_000), 'm')));
    world.line(`{"jsonrpc":"2.0","id":99,"result":"${'r'.repeat(40_000_000)}"}`);
    world.line('n'.repeat(40_000_000));
  }),
  attack('messages of 30 MB', async (world, run) => {
    for (let index = run.size(4, 1); index > 0; index--) {
      world.updateText(jsonOf(chunk(long(30_000_000), `m${index}`)));
      await turn();
      world.updateText(jsonOf(call({ toolCallId: `c${index}`, rawOutput: long(30_000_000) })));
      await turn();
    }
  }),
  attack('a session that comes with megabytes of facts', (world, run) => {
    const _meta = Object.fromEntries(
      times(run.size(100_000, 10_000), (index) => [`k${index}`, {}]),
    );
    world.update({ sessionUpdate: 'session_info_update', title: 'Title', _meta });
    world.update({ sessionUpdate: 'session_info_update', title: 'a\u202eb\0c', cwd: '/' });
    assert.equal(world.session.info.sessionId, sessionId);
  }),
];

/** An update of which little is left, by what is cut from it; each has megabytes. */
const cutUpdates: Readonly<Record<string, (units: number, at: number) => object>> = {
  title: (units, at) => call({ toolCallId: `c${at}`, title: 't'.repeat(units) }),
  facts: (units) => ({
    sessionUpdate: 'session_info_update',
    _meta: { fact: 'f'.repeat(units), ['n'.repeat(units)]: 'fact' },
  }),
  'type of a block': (units, at) => ({
    ...chunk('', `m${at}`),
    content: { type: 'b'.repeat(units) },
  }),
  'note after a result': (units, at) =>
    call({
      toolCallId: `c${at}`,
      rawOutput: `an ordinary result\n<system-reminder>${'r'.repeat(units)}</system-reminder>`,
    }),
  'blank text around an attachment': (units, at) => ({
    sessionUpdate: 'user_message_chunk',
    messageId: `m${at}`,
    content: {
      type: 'text',
      text: `[@attachment.md](file:///home/user/attachment.md)${' '.repeat(units)}`,
    },
  }),
  'hunk of a patch': (units, at) => ({
    sessionUpdate: 'tool_call_update',
    toolCallId: `c${at}`,
    content: [
      {
        type: 'diff',
        changes: [{ path: '/a', operation: 'modify' }],
        patch: {
          format: 'git_patch',
          text: `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a line that was there\n+a line that is there\ndiff --git a/b b/b\n${'p'.repeat(units)}`,
        },
      },
    ],
  }),
};

/** What is left of a text must not hold the text that it was cut from. */
const cutAttacks = Object.entries(cutUpdates).map(
  ([name, make]): Check => ({
    // SEC-87
    name: `megabytes of which little is kept: ${name}`,
    run: async ({ size }) => {
      const units = size(3_900_000, 500_000);
      const count = size(40, 10);
      const normalise = name === 'hunk of a patch' ? normaliseUpdate2 : normaliseUpdate;
      const transcript = new Transcript();
      const kept: object[] = [];
      heap();
      await turn();
      const before = heap();
      for (let at = 0; at < count; at++) {
        const update = JSON.stringify({ sessionId, update: make(units, at) });
        const read = normalise(JSON.parse(update));
        assert.ok(typeof read === 'object', JSON.stringify(read));
        transcript.apply(read.update);
        // The transcript has what is left of it.
        if (read.update.sessionUpdate === 'session_info_update') {
          kept.push(read.update);
        }
      }
      await turn();
      const held = heap() - before;
      const weight = measureWeight([transcript.entries, kept]);
      // The latest text is kept, by regular expressions too.
      const most = budgets.cut * weight + 4 * units;
      assert.ok(held <= most, `${held} bytes for a weight of ${weight}`);
      return `${count} times ${units} units, ${held} bytes are held`;
    },
  }),
);

/** Heap and external memory in use after a garbage collection, in bytes. */
function heap(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

export const updateAttacks = [...rowAttacks, ...floods, ...cutAttacks];
