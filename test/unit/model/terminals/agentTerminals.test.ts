import assert from 'node:assert/strict';
import { AgentTerminals } from '../../../../src/model/terminals/agentTerminals';
import { Transcript } from '../../../../src/model/transcript/transcript';
import type { AgentTerminalPatch, SessionUpdate } from '../../../../src/protocol/updates';
import { outputText } from '../../../../src/shared/terminal/outputText';
import type { ToolContent } from '../../../../src/shared/transcript/content';
import type { ToolCallEntry } from '../../../../src/shared/transcript/entries';
import { fc } from '../../../support/properties';
import { prompted, sessionBench } from '../sessionBench';
import { announced } from '../subagents/subagentBench';
import { call, change, state } from '../updates';

const base64 = (data: string | Buffer): string => Buffer.from(data).toString('base64');
const put = (terminalId: string, data: string | Buffer): SessionUpdate => ({
  sessionUpdate: 'terminal_output_chunk',
  terminalId,
  data: base64(data),
});
const terminal = (
  terminalId: string,
  patch: Omit<AgentTerminalPatch, 'terminalId'> = {},
): SessionUpdate => ({ sessionUpdate: 'terminal_update', terminalId, ...patch });
const shows = (...ids: readonly string[]): { readonly content: readonly ToolContent[] } => ({
  content: ids.map((terminalId) => ({ type: 'terminal', terminalId })),
});

/** A transcript with the terminals of its agent. */
function bench() {
  const transcript = new Transcript();
  const terminals = new AgentTerminals(transcript, () => undefined);
  const take = (...updates: readonly SessionUpdate[]): void => {
    for (const update of updates) {
      transcript.apply(update);
      terminals.take(update, transcript);
    }
  };
  const entry = (id: string): ToolCallEntry => transcript.toolCall(id)!;
  const output = (id: string, terminalId = 't'): string | undefined =>
    entry(id).terminalOutput?.get(terminalId);
  return { transcript, take, entry, output };
}

describe('Terminals of the agent', () => {
  it('V2-TERM-2, V2-TERM-4: output is shown in the calls that refer to them, before or after', () => {
    const { take, output, entry } = bench();
    take(put('t', 'one '), call('c', shows('t')), put('t', 'two '), call('d', shows('t', 'u')));
    take(put('t', 'three'), put('u', 'other'));
    assert.deepEqual([output('c'), output('d')], ['one two three', 'one two three']);
    assert.equal(output('d', 'u'), 'other');
    assert.deepEqual(entry('c').terminals, new Map([['t', { kind: 'running', isAgents: true }]]));
  });

  it('V2-TERM-8: their size stays until it changes, and is that of what they show', () => {
    const { take, entry } = bench();
    const size = { columns: 10, rows: 5 };
    const kept = () => entry('c').terminals?.get('t');
    take(call('c', shows('t')), terminal('t', { size }), put('t', 'x'));
    assert.deepEqual(kept(), { kind: 'running', isAgents: true, size });
    take(terminal('t', { exit: { exitCode: 0, signal: null } }));
    assert.deepEqual(kept()?.size, size);
    take(terminal('t', { size: null }));
    assert.deepEqual(kept(), { kind: 'exited', exitCode: 0, signal: null, isAgents: true });
    const output = base64(`${'a'.repeat(15)}\u001b[1A\r\u001b[Jnew`);
    take(terminal('t', { output, size }));
    const { terminalOutput, terminals } = entry('c');
    assert.equal(outputText(terminalOutput?.get('t') ?? '', terminals?.get('t')?.size), 'new');
  });

  it('V2-TERM-1, V2-TERM-2: what is omitted stays, null clears, and output replaces everything', () => {
    const { take, output, entry } = bench();
    take(call('c', shows('t')), terminal('t', { command: 'make', output: base64('old') }));
    take(terminal('t', { cwd: '/w', exit: { exitCode: 1, signal: null } }));
    assert.equal(output('c'), 'old');
    assert.deepEqual(entry('c').terminals?.get('t'), {
      kind: 'exited',
      exitCode: 1,
      signal: null,
      isAgents: true,
    });
    take(terminal('t', { output: base64('new') }), put('t', ' and more'));
    assert.equal(output('c'), 'new and more');
    take(terminal('t', { output: null, exit: null }));
    assert.equal(output('c'), '');
    assert.deepEqual(entry('c').terminals?.get('t'), { kind: 'running', isAgents: true });
  });

  it('V2-TERM-5, V2-TERM-4: an exit without a code is one, and output may follow it', () => {
    const { take, output, entry } = bench();
    take(call('c', shows('t')), terminal('t', { exit: { exitCode: null, signal: null } }));
    take(put('t', 'late'));
    assert.equal(output('c'), 'late');
    assert.deepEqual(entry('c').terminals?.get('t'), {
      kind: 'exited',
      exitCode: null,
      signal: null,
      isAgents: true,
    });
  });

  it('V2-TERM-6: one that no call refers to isn’t drawn, and one that isn’t known has no output', () => {
    const { take, entry, transcript } = bench();
    take(put('t', 'x'), terminal('u', { output: base64('y') }), call('c', shows('v')));
    assert.equal(transcript.entries.length, 1);
    assert.equal(entry('c').terminalOutput, undefined);
  });

  it('V2-TERM-4, V2-TOOL-4: what a call shows stays when its content is replaced, and goes on', () => {
    const { take, output } = bench();
    const content: ToolContent[] = [{ type: 'content', block: { type: 'text', text: 'x' } }];
    take(call('c', shows('t')), put('t', 'one'), change('c', { content }), put('t', ' two'));
    assert.equal(output('c'), 'one two');
    take({ sessionUpdate: 'tool_call_content_chunk', toolCallId: 'd', ...shows('t') });
    assert.equal(output('d'), 'one two');
  });

  it('V2-TERM-3: however bytes are cut, the text is theirs', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ä', '€', '😀', '\r\n'), maxLength: 20 });
    const where = fc.array(fc.nat(), { maxLength: 6 });
    const snapshot = fc.option(fc.tuple(text, fc.nat()), { nil: undefined });
    fc.assert(
      fc.property(text, where, snapshot, (value, cuts, whole) => {
        const { take, output } = bench();
        const bytes = Buffer.from(value);
        const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])];
        const chunks = ends
          .sort((a, b) => a - b)
          .map((end, index) => put('t', bytes.subarray(ends[index - 1] ?? 0, end)));
        if (whole !== undefined) {
          // Half of a character from before must not reach into the snapshot, which may end in the middle of one.
          const all = Buffer.from(whole[0] + value);
          const end = Buffer.byteLength(whole[0]) + (whole[1] % (bytes.length + 1));
          const head = terminal('t', { output: base64(all.subarray(0, end)) });
          take(put('t', Buffer.from('€').subarray(0, 2)), head, put('t', all.subarray(end)));
        } else {
          take(...chunks);
        }
        const referring = call('c', shows('t'));
        take(referring);
        assert.equal(output('c') ?? '', whole === undefined ? value : whole[0] + value);
      }),
    );
  });

  it('V2-TERM-2: any order of snapshots, chunks and references gives what a string would', () => {
    type Step = readonly ['put' | 'set' | 'clear' | 'refer' | 'exit', string];
    const step: fc.Arbitrary<Step> = fc.tuple(
      fc.constantFrom('put', 'set', 'clear', 'refer', 'exit'),
      fc.constantFrom('a', 'b', 'c'),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { take, entry, transcript } = bench();
        let expected: string | undefined;
        let ended = false;
        for (const [what, value] of steps) {
          switch (what) {
            case 'put':
              expected = (expected ?? '') + value;
              take(put('t', value));
              break;
            case 'set':
              expected = value;
              take(terminal('t', { output: base64(value) }));
              break;
            case 'clear':
              expected = '';
              take(terminal('t', { output: null }));
              break;
            case 'exit':
              expected ??= '';
              ended = true;
              take(terminal('t', { exit: { exitCode: 0, signal: null } }));
              break;
            case 'refer':
              take(call(value, shows('t')));
          }
        }
        for (const id of transcript.calls.keys()) {
          assert.equal(entry(id).terminalOutput?.get('t'), expected);
          assert.equal(entry(id).terminals?.get('t')?.kind === 'exited', ended);
        }
      }),
    );
  });

  it('V2-TERM-2: of much output the end is kept, and the cost of a chunk doesn’t grow with it', () => {
    const { take, output } = bench();
    take(call('c', shows('t')));
    const chunk = put('t', `${'x'.repeat(999)}\n`);
    for (let count = 0; count < 5_000; count++) {
      take(chunk);
    }
    take(put('t', 'the end'));
    const kept = output('c') ?? '';
    assert.ok(kept.length < 2.2 * 1024 * 1024 && kept.length > 1024 * 1024, `${kept.length}`);
    assert.ok(kept.endsWith('the end'));
  });

  it('V2-TERM-2: an entry is changed only by what is shown in it', () => {
    const { take, transcript } = bench();
    take(call('c', shows('t')), put('t', 'x'));
    let changes = 0;
    transcript.onDidChange(() => changes++);
    take(put('u', 'x'), terminal('u', { exit: { exitCode: 0, signal: null } }), state('running'));
    take(put('t', Buffer.from('€').subarray(0, 1)), terminal('t', { command: 'x' }));
    assert.equal(changes, 0);
  });

  it('V2-TERM-4, SEC-88: terminals, their output and the calls that show one are bounded', () => {
    const { take, output, entry } = bench();
    for (let count = 0; count < 1_500; count++) {
      take(put(`${count}`, 'x'));
    }
    take(call('c', shows('0', '1499')));
    assert.deepEqual([output('c', '0'), output('c', '1499')], [undefined, 'x']);

    const big = bench();
    const million = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 30; count++) {
      big.take(put(`${count}`, million));
    }
    big.take(call('c', shows('0', '29')));
    assert.equal(big.output('c', '0'), undefined);
    assert.equal(big.output('c', '29')?.length, million.length);

    for (let count = 0; count < 150; count++) {
      take(put(`n${count}`, 'y'), change('c', shows(`n${count}`)));
    }
    assert.ok((entry('c').terminals?.size ?? 0) <= 101);
    for (let count = 0; count < 40; count++) {
      take(call(`d${count}`, shows('1499')));
    }
    take(put('1499', 'more'));
    assert.equal(output('d39', '1499'), 'xmore');
  });

  it('V2-TERM-4: its output counts as part of the transcript', () => {
    const transcript = new Transcript(1_000_000);
    const terminals = new AgentTerminals(transcript, () => undefined);
    for (let count = 0; count < 40; count++) {
      for (const update of [
        call(`${count}`, shows(`${count}`)),
        put(`${count}`, 'x'.repeat(50_000)),
      ]) {
        transcript.apply(update);
        terminals.take(update, transcript);
      }
    }
    assert.equal(transcript.toolCall('0')?.terminalOutput, undefined);
    assert.equal(transcript.toolCall('39')?.terminalOutput?.get('39')?.length, 50_000);
  });

  it('V2-RES-6: a reset of the transcript forgets them', () => {
    const { take, output, transcript } = bench();
    take(put('t', 'old'));
    transcript.reset();
    take(call('c', shows('t')), put('t', 'new'));
    assert.equal(output('c'), 'new');
  });

  it('V2-TERM-4: ids may be anything', () => {
    const { take, output } = bench();
    for (const id of ['__proto__', 'constructor', '', 'a b']) {
      take(put(id, 'x'), call(`c${id}`, shows(id)), put(id, 'y'));
      assert.equal(Object.entries(output(`c${id}`, id) ?? {}).length, 2, id);
    }
  });

  it('V2-SUB-1, V2-TERM-4: a child has terminals of its own, with ids of its own', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    connection.send('s0', announced('kid'), put('t', 'parent'), call('c', shows('t')));
    connection.send('kid', call('k', shows('t')), put('t', 'child'));
    const { transcript, subagents } = made.session;
    assert.equal(transcript.toolCall('c')?.terminalOutput?.get('t'), 'parent');
    assert.equal(subagents.get(1)?.transcript.toolCall('k')?.terminalOutput?.get('t'), 'child');
  });

  it('SUB-3, V2-TERM-4: a subagent without a session shows those of the session', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    connection.send('s0', call('p'), call('k', { parentCallId: 'p', ...shows('t') }));
    connection.send('s0', put('t', 'x'));
    const kid = (id: string) => made.session.subagents.get(1)?.transcript.toolCall(id);
    assert.equal(kid('k')?.terminalOutput?.get('t'), 'x');
    connection.send('s0', call('m', { parentCallId: 'p' }));
    connection.send('s0', {
      sessionUpdate: 'tool_call_content_chunk',
      toolCallId: 'm',
      ...shows('t'),
    });
    assert.equal(kid('m')?.terminalOutput?.get('t'), 'x');
  });

  it('V2-PERM-2: a call that only a question names shows its terminal', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    connection.send('s0', put('t', 'x'));
    const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' as const }];
    const toolCall = { toolCallId: 'c', ...shows('t') };
    const { signal } = new AbortController();
    void made.session.requests.permission({ sessionId: 's0', toolCall, options }, signal);
    assert.equal(made.session.transcript.toolCall('c')?.terminalOutput?.get('t'), 'x');
  });
});
