import assert from 'node:assert/strict';
import {
  type Comment,
  maxCommentBytes,
  maxComments,
  maxSaid,
  readComments,
  writeComments,
} from '../../../../../src/features/comments/model/comment';
import { CommentStore } from '../../../../../src/features/comments/model/commentStore';
import type { SessionRef } from '../../../../../src/shared/sessionRef';
import { Emitter } from '../../../../../src/util/emitter';
import { silentLog } from '../../../model/fakes';
import { FakeTexts } from '../../../model/session/fakeTexts';

const saved = {
  ...{ agentId: 'fake', sessionId: 's1', cwd: '/w', title: 'The first' },
  additionalDirectories: [],
};
const written = { file: '/w/a.ts', first: 1, last: 2, text: 'b\nc', said: ['Why?'] };

describe('CommentStore', () => {
  const deleted = new Emitter<SessionRef>();
  const create = (texts: FakeTexts): CommentStore =>
    new CommentStore({ texts, sessions: { onDidDelete: deleted.event }, log: silentLog });
  const add = (store: CommentStore, more: Partial<Comment> = {}, session = saved): boolean =>
    store.add(session, { ...written, ...more }, () => undefined);

  const ids = (store: CommentStore): [string, string] =>
    store.of(saved).map(({ id }) => id) as [string, string];

  it('keeps comments for the next window', async () => {
    const texts = new FakeTexts();
    const store = create(texts);
    await store.read();
    assert.ok(add(store));
    assert.ok(add(store, { document: 'acp-review:/w/a.ts?x', isBefore: true }));
    const [first, second] = ids(store);
    store.replace(saved, { id: first, ...written, state: 'sent', began: 5, sentText: 'x' });
    store.remove(saved, second);
    assert.ok(add(store));
    await store.end();
    const next = create(texts);
    await next.read();
    assert.deepEqual(next.all, store.all);
    assert.deepEqual(
      next.of(saved).map(({ state }) => state),
      ['sent', 'unsent'],
    );
  });

  it('keeps what two windows write at once, and what one deletes stays deleted', async () => {
    const texts = new FakeTexts();
    const one = create(texts);
    add(one);
    add(one, { said: ['And this?'] });
    await one.end();
    const other = create(texts);
    await other.read();
    const [first, second] = ids(one);
    add(one, { said: ['By the one'] });
    add(other, { said: ['By the other'] });
    one.replace(saved, { id: first, ...written, state: 'sent', began: 5 });
    other.remove(saved, second);
    await one.end();
    await other.end();
    add(one, { said: ['Later'] });
    await one.end();
    const next = create(texts);
    await next.read();
    assert.deepEqual(next.all, one.all);
    assert.deepEqual(
      next
        .of(saved)
        .map(({ said, state }) => `${said.join()} ${state}`)
        .sort(),
      ['By the one unsent', 'By the other unsent', 'Later unsent', 'Why? sent'],
    );
    assert.equal(new Set(ids(next)).size, 4);
  });

  it('loses nothing that two windows write at the very same time', async () => {
    const texts = new FakeTexts();
    const [one, other] = [create(texts), create(texts)];
    await Promise.all([one.read(), other.read()]);
    add(one, { said: ['By the one'] });
    add(other, { said: ['By the other'] });
    await Promise.all([one.end(), other.end()]);
    const next = create(texts);
    await next.read();
    assert.deepEqual(
      next
        .of(saved)
        .map(({ said }) => said.join())
        .sort(),
      ['By the one', 'By the other'],
    );
  });

  it('reads again what another window has written and deleted, and keeps what isn’t written yet', async () => {
    const texts = new FakeTexts();
    const [one, other] = [create(texts), create(texts)];
    await Promise.all([one.read(), other.read()]);
    add(one);
    await one.end();
    assert.equal(await other.readAgain(), true);
    assert.deepEqual(other.of(saved), one.of(saved));
    assert.equal(await other.readAgain(), false);
    const [first] = ids(one);
    one.remove(saved, first);
    await one.end();
    assert.equal(await other.readAgain(), true);
    assert.deepEqual(other.of(saved), []);
    add(one);
    await one.end();
    add(other, { said: ['Not written yet'] });
    await other.readAgain();
    await other.end();
    assert.deepEqual(
      other
        .of(saved)
        .map(({ said }) => said.join())
        .sort(),
      ['Not written yet', 'Why?'],
    );
  });

  it('forgets a session that is deleted, also before it has read, and what has no comments', async () => {
    const texts = new FakeTexts();
    const store = create(texts);
    add(store);
    await store.end();
    assert.equal(texts.texts.size, 1);
    const next = create(texts);
    deleted.fire(saved);
    await next.read();
    await new Promise(setImmediate);
    await next.end();
    assert.deepEqual([next.all.length, texts.texts.size], [0, 0]);
  });

  it('goes on when nothing can be stored', async () => {
    const texts = new FakeTexts();
    texts.failing = true;
    const store = create(texts);
    add(store);
    await store.end();
    assert.equal(store.of(saved).length, 1);
  });

  it('keeps so many of a session, and of all, and takes no more bytes than it says', () => {
    const store = create(new FakeTexts());
    for (let index = 0; index < 2 * maxComments; index += 1) {
      assert.equal(add(store), index < maxComments);
    }
    for (let session = 2; session <= 10; session += 1) {
      for (let index = 0; index < maxComments; index += 1) {
        add(store, {}, { ...saved, sessionId: `s${session}` });
      }
    }
    assert.equal(store.all.flatMap(({ comments }) => comments).length, 1000);
    const large = create(new FakeTexts());
    const said = Array.from({ length: 20 }, () => 'x'.repeat(maxSaid));
    let kept = 0;
    while (add(large, { said })) {
      kept += 1;
    }
    assert.equal(kept, 2, 'of 400,000 characters each');
    assert.ok(kept * 400_000 <= maxCommentBytes);
    assert.equal(add(large, { said: ['x'.repeat(2 * maxSaid)] }), false);
  });

  it('reads only what is a comment, and no more than its bounds', () => {
    const comment: Comment = { ...written, id: '1', state: 'unsent' };
    const read = (value: unknown): readonly Comment[] | undefined =>
      readComments(JSON.stringify({ saved, comments: [value] }))?.comments;
    assert.deepEqual(read(comment), [comment]);
    for (const wrong of [
      null,
      { ...comment, id: '../1' },
      { ...comment, first: -1 },
      { ...comment, first: 3 },
      { ...comment, said: [] },
      { ...comment, state: 'other' },
    ]) {
      assert.deepEqual(read(wrong), []);
    }
    // A document of another window would be another text by now.
    assert.deepEqual(read({ ...comment, document: 'acp-session:/a.ts?3' }), [comment]);
    const long = read({ ...comment, said: ['x'.repeat(2 * maxSaid)], text: 'y\n'.repeat(10_000) });
    const [kept] = long ?? [];
    assert.equal(kept?.said[0]?.length, maxSaid);
    assert.ok(kept.text.length <= 10_000);
    assert.equal(readComments('no'), undefined);
    const many = Array.from({ length: 2 * maxComments }, (_, index) => ({
      ...comment,
      id: String(index),
    }));
    const text = writeComments({ saved, comments: many });
    assert.equal(readComments(text)?.comments.length, maxComments);
  });
});
