import assert from 'node:assert/strict';
import { type KeptRecord, readRecord } from '../../../../src/model/kept/keptRecords';
import { KeptWork } from '../../../../src/model/kept/keptWork';
import { toSavedTranscript } from '../../../../src/model/kept/savedTranscript';
import type { Attachment } from '../../../../src/shared/transcript/prompt';
import { deferred } from '../../../../src/util/async';
import { until } from '../../../support/until';
import { session as info, silentLog } from '../fakes';
import { FakeTexts } from '../session/fakeTexts';
import {
  draft,
  lastOutcome,
  prompted,
  replays,
  type SessionBench,
  sessionBench,
} from '../sessionBench';

const day = 24 * 3_600_000;
const image = (kilobytes: number): Attachment => ({
  type: 'image',
  name: 'a.png',
  mimeType: 'image/png',
  data: 'A'.repeat(kilobytes * 1024),
});

interface Window extends SessionBench {
  readonly work: KeptWork;
  readonly texts: FakeTexts;
}

/** A window with the session `s0` open; `texts` has the work that it keeps. */
async function window(texts = new FakeTexts(), now = Date.now): Promise<Window> {
  const made = sessionBench((connection) => replays(connection, 'before'));
  const work = new KeptWork({ texts, sessions: made.sessions, log: silentLog, now });
  await work.read();
  return Object.assign(made, { work, texts });
}

/** Returns the window after a reload. */
async function reloaded({ work, texts }: Window): Promise<Window> {
  await work.end();
  return window(texts);
}

function records({ texts }: Window): KeptRecord[] {
  return [...texts.texts.values()].flatMap((text) => readRecord(text) ?? []);
}

function draftOf({ work }: Window): string {
  return work.getDraft('demo', 's0').draft.text;
}

describe('unsent text of the user', () => {
  it('a draft is there again after a reload, with what goes along; one that was sent is not', async () => {
    const before = await window();
    const attachments = [{ type: 'file', uri: 'file:///a', name: 'a' }] as const;
    before.work.setDraft(toSavedTranscript(before.session), {
      text: 'half a sentence',
      attachments,
    });
    const after = await reloaded(before);
    assert.deepEqual(after.work.getDraft('demo', 's0'), {
      draft: { text: 'half a sentence', attachments },
      left: 0,
    });
    after.work.setDraft(toSavedTranscript(after.session), draft(''));
    const last = await reloaded(after);
    assert.equal(draftOf(last), '');
    assert.equal(last.texts.texts.size, 0, 'nothing is kept of nothing');
  });

  it('is written soon after a change, not only at the end', async () => {
    const made = await window();
    made.work.setDraft(toSavedTranscript(made.session), draft('x'));
    await until(() => made.texts.texts.size === 1);
    made.work.dispose();
  });

  it('T-28, SEC-67: queued prompts come back held, in order, and only the user sends them', async () => {
    const before = await window();
    await prompted(before, 'first');
    before.session.turns.submit(draft('second'));
    before.session.turns.submit(draft('third'));
    const after = await reloaded(before);
    await after.session.load();
    assert.deepEqual(
      after.session.turns.queue.map(({ draft: { text }, held }) => [text, held]),
      [
        ['second', true],
        ['third', true],
      ],
    );
    assert.equal(after.session.isBusy, false);
    assert.deepEqual(after.connections[0]?.calls, ['load s0'], 'nothing is sent by itself');
    after.session.turns.sendQueued(after.session.turns.queue[1]!.id);
    await until(() => after.connections[0]?.prompts.length === 1);
    assert.equal(after.connections[0].calls.at(-1), 'prompt s0 third');
    after.session.turns.removeQueued(after.session.turns.queue[0]!.id);
    assert.deepEqual(after.session.turns.queue, []);
  });

  it('a turn that ran says that it was interrupted, below the history, and is offered again', async () => {
    const before = await window();
    await prompted(before, 'work');
    const after = await reloaded(before);
    assert.deepEqual(
      after.work.interrupted.map(({ sessionId }) => sessionId),
      ['s0'],
    );
    await after.session.load();
    const { entries } = after.session.transcript;
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ['agent', 'turn'],
    );
    const outcome = lastOutcome(after.session);
    assert.ok(outcome.type === 'failed' && outcome.canResend);
    assert.match(outcome.failure.title, /^Interrupted/);
    await after.session.reload();
    assert.equal(after.session.transcript.entries.length, 2, 'it is said once');
    after.session.turns.sendAgain(1);
    await until(() => after.connections[0]?.prompts.length === 1);
    assert.equal(after.connections[0]?.calls.at(-1), 'prompt s0 work');
    after.connections[0].prompts[0]!.resolve('end_turn');
    await until(() => after.session.turns.current.kind === 'idle');
    const last = await reloaded(after);
    assert.deepEqual(last.work.interrupted, []);
    assert.equal(last.texts.texts.size, 0);
  });

  it('an interrupted turn is reported until it was seen, and offered until a prompt is sent', async () => {
    const before = await window();
    await prompted(before, 'work');
    const first = await reloaded(before);
    assert.ok(first.work.isInterrupted('demo', 's0'));
    first.work.see('demo', 's0');
    assert.ok(!first.work.isInterrupted('demo', 's0'));
    const second = await reloaded(first);
    assert.deepEqual(second.work.interrupted, []);
    await second.session.load();
    assert.equal(lastOutcome(second.session).type, 'failed');
    await prompted(second, 'something else');
    const { unfinished } = second.session.turns;
    assert.deepEqual(unfinished.running, draft('something else'));
    assert.equal(unfinished.interrupted, undefined);
  });

  it('a prompt that was not sent yet comes back as not sent, and not as interrupted', async () => {
    const go = deferred<undefined>();
    const before = sessionBench((connection) => {
      connection.replay = () => go.promise;
    });
    const texts = new FakeTexts();
    const work = new KeptWork({ texts, sessions: before.sessions, log: silentLog });
    await work.read();
    before.session.turns.submit(draft('waits for the load'));
    await until(() => before.connections[0]?.loads.length === 1);
    await work.end();
    const after = await window(texts);
    assert.deepEqual(after.work.interrupted, []);
    assert.deepEqual(
      after.session.turns.queue.map((queued) => queued.draft.text),
      ['waits for the load'],
    );
    go.resolve(undefined);
    await until(() => before.connections[0]?.prompts.length === 1);
  });

  it('what the end of the window does to the sessions is not noted', async () => {
    const before = await window();
    const { connection } = await prompted(before, 'work');
    before.session.turns.submit(draft('waits'));
    const end = before.work.end();
    connection.die();
    await end;
    await until(() => before.session.turns.current.kind === 'idle');
    const [kept] = records(before);
    assert.deepEqual(kept?.unfinished, draft('work'));
    assert.deepEqual(kept.queue, [draft('waits')]);
  });

  it('CLOSE-4: a turn stopped by closing the session isn’t interrupted, and waiting prompts aren’t lost', async () => {
    const made = await window();
    await prompted(made, 'work');
    made.session.turns.submit(draft('waits'));
    await made.session.close();
    const again = made.sessions.open(made.agent, info('s0'));
    await again.load();
    assert.deepEqual(
      again.turns.queue.map((queued) => [queued.draft.text, queued.held]),
      [['waits', true]],
    );
    assert.equal(again.turns.unfinished.interrupted, undefined);
  });

  it('DEL-5: so does deleting it before the stored text is read', async () => {
    const before = await window();
    before.work.setDraft(toSavedTranscript(before.session), draft('a draft'));
    await before.work.end();
    const made = sessionBench((connection) => replays(connection, 'before'));
    const gate = deferred<undefined>();
    const { texts } = before;
    const readAll = texts.readAll.bind(texts);
    texts.readAll = () => gate.promise.then(() => readAll());
    const work = new KeptWork({ texts, sessions: made.sessions, log: silentLog });
    const reading = work.read();
    await made.session.load();
    await made.sessions.delete(made.agent, made.session.info);
    gate.resolve(undefined);
    await reading;
    await until(() => texts.texts.size === 0);
    assert.equal(work.getDraft('demo', 's0').draft.text, '');
    work.dispose();
  });

  it('DEL-5, SEC-68: deleting a session deletes its unsent text', async () => {
    const made = await window();
    made.work.setDraft(toSavedTranscript(made.session), draft('a draft'));
    await prompted(made, 'work');
    made.session.turns.submit(draft('waits'));
    await until(() => made.texts.texts.size === 1);
    await made.sessions.delete(made.agent, made.session.info);
    await until(() => made.texts.texts.size === 0);
    assert.equal(draftOf(made), '');
  });
});

describe('the bounds of the kept text', () => {
  it('SEC-106: at most a megabyte per session is kept: texts first, and missing parts are counted', async () => {
    const before = await window();
    await prompted(before, 'work');
    before.session.turns.submit({ text: 'waits', attachments: [image(400)] });
    const attachments = [image(700), image(500)];
    before.work.setDraft(toSavedTranscript(before.session), { text: 'look', attachments });
    const after = await reloaded(before);
    for (const text of after.texts.texts.values()) {
      assert.ok(Buffer.byteLength(text) <= 1024 * 1024 + 2_000);
    }
    const { draft: kept, left } = after.work.getDraft('demo', 's0');
    assert.equal(kept.text, 'look');
    assert.deepEqual(kept.attachments, [image(700)]);
    assert.equal(left, 2, 'an image of the draft and one of the queue');
    assert.equal(after.session.turns.queue[0]?.draft.text, 'waits');
  });

  it('SEC-106: at most ten megabytes are kept in total: the least recently changed go first', async () => {
    const made = await window();
    for (let at = 0; at < 14; at++) {
      const saved = { ...toSavedTranscript(made.session), sessionId: `s${at}` };
      made.work.setDraft(saved, { text: `draft ${at}`, attachments: [image(800)] });
    }
    await made.work.end();
    const kept = records(made).map(({ saved }) => saved.sessionId);
    assert.ok(kept.length < 14 && kept.length > 8, `${kept.length}`);
    assert.ok(kept.includes('s13'));
    assert.ok(!kept.includes('s0'));
  });

  it('an interrupted turn that is not kept any more is not told of either', async () => {
    const before = await window();
    await prompted(before, 'work');
    const made = await reloaded(before);
    let changes = 0;
    made.work.onDidChange(() => changes++);
    for (let at = 1; at <= 200; at++) {
      made.work.setDraft({ ...toSavedTranscript(made.session), sessionId: `s${at}` }, draft('x'));
    }
    assert.ok(made.work.isInterrupted('demo', 's0'));
    await made.work.end();
    assert.ok(!made.work.isInterrupted('demo', 's0'));
    assert.equal(changes, 1);
  });

  it('SEC-106: records untouched for 90 days are removed, as are unreadable ones', async () => {
    const old = await window(new FakeTexts(), () => Date.now() - 91 * day);
    old.work.setDraft(toSavedTranscript(old.session), draft('long ago'));
    await old.work.end();
    const { texts } = old;
    for (let ago = 90; ago > 0; ago--) {
      const seen = await window(texts, () => Date.now() - ago * day);
      assert.equal(draftOf(seen), 'long ago', `${ago} days ago`);
      await seen.work.end();
    }
    for (const [name, text] of Object.entries({
      a: 'no JSON',
      b: '{}',
      c: JSON.stringify({ version: 1, saved: toSavedTranscript(old.session), time: 'today' }),
      d: JSON.stringify({ version: 99 }),
    })) {
      texts.texts.set(name, text);
    }
    const after = await reloaded(old);
    assert.equal(draftOf(after), '');
    await after.work.end();
    assert.equal(texts.texts.size, 0);
  });

  it('SEC-142: records stay whatever the clock says, until 90 days were seen to begin', async () => {
    const before = await window();
    before.work.setDraft(toSavedTranscript(before.session), draft('just now'));
    await before.work.end();
    for (const years of [0, 10, 20, 20, 0, 30]) {
      const made = await window(before.texts, () => Date.now() + years * 365 * day);
      assert.equal(draftOf(made), 'just now', `${years} years`);
      await made.work.end();
    }
  });

  it('SEC-69: parts that can’t be read are left out, and the rest is there', async () => {
    const texts = new FakeTexts();
    const saved = {
      agentId: 'demo',
      sessionId: 's0',
      cwd: '/',
      title: '',
      additionalDirectories: [],
    };
    const queue = [draft('good'), { text: 5 }, null];
    const unfinished = { text: 'x', attachments: [{ type: 'evil' }] };
    const record = {
      version: 1,
      saved,
      time: Date.now(),
      draft: 'bad',
      queue,
      unfinished,
      left: -1,
    };
    texts.texts.set('a', JSON.stringify(record));
    const made = await window(texts);
    assert.deepEqual(made.work.getDraft('demo', 's0'), { draft: draft(''), left: 0 });
    assert.deepEqual(
      made.session.turns.queue.map((queued) => queued.draft.text),
      ['good'],
    );
    assert.deepEqual(made.work.interrupted, []);
  });

  it('SEC-68: a failing disk is reported once, without the text', async () => {
    const texts = new FakeTexts();
    texts.failing = true;
    const warned: string[] = [];
    const made = sessionBench();
    const log = { ...silentLog, warn: (text: string) => warned.push(text) };
    const work = new KeptWork({ texts, sessions: made.sessions, log });
    await work.read();
    work.setDraft(toSavedTranscript(made.session), draft('secret'));
    work.setDraft({ ...toSavedTranscript(made.session), sessionId: 'x' }, draft('secret'));
    await work.end();
    assert.equal(warned.length, 1);
    assert.doesNotMatch(warned[0]!, /secret/);
  });
});
