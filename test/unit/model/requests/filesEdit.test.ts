import assert from 'node:assert/strict';
import path from 'node:path';
import {
  type FilesEdit,
  maxEdited,
  maxEditedFiles,
  PartlyWrittenError,
} from '../../../../src/model/requests/filesEdit';
import { AcpError } from '../../../../src/protocol/errors';
import { until } from '../../../support/until';
import { acting, file, never, refused } from './consentBench';

type Bench = Awaited<ReturnType<typeof acting>>;

async function editing(): Promise<
  Bench & { readonly edit: (...names: string[]) => Promise<void> }
> {
  const bench = await acting();
  for (const name of ['a', 'b', 'c']) {
    bench.disk.set(file(name), `old ${name}\r\n`);
  }
  return {
    ...bench,
    edit: (...names) => bench.session.acts.edit(renaming(names), never),
  };
}

function renaming(names: readonly string[]): FilesEdit {
  return {
    title: 'Rename old to new',
    files: names.map((name) => ({
      path: file(name),
      oldText: `old ${name}\n`,
      newText: `new ${name}\n`,
    })),
  };
}

const because = (reason: string) => (error: unknown) =>
  error instanceof AcpError && error.facts.reason === reason;

describe('an edit of several files', () => {
  it('SEC-220: is one question with a diff of each file, and one yes writes them all', async () => {
    const { edit, answer, disk, asked } = await editing();
    const done = edit('a', 'b');
    const entry = await answer('allow_once');
    await done;
    assert.deepEqual([disk.get(file('a')), disk.get(file('b'))], ['new a\n', 'new b\n']);
    assert.deepEqual(entry.own, { act: 'edit' });
    assert.equal(entry.toolCall.title, 'Rename old to new');
    assert.deepEqual(entry.toolCall.content, [
      { type: 'diff', path: file('a'), oldText: 'old a\n', newText: 'new a\n' },
      { type: 'diff', path: file('b'), oldText: 'old b\n', newText: 'new b\n' },
    ]);
    assert.equal(asked().length, 1);
    const again = edit('c');
    await answer('allow_always');
    await again;
    disk.set(file('a'), 'old a\n');
    await edit('a');
    assert.equal(asked().length, 2, 'allowed for the session');
  });

  it('SEC-220: nothing is written without a yes', async () => {
    const { edit, answer, disk, session, prompt, waiting } = await editing();
    const done = edit('a', 'b');
    await answer('reject_once');
    await assert.rejects(done, refused);
    for (const end of ['abort', 'cancel', 'close'] as const) {
      const abort = new AbortController();
      const refusing = assert.rejects(
        session.acts.edit(renaming(['a', 'b']), abort.signal),
        refused,
        end,
      );
      await until(() => waiting() !== undefined);
      if (end === 'abort') {
        abort.abort();
      } else if (end === 'cancel') {
        session.turns.cancel();
        prompt.resolve('cancelled');
        await until(() => session.turns.current.kind === 'idle');
      } else {
        void session.close();
      }
      await refusing;
    }
    assert.equal(disk.get(file('a')), 'old a\r\n');
  });

  it('SEC-220: one file that a rule rejects rejects them all, and all must be allowed for none to be asked about', async () => {
    const { edit, made, asked, disk, answer } = await editing();
    let rulings: Readonly<Record<string, 'allow' | 'allowOne' | 'reject'>> = {};
    made.decide = (_agent, _kind, act) =>
      act.type === 'write' ? rulings[path.basename(act.file)] : undefined;
    rulings = { a: 'allow', b: 'reject', c: 'allowOne' };
    await assert.rejects(edit('a', 'b', 'c'), because('refusedByRule'));
    assert.equal(disk.get(file('a')), 'old a\r\n');
    await edit('a', 'c');
    assert.equal(disk.get(file('c')), 'new c\n');
    assert.ok(asked().every(({ state }) => state.kind === 'selected' && state.by === 'rule'));
    rulings = { a: 'allow' };
    disk.set(file('a'), 'old a\n');
    const done = edit('a', 'b');
    await answer('allow_once');
    await done;
  });

  it('SEC-220: a text that changes before the answer isn’t overwritten, and nothing else is written', async () => {
    const { edit, answer, disk, asked } = await editing();
    const done = edit('a', 'b');
    await until(() => asked().length === 1);
    disk.set(file('b'), 'old b\nof the user\n');
    await answer('allow_once');
    await assert.rejects(done, because('changedMeanwhile'));
    assert.equal(disk.get(file('a')), 'old a\r\n');
    await assert.rejects(edit('b'), because('changedMeanwhile'));
    assert.equal(asked().length, 1, 'no question about a text that isn’t there');
  });

  it('SEC-220: of two edits that were made of one text, only the first is written', async () => {
    const { edit, answer, disk, asked, made } = await editing();
    const both = Promise.allSettled([edit('a', 'b'), edit('b')]);
    await answer('allow_once');
    await until(() => asked().length === 2);
    await answer('allow_once');
    assert.equal((await both).filter(({ status }) => status === 'fulfilled').length, 1);
    made.decide = () => 'allow';
    disk.set(file('c'), 'old c\n');
    const ruled = await Promise.allSettled([edit('c'), edit('c')]);
    assert.equal(ruled.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('says how many files are written when a later one can’t be', async () => {
    const { edit, answer, disk, made } = await editing();
    made.writeProtected.add(file('b'));
    const done = edit('a', 'b', 'c');
    await answer('allow_once');
    await assert.rejects(
      done,
      (error) => error instanceof PartlyWrittenError && error.written === 1,
    );
    assert.deepEqual(
      ['a', 'b', 'c'].map((name) => disk.get(file(name))),
      ['new a\n', 'old b\r\n', 'old c\r\n'],
    );
    const first = edit('b', 'c');
    await answer('allow_once');
    await assert.rejects(first, (error) => !(error instanceof PartlyWrittenError));
  });

  it('SEC-220: a file outside the folders, behind a link, or named twice is refused without a question', async () => {
    const { session, made, asked, disk, edit } = await editing();
    const outside = { path: '/etc/passwd', oldText: 'x', newText: 'y' };
    disk.set('/etc/passwd', 'x');
    const more = { ...renaming(['a']), files: [...renaming(['a']).files, outside] };
    await assert.rejects(session.acts.edit(more, never), because('outsideFolders'));
    made.realPaths.get = (it) => (it === file('b') ? '/etc/passwd' : it);
    await assert.rejects(edit('a', 'b'), because('outsideFolders'));
    made.realPaths.get = (it) => (it === file('b') ? file('a') : it);
    await assert.rejects(edit('a', 'b'), because('invalidParams'));
    assert.deepEqual(asked(), []);
    assert.deepEqual([disk.get(file('a')), disk.get('/etc/passwd')], ['old a\r\n', 'x']);
  });

  it('SEC-220: a link that is laid while the user is asked is noticed', async () => {
    const { edit, made, answer, asked, disk } = await editing();
    const done = edit('a');
    await until(() => asked().length === 1);
    disk.set('/etc/a', 'old a\n');
    made.realPaths.get = (it) => (it === file('a') ? '/etc/a' : it);
    await answer('allow_once');
    await assert.rejects(done, AcpError);
    assert.deepEqual([disk.get(file('a')), disk.get('/etc/a')], ['old a\r\n', 'old a\n']);
  });

  it('SEC-220: what can’t be looked through is refused: twice the files, twice the text', async () => {
    const { session, asked } = await editing();
    const many = Array.from({ length: 2 * maxEditedFiles }, (_, at) => `f${at}`);
    await assert.rejects(session.acts.edit(renaming(many), never), because('invalidParams'));
    await assert.rejects(
      session.acts.edit(renaming(many.slice(0, maxEditedFiles + 1)), never),
      because('invalidParams'),
    );
    await assert.rejects(session.acts.edit(renaming([]), never), because('invalidParams'));
    const newText = 'x'.repeat(2 * maxEdited);
    const long = { title: '', files: [{ path: file('a'), oldText: 'old a\n', newText }] };
    await assert.rejects(session.acts.edit(long, never), because('invalidParams'));
    assert.deepEqual(asked(), []);
  });
});
