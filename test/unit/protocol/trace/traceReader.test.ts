import assert from 'node:assert/strict';
import type { FileHandle } from 'node:fs/promises';
import { shownLines } from '../../../../src/protocol/trace/tracedSessions';
import { TraceError, type TraceProblem } from '../../../../src/protocol/trace/traceError';
import { headerLine, traceFormat, traceLimits } from '../../../../src/protocol/trace/traceFormat';
import { readTrace, type Trace } from '../../../../src/protocol/trace/traceReader';
import { removeTemporary } from '../../../support/temporary';
import { closeFiles, fileWith, header, read, TraceText } from './traceBench';

describe('reading a trace', () => {
  afterEach(closeFiles);
  after(removeTemporary);

  async function traceOf(text: TraceText | string | Uint8Array): Promise<Trace> {
    return read(await fileWith(text instanceof TraceText ? text.text : text));
  }

  async function refused(
    content: string | Uint8Array,
    problem: TraceProblem,
    limits = traceLimits,
  ): Promise<void> {
    await assert.rejects(
      read(await fileWith(content), limits),
      (error) => error instanceof TraceError && error.problem === problem,
    );
  }

  const rows = (...ids: readonly string[]): object => ({
    sessions: ids.map((sessionId) => ({ sessionId, cwd: '/there', title: `Title ${sessionId}` })),
  });
  const ids = ({ pages }: Trace): unknown =>
    pages.map((page) => page.map(({ sessionId }) => sessionId));

  it('has the pages of a list in the order of its cursors, as they were last read', async () => {
    const text = new TraceText()
      .request('session/list', {}, { ...rows('old'), nextCursor: 'b' })
      .request('session/list', { cursor: 'b' }, { ...rows('c', 'd'), nextCursor: '' })
      .request('session/list', { cursor: '' }, rows('e'))
      .request('session/list', {}, { ...rows('a', 'b'), nextCursor: 'b' });
    assert.deepEqual(ids(await traceOf(text)), [['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('has the lists of several folders one after the other, each page once', async () => {
    const text = new TraceText()
      .request('session/list', { cwd: '/a' }, { ...rows('a'), nextCursor: 'x' })
      .request('session/list', { cwd: '/a', cursor: 'x' }, { ...rows('b'), nextCursor: 'x' })
      .request('session/list', { cwd: '/b' }, rows('c'));
    assert.deepEqual(ids(await traceOf(text)), [['a'], ['b'], ['c']]);
  });

  it('lists a session that was opened without being listed first, as old as its last update', async () => {
    const text = new TraceText()
      .request('session/list', {}, rows('a'))
      .request('session/new', { cwd: '/there' }, { sessionId: 'new' })
      .says('new', 'Hello')
      .update('new', { sessionUpdate: 'session_info_update', title: 'Named later' });
    const { pages } = await traceOf(text);
    assert.deepEqual(
      pages[0]?.map(({ sessionId, title }) => [sessionId, title]),
      [
        ['new', 'Named later'],
        ['a', 'Title a'],
      ],
    );
    assert.equal(pages[0][0]?.changedAt, '2026-11-23T10:00:00.005Z');
  });

  interface Shown {
    readonly update?: { readonly messageId?: string; readonly state?: string };
    readonly prompt?: readonly { readonly text: string }[];
  }

  describe('of version 2', () => {
    const initialized = (): TraceText =>
      new TraceText().request('initialize', {}, { protocolVersion: 2 });
    const start = { type: 'start' };
    const says = (text: TraceText, sessionId: string, words: string): TraceText =>
      text.update(sessionId, {
        sessionUpdate: 'agent_message',
        messageId: words,
        content: [{ type: 'text', text: words }],
      });
    const state = (text: TraceText, name: string): TraceText =>
      text.update('s', { sessionUpdate: 'state_update', state: name });
    const shown = async (text: TraceText): Promise<unknown> => {
      const { lines } = await traceOf(text);
      const all = text.text.split('\n');
      return lines.get('s')?.map((line) => {
        const { msg } = JSON.parse(all[line] ?? '') as { msg: { params: Shown } };
        const { update, prompt } = msg.params;
        return update ? (update.messageId ?? update.state) : `prompt ${prompt?.[0]?.text}`;
      });
    };

    it('V2-RES-1: a resume from the start is a load, also one without a history', async () => {
      const text = says(initialized(), 's', 'before');
      const from = { sessionId: 's', replayFrom: start };
      text.request('session/resume', from, {}, (more) => says(more, 's', 'loaded'));
      says(text, 's', 'later');
      assert.deepEqual(await shown(text), ['loaded', 'later']);
      text.request('session/resume', from, {});
      assert.deepEqual(await shown(text), []);
    });

    it('V2-RES-2, V2-RES-3: one without that is none, whatever comes before its answer', async () => {
      const text = says(initialized(), 's', 'before');
      text.request('session/resume', { sessionId: 's' }, {}, (more) => state(more, 'running'));
      says(text, 's', 'later');
      assert.deepEqual(await shown(text), ['before', 'running', 'later']);
      text.request('session/resume', { sessionId: 's', replayFrom: null }, {}, (more) =>
        state(more, 'idle'),
      );
      assert.deepEqual(await shown(text), ['before', 'running', 'later', 'idle']);
    });

    const mine = (text: TraceText, messageId: string, kind = 'user_message'): TraceText =>
      text.update('s', { sessionUpdate: kind, messageId, content: [] });

    for (const kind of ['user_message', 'user_message_chunk']) {
      it(`V2-TURN-7: a prompt that was sent back as ${kind} with the id of its answer isn’t there twice`, async () => {
        const text = initialized();
        const prompt = { sessionId: 's', prompt: [{ type: 'text', text: 'words' }] };
        text.request('session/prompt', prompt, { messageId: 'm1' }, (more) =>
          mine(more, 'm1', kind),
        );
        text.request('session/prompt', prompt, { messageId: 'm2' });
        mine(text, 'm2', kind);
        assert.deepEqual(await shown(text), ['m1', 'm2']);
        text.request('session/prompt', prompt, { messageId: 'm3' });
        mine(text, 'another', kind);
        assert.deepEqual(await shown(text), ['m1', 'm2', 'prompt words', 'another']);
      });
    }

    it('the version is that of the last connection, of the header of one that begins in the middle, or of its messages', async () => {
      const { protocolVersion } = await traceOf(initialized());
      assert.equal(protocolVersion, 2);
      const middle = (protocol?: unknown): string =>
        headerLine({
          ...header,
          from: 'middle',
          ...(protocol !== undefined && { protocol: protocol as number }),
        });
      const body = says(new TraceText(), 's', 'words').text.split('\n').slice(1).join('\n');
      assert.equal((await traceOf(middle(2) + body)).protocolVersion, 2);
      assert.equal((await traceOf(middle() + body)).protocolVersion, undefined);
      assert.equal((await traceOf(state(new TraceText(), 'idle'))).protocolVersion, 2);
      const one = new TraceText().request('initialize', {}, { protocolVersion: 1 });
      assert.equal((await traceOf(state(one, 'idle'))).protocolVersion, 1);
      const hostile = { deep: [{}], protocolVersion: 2 };
      assert.equal((await traceOf(middle(hostile) + body)).protocolVersion, undefined);
    });

    it('stays bounded with very many ids of messages', async () => {
      const text = initialized();
      const lines = Array.from({ length: 5_000 }, (_, at) => ['x'.repeat(300), `m${at}`]).flat();
      for (const id of lines) {
        mine(text, id);
      }
      assert.equal((await traceOf(text)).lines.get('s')?.length, lines.length);
    });
  });

  it('T-10: replays the last load that succeeded, and what came after it', async () => {
    const text = new TraceText();
    text.says('s', 'before');
    text.request('session/load', { sessionId: 's' }, {}, (more) => more.says('s', 'first'));
    text.request('session/load', { sessionId: 's' }, {}, (more) => more.says('s', 'second'));
    const failing = text.asks('session/load', { sessionId: 's' });
    text.says('s', 'half').answers(failing, { error: { code: 1, message: 'no' } });
    text.says('s', 'later');
    const { lines } = await traceOf(text);
    const all = text.text.split('\n');
    const shown = lines.get('s')?.map((line) => /"text":"(\w+)"/.exec(all[line] ?? '')?.[1]);
    assert.deepEqual(shown, ['second', 'later']);
  });

  it('T-10, SEC-178: looks at each load and each line once, however many loads have failed', () => {
    const count = 2000;
    let looks = 0;
    const loads = Array.from({ length: count }, (_, at) => ({
      get from() {
        looks++;
        return at;
      },
      get to() {
        looks++;
        return at + 1;
      },
      succeeded: at === 0,
    }));
    const lines = Array.from({ length: 2 * count }, (_, at) => at);
    const session = { sessionId: 's', lines, loads, isOpened: true };
    assert.deepEqual(shownLines(session), [0, ...lines.slice(count)]);
    assert.ok(looks <= 10 * count, `${looks} looks`);
  });

  it('T-10: connections that end leave the loads of others alone, and the sessions without one', async () => {
    const text = new TraceText();
    text.asks('session/load', { sessionId: 'a' });
    text.says('a', 'half').request('initialize', {}, { protocolVersion: 1 }).says('a', 'later');
    text.request('session/load', { sessionId: 'b' }, {}, (more) => more.says('b', 'whole'));
    text.request('initialize', {}, { protocolVersion: 1 }).says('b', 'later');
    const { lines } = await traceOf(text);
    assert.deepEqual([lines.get('a')?.length, lines.get('b')?.length], [2, 2]);
  });

  it('SEC-178: can be canceled while the sessions are put together, which lets others have their turn', async () => {
    const text = new TraceText();
    for (let line = 0; line < 30_000; line++) {
      text.says(`s${line % 3}`, 'x');
    }
    const file = await fileWith(text.text);
    const canceled = new AbortController();
    const reads: Pick<FileHandle, 'read'> = {
      read: async (...given: Parameters<FileHandle['read']>) => {
        const done = await file.read(...given);
        if (done.bytesRead === 0) {
          setImmediate(() => canceled.abort(new Error('canceled')));
        }
        return done;
      },
    };
    await assert.rejects(readTrace(reads, canceled.signal), /canceled/);
  });

  it('a load without an answer counts if there is no other', async () => {
    const text = new TraceText();
    text.asks('session/load', { sessionId: 's' });
    text.says('s', 'half');
    assert.equal((await traceOf(text)).lines.get('s')?.length, 1);
  });

  it('ER-2: an id that is used again belongs to the latest request, an answer to nobody is left', async () => {
    const text = new TraceText()
      .line('fromAgent', { id: 99, result: rows('nobody') })
      .line('toAgent', { id: 7, method: 'session/list', params: {} })
      .line('toAgent', { id: 7, method: 'session/list', params: { cwd: '/b' } })
      .line('fromAgent', { id: 7, result: rows('b') })
      .line('fromAgent', { id: 7, result: rows('again') });
    assert.deepEqual(ids(await traceOf(text)), [['b']]);
  });

  it('SUB-1, SUB-4: the updates of subagents belong to their session', async () => {
    const text = new TraceText()
      .request('session/new', {}, { sessionId: 's' })
      .update('s', { sessionUpdate: 'subagent_update', sessionId: 'child' })
      .says('child', 'deep');
    const trace = await traceOf(text);
    assert.equal(trace.lines.get('s')?.length, 2);
    assert.deepEqual(ids(trace), [['s']]);
    const circle = new TraceText()
      .update('a', { sessionUpdate: 'subagent_update', sessionId: 'b' })
      .update('b', { sessionUpdate: 'subagent_update', sessionId: 'a' })
      .says('a', 'x')
      .says('b', 'y');
    assert.equal((await traceOf(circle)).lines.get('a')?.length, 4);
  });

  it('reads wire logs without a header, in which notes separate connections', async () => {
    const list =
      '{"dir":"out","t":1,"msg":{"jsonrpc":"2.0","id":0,"method":"session/list","params":{}}}';
    const answer =
      '{"dir":"in","t":2,"msg":{"jsonrpc":"2.0","id":0,"result":{"sessions":[{"sessionId":"a"}]}}}';
    const note = '{"dir":"note","file":"two"}';
    assert.deepEqual(ids(await traceOf([note, list, answer].join('\n'))), [['a']]);
    assert.deepEqual(ids(await traceOf(['\ufeff', list, '\r\n', answer].join(''))), [['a']]);
    assert.deepEqual(ids(await traceOf([list, note, answer].join('\n'))), [[]]);
  });

  it('SEC-186: leaves out and counts lines that are cut off, damaged, too deep or of no session', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    const update = `{"dir":"in","t":1,"msg":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"deep":${deep}}}}}`;
    const text = new TraceText()
      .says('s', 'good')
      .raw(`${update}\n`)
      .raw('\u0000\u0001binary\n\n[]\n"text"\n{"dir":"in","msg":{}}\n{"dir":"up"}\n')
      .says('', 'nobody')
      .says('x'.repeat(10_000), 'too long')
      .says('s', 'better')
      .raw('{"t":1,"dir":"in","msg":{"jsonrpc":"2.0","meth');
    const { lines, unusable } = await traceOf(text);
    assert.equal(lines.get('s')?.length, 2);
    assert.equal(unusable, 9);
  });

  it('SEC-185: refuses what is no trace', async () => {
    await refused('', 'notATrace');
    await refused('# Notes\n', 'notATrace');
    await refused(Buffer.from([0, 1, 2, 255, 10, 3]), 'notATrace');
    await refused('{"format":"other","version":1}\n', 'notATrace');
    await refused(`${JSON.stringify({ format: traceFormat, version: 'x' })}\n`, 'notATrace');
    await refused(headerLine(header), 'empty');
  });

  it('SEC-185: refuses a newer format', async () => {
    const newer = `${JSON.stringify({ format: traceFormat, version: 2 })}\n`;
    await refused(newer, 'newer');
  });

  it('SEC-185: refuses more bytes or lines than a trace may have, at twice the size', async () => {
    const text = new TraceText();
    for (let count = 0; count < 2000; count++) {
      text.says('s', 'x');
    }
    const bytes = Buffer.byteLength(text.text);
    await refused(text.text, 'tooLarge', { ...traceLimits, bytes: bytes / 2 });
    await refused(text.text, 'tooLong', { ...traceLimits, lines: 1000 });
    const all = await read(await fileWith(text.text), { ...traceLimits, bytes, lines: 2001 });
    assert.equal(all.lines.get('s')?.length, 2000);
  });

  it('SEC-186: leaves out a line that is longer than a message may be', async () => {
    const text = new TraceText().says('s', 'x'.repeat(4_000)).says('s', 'short');
    const { lines, unusable } = await read(await fileWith(text.text), {
      ...traceLimits,
      lineBytes: 2_000,
    });
    assert.deepEqual([lines.get('s')?.length, unusable], [1, 1]);
  });

  it('SEC-179: knows requests, folders and cursors of any length by what is kept of them', async () => {
    const [long, other] = ['x'.repeat(100_000), `${'x'.repeat(100_000)}y`];
    const text = new TraceText()
      .line('toAgent', { id: long, method: 'session/list', params: { cwd: `/${long}` } })
      .line('toAgent', {
        id: other,
        method: 'session/list',
        params: { cwd: `/${long}`, cursor: long },
      })
      .line('fromAgent', { id: other, result: rows('b') })
      .line('fromAgent', { id: long, result: { ...rows('a'), nextCursor: long } })
      .request('session/new', { cwd: `/${long}` }, { sessionId: 'c' });
    const trace = await traceOf(text);
    assert.deepEqual(ids(trace), [['c', 'a'], ['b']]);
    assert.equal(trace.pages[0]?.[0]?.cwd, undefined);
  });

  it('SEC-186: holds a bounded number of sessions and of requests without an answer', async () => {
    const update = { sessionUpdate: 'x' };
    const text = new TraceText();
    for (let count = 0; count < 20_000; count++) {
      text.line('fromAgent', {
        method: 'session/update',
        params: { sessionId: `${count}`, update },
      });
    }
    for (let count = 0; count < 20_000; count++) {
      text.line('toAgent', { id: count, method: 'session/list' });
    }
    text
      .line('fromAgent', { id: 0, result: rows('late') })
      .line('fromAgent', { id: 19_999, result: rows('0') });
    const trace = await traceOf(text);
    assert.deepEqual([trace.lines.size, trace.unusable], [10_000, 10_000]);
    assert.equal(trace.pages[0]?.at(-1)?.title, 'Title 0');
  });
});
