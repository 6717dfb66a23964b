import assert from 'node:assert/strict';
import { EarlyUpdates } from '../../../../src/model/session/earlyUpdates';
import { Transcript } from '../../../../src/model/transcript/transcript';
import { EchoFilter } from '../../../../src/model/turns/echoFilter';
import { maxText } from '../../../../src/protocol/bounds';
import type {
  CompactionEntry,
  Entry,
  ToolCallEntry,
} from '../../../../src/shared/transcript/entries';
import { measureWeight } from '../../../../src/util/weight';
import { agent, call, change, transcriptOf, user } from '../updates';

const megabyte = 1024 * 1024;

function weigh(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + measureWeight(entry), 0);
}

describe('Transcript: bounds', () => {
  it('TE-9: terminals of one call without end are left out, and it says so', () => {
    const output = (at: number) => ({ terminalId: `t${at}`, text: 'x', append: true });
    const transcript = transcriptOf(call('a'));
    for (let at = 0; at < 40_000; at++) {
      transcript.apply(change('a', { terminalOutput: [output(at)] }));
    }
    transcript.apply(change('a', { terminalOutput: [output(1)], status: 'completed' }));
    const entry = transcript.entries[0] as ToolCallEntry;
    const kept = entry.terminalOutput;
    assert.equal(kept?.size, 101);
    assert.equal(kept.get('t1'), 'xx');
    assert.match(kept.get('…') ?? '', /not shown/);
    assert.equal(entry.status, 'completed');
  });

  it('TE-9: of the output of one terminal the newest is kept', () => {
    const transcript = transcriptOf(call('a'));
    for (let at = 0; at < 50; at++) {
      const text = `${at}`.padEnd(megabyte / 4, '.');
      transcript.apply(change('a', { terminalOutput: [{ terminalId: 't', text, append: true }] }));
    }
    const t = (transcript.entries[0] as ToolCallEntry).terminalOutput?.get('t') ?? '';
    assert.ok(t.length < 3 * megabyte, `${t.length} units`);
    assert.match(t, /^… Earlier output is left out\n/);
    assert.ok(t.includes('49....'));
  });

  it('TE-9: the output of one terminal isn’t cut within a color', () => {
    const transcript = transcriptOf(call('a'));
    const text = `${'y'.repeat(megabyte)}\u001b[31m${'x'.repeat(megabyte - 2)}`;
    transcript.apply(change('a', { terminalOutput: [{ terminalId: 't', text, append: true }] }));
    const t = (transcript.entries[0] as ToolCallEntry).terminalOutput?.get('t') ?? '';
    assert.match(t.slice(0, 100), /^… Earlier output is left out\nx+$/);
  });

  it('SUB-5, SEC-96: what subagents do counts for the bound of the session, and is let go of first', () => {
    const most = 4 * megabyte;
    const transcript = new Transcript(most);
    transcript.apply(call('own', { rawInput: 'o'.repeat(megabyte) }));
    const nested = Array.from({ length: 8 }, () => transcript.nest().transcript);
    for (const [at, each] of nested.entries()) {
      transcript.add({
        kind: 'subagent',
        ...{ number: at + 1, title: `${at}`, state: { kind: 'running' } },
        ...{ entries: each.entries, calls: each.calls },
      });
      each.apply(call('c', { rawInput: 'x'.repeat(megabyte) }));
    }
    assert.ok(weigh(transcript.entries) <= most);
    const [own] = transcript.entries;
    assert.ok(own?.kind === 'toolCall' && own.rawInput !== undefined, 'the session’s own is kept');
    for (let at = 0; at < 200_000; at++) {
      nested[at % nested.length]?.apply(call(`more ${at}`, { title: 'A call' }));
    }
    assert.ok(weigh(transcript.entries) <= 2 * most, `${weigh(transcript.entries)} units`);
    assert.equal(transcript.entries.at(-1)?.kind, 'turn', 'it says so, once');
  });

  it('CP-3: a summary in chunks without end is cut, and says so', () => {
    const image = { type: 'image', mimeType: 'image/png', data: '' } as const;
    const transcript = new Transcript();
    for (let at = 0; at < 80_000; at++) {
      const chunk = { sessionUpdate: 'compaction_summary_chunk', compactionId: 'c' } as const;
      transcript.apply({ ...chunk, content: at % 2 === 0 ? image : { type: 'text', text: 'x' } });
    }
    const { summary } = transcript.entries[0] as CompactionEntry;
    assert.equal(summary.length, 257);
    assert.deepEqual(summary.at(-1), { type: 'text', text: '… The rest is left out' });
  });

  it('MSG-1: a message that is longer than a text may be goes on in another entry', () => {
    const transcript = new Transcript();
    for (let at = 0; at < 10; at++) {
      transcript.apply(agent('x'.repeat(megabyte), 'one'));
    }
    const lengths = transcript.entries.map((entry) =>
      'blocks' in entry && entry.blocks[0]?.type === 'text' ? entry.blocks[0].text.length : 0,
    );
    assert.deepEqual(lengths, [maxText, maxText, 2 * megabyte]);
  });

  it('SEC-95: lets go of what is large, the oldest first, and goes on', () => {
    const transcript = new Transcript(megabyte);
    const text = 'x'.repeat(10_000);
    for (let at = 0; at < 1_000; at++) {
      transcript.apply(call(`c${at}`, { rawInput: { command: 'ls' }, rawOutput: text }));
    }
    transcript.apply(agent('the end'));
    assert.ok(weigh(transcript.entries) < 1.3 * megabyte, `${weigh(transcript.entries)} units`);
    assert.equal(transcript.entries.length, 1_001);
    const [first] = transcript.entries as readonly ToolCallEntry[];
    assert.match(
      JSON.stringify(first?.content),
      /Left out because the transcript became too large/,
    );
    assert.deepEqual(first?.rawInput, { command: 'ls' });
    const newest = transcript.entries[999] as ToolCallEntry;
    assert.equal(newest.rawOutput, text);
  });

  it('TE-9: lets go of the output of old terminals and of old prompts, too', () => {
    const transcript = new Transcript(megabyte);
    const text = 'x'.repeat(10_000);
    for (let at = 0; at < 150; at++) {
      transcript.add({ kind: 'user', blocks: [{ type: 'text', text }] });
      transcript.apply(call(`c${at}`, { content: [{ type: 'terminal', terminalId: `t${at}` }] }));
      transcript.setTerminal(`t${at}`, text.slice(1), { kind: 'running' });
      transcript.setTerminal(`t${at}`, text, { kind: 'running' });
    }
    assert.ok(weigh(transcript.entries) < 1.3 * megabyte, `${weigh(transcript.entries)} units`);
    const newest = transcript.entries.at(-1) as ToolCallEntry;
    assert.ok(newest.terminalOutput?.get('t149') === text);
    assert.ok(measureWeight(newest) > text.length, 'its output counts');
  });

  it('what replaces itself takes no room, however often it comes', () => {
    const transcript = new Transcript(megabyte);
    transcript.apply(agent('x'.repeat(10_000)));
    transcript.apply(call('a'));
    for (let at = 0; at < 1_000; at++) {
      transcript.apply(change('a', { rawOutput: `${at}`.padEnd(100_000, '.') }));
    }
    assert.match(JSON.stringify(transcript.entries[1]), /999\.\.\./);
    assert.doesNotMatch(JSON.stringify(transcript.entries), /Left out/i);
  });

  it('SEC-95: takes nothing more when even small things are too many, and says so once', () => {
    const transcript = new Transcript(megabyte);
    for (let at = 0; at < 20_000; at++) {
      transcript.apply(user('u', `u${at}`));
    }
    const { length } = transcript.entries;
    const last = transcript.entries.at(-1);
    assert.ok(last?.kind === 'turn' && last.outcome.type === 'failed');
    assert.match(last.outcome.failure.title, /too large/);
    transcript.apply(agent('more'));
    assert.equal(transcript.entries.length, length);
    assert.equal(transcript.updates, 20_001);
    transcript.reset();
    transcript.apply(agent('again'));
    assert.equal(transcript.entries.length, 1);
  });

  it('T-19, SEC-97: updates for sessions that are never opened are bounded in size', () => {
    const early = new EarlyUpdates();
    const update = agent('x'.repeat(100_000));
    let kept = 0;
    for (let at = 0; at < 3_200; at++) {
      early.add(`s${at % 32}`, update);
    }
    for (let at = 0; at < 32; at++) {
      kept += measureWeight(early.take(`s${at}`));
    }
    assert.ok(kept < 17 * megabyte, `${kept} units`);
    early.add('small', agent('kept'));
    assert.deepEqual(early.take('small'), [agent('kept')]);
  });

  it('UP-6: an echo in pieces of one character costs what it is long', () => {
    const text = 'x'.repeat(400_000);
    const filter = new EchoFilter([{ type: 'text', text }]);
    for (let at = 0; at < text.length; at++) {
      assert.equal(filter.take(user('x')).length, 0);
    }
    assert.equal(filter.take(user('other')).length, 1);
  });
});
