import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { RecordedReview } from '../../../../src/model/review/recordedReview';
import { Recorder } from '../../../../src/model/review/recorder';
import { StoredReviews } from '../../../../src/model/review/storedReviews';
import type { TurnRecorder } from '../../../../src/model/review/turnRecorder';
import type { Diff, ToolKind } from '../../../../src/shared/transcript/content';
import type { ToolCallEntry } from '../../../../src/shared/transcript/entries';
import { deferred } from '../../../../src/util/async';
import { DiskFiles } from '../../../support/diskFiles';
import { FolderCheckpoints } from '../../../support/folderCheckpoints';
import { MemoryBlobs } from '../../../support/memoryBlobs';
import { until } from '../../../support/until';

const ten = '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n';
const with_ = (changes: Readonly<Record<number, string>>): string =>
  ten.replace(/\d+/g, (line) => changes[Number(line)] ?? line);

describe('Recording turns', () => {
  let folder: string;
  let files: DiskFiles;
  let checkpoints: FolderCheckpoints;
  let reviews: StoredReviews;
  let recorder: Recorder;
  let session: TurnRecorder;
  const warnings: string[] = [];

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'acp-recorder-')));
    files = new DiskFiles();
    checkpoints = new FolderCheckpoints();
    const log = { warn: (text: string) => void warnings.push(text) };
    const blobs = new MemoryBlobs();
    reviews = new StoredReviews({
      ...{ folder: at('.store'), files, log, blobs: () => blobs },
      places: () => Promise.resolve([folder]),
    });
    recorder = new Recorder({
      ...{ reviews, checkpoints, files, log, limits: { promptMs: 10_000, betweenMs: 1 } },
      realPath: (it) => Promise.resolve(it),
    });
    session = sessionOf('s');
  });

  afterEach(() => {
    recorder.dispose();
    reviews.dispose();
    fs.rmSync(folder, { recursive: true, force: true });
    assert.deepEqual(warnings.splice(0), []);
  });

  const at = (name: string): string => path.join(folder, name);
  const sessionOf = (sessionId: string): TurnRecorder =>
    recorder.of({ agentId: 'a', sessionId, folders: [folder] });
  const write = (name: string, text: string): void => fs.writeFileSync(at(name), text);
  const writing = (name: string, text: string) => (): Promise<void> =>
    fs.promises.writeFile(at(name), text);
  const text = (name: string): string => fs.readFileSync(at(name), 'utf8');
  const review = (sessionId = 's'): RecordedReview => reviews.of('a', sessionId) as RecordedReview;
  const pending = (sessionId = 's'): readonly string[] =>
    review(sessionId).pending.map(({ file }) => path.relative(folder, file));

  async function save(name: string, content: string): Promise<void> {
    const before = fs.existsSync(at(name)) ? fs.readFileSync(at(name)) : undefined;
    write(name, content);
    await recorder.saved({ file: at(name), before, after: Buffer.from(content) });
  }

  /** Everything up to the end of the turn is recorded. */
  async function end(turn = session, sessionId = 's'): Promise<void> {
    turn.end();
    await until(() => review(sessionId).running === undefined);
  }

  function call(
    toolKind: ToolKind,
    { diffs = [], places = [] }: { diffs?: readonly Diff[]; places?: readonly string[] } = {},
  ): ToolCallEntry {
    return {
      ...{ kind: 'toolCall', toolCallId: `${diffs.length} ${places.join()}`, title: '', toolKind },
      status: 'completed',
      content: diffs,
      locations: places.map((place) => ({ path: place })),
    } as unknown as ToolCallEntry;
  }

  const diff = (name: string, oldText: string | null, newText: string): Diff => ({
    type: 'diff',
    path: path.resolve(folder, name),
    oldText,
    newText,
  });

  it('what a command changes, adds and deletes, and reports nothing of', async () => {
    write('a', ten);
    write('gone', 'x');
    await session.begin('Do it');
    write('a', with_({ 2: 'two' }));
    write('new', 'n');
    fs.rmSync(at('gone'));
    await end();
    assert.deepEqual(
      review().pending.map(({ kind, file }) => [kind, path.relative(folder, file)]),
      [
        ['modified', 'a'],
        ['deleted', 'gone'],
        ['added', 'new'],
      ],
    );
    assert.deepEqual(
      review().turns.map(({ turn, prompt, state, isLate, incomplete }) => [
        ...[turn, prompt, state, isLate, incomplete],
      ]),
      [[1, 'Do it', 'pending', undefined, undefined]],
    );
    await review().undo({ type: 'all' });
    assert.deepEqual([text('a'), text('gone'), fs.existsSync(at('new'))], [ten, 'x', false]);
  });

  it('a write through us is exact, and there at once', async () => {
    write('a', ten);
    await session.begin('Do it');
    await session.write(at('a'), () => {
      write('a', with_({ 2: 'two' }));
      // Documents that are saved for the agent are reported like those of the user.
      return recorder.saved({
        ...{ file: at('a'), before: Buffer.from(ten), after: Buffer.from(with_({ 2: 'two' })) },
      });
    });
    assert.deepEqual(pending(), ['a']);
    assert.equal(review().pending[0]?.isMixed, false);
    await end();
    await review().undo({ type: 'all' });
    assert.equal(text('a'), ten);
  });

  it('a write that fails changes nothing, and its error arrives', async () => {
    await session.begin('Do it');
    const failing = session.write(at('a'), () => Promise.reject(new Error('disk full')));
    await assert.rejects(failing, /disk full/);
    await end();
    assert.deepEqual(pending(), []);
  });

  it('what the user saves in an editor during a turn isn’t the agent’s', async () => {
    write('a', ten);
    write('b', ten);
    await session.begin('Do it');
    await save('a', with_({ 2: 'mine' }));
    write('b', with_({ 2: 'two' }));
    await save('b', with_({ 2: 'two', 9: 'mine' }));
    await end();
    assert.deepEqual(pending(), ['b']);
    assert.equal(await review().baseline(at('b')), with_({ 9: 'mine' }));
    await review().undo({ type: 'all' });
    assert.deepEqual([text('a'), text('b')], [with_({ 2: 'mine' }), with_({ 9: 'mine' })]);
  });

  it('the agent’s changes after and before a save of the user are told apart from it', async () => {
    write('a', ten);
    await session.begin('Do it');
    write('a', with_({ 2: 'two' }));
    await session.write(at('b'), writing('b', 'b'));
    await save('a', with_({ 2: 'two', 5: 'mine' }));
    await review().refresh();
    write('a', with_({ 2: 'two', 5: 'mine', 9: 'nine' }));
    await end();
    await review().undo({ type: 'all' });
    assert.equal(text('a'), with_({ 5: 'mine' }));
  });

  it('what changes between turns is the user’s', async () => {
    write('a', ten);
    await session.begin('First');
    write('a', with_({ 2: 'two' }));
    await end();
    write('a', with_({ 2: 'two', 5: 'mine' }));
    await session.begin('Second');
    write('a', with_({ 2: 'two', 5: 'mine', 9: 'nine' }));
    await end();
    assert.deepEqual(review().pending[0]?.turns, [1, 2]);
    await review().undo({ type: 'turn', turn: 2 });
    assert.equal(text('a'), with_({ 2: 'two', 5: 'mine' }));
    await save('a', with_({ 2: 'two', 5: 'mine', 7: 'more' }));
    await review().undo({ type: 'all' });
    assert.equal(text('a'), with_({ 5: 'mine', 7: 'more' }));
  });

  it('during a turn its changes appear after completed calls, and by a refresh', async () => {
    write('a', ten);
    await session.begin('Do it');
    write('a', with_({ 2: 'two' }));
    session.completed(call('execute'));
    await until(() => review().pending.length === 1);
    write('b', 'b');
    const { taken } = checkpoints;
    session.completed(call('read', { places: ['/x'] }));
    assert.equal(checkpoints.taken, taken);
    await review().refresh();
    assert.deepEqual(pending(), ['a', 'b']);
    await end();
  });

  it('a slow checkpoint doesn’t hold the prompt, and the turn says so', async () => {
    recorder = new Recorder({
      ...{ reviews, checkpoints, files, log: { warn: (it) => void warnings.push(it) } },
      ...{ limits: { promptMs: 1, betweenMs: 1 }, realPath: (it) => Promise.resolve(it) },
    });
    session = sessionOf('s');
    const gate = deferred<undefined>();
    checkpoints.gate = gate.promise;
    await session.begin('Do it');
    gate.resolve(undefined);
    await until(() => reviews.all.length === 1);
    await until(() => review().record.state.lastTurn === 1);
    await review().refresh();
    write('a', 'x');
    await end();
    assert.equal(review().turns[0]?.isLate, true);
  });

  describe('of sessions at the same time', () => {
    it('what only one of them reported is that one’s, and the rest is everyone’s', async () => {
      const other = sessionOf('t');
      await session.begin('One');
      await other.begin('Two');
      write('a', 'a');
      write('b', 'b');
      write('c', 'c');
      session.completed(call('edit', { places: [at('a')] }));
      other.completed(call('edit', { diffs: [diff('b', null, 'b')] }));
      await end();
      await end(other, 't');
      assert.deepEqual(
        [pending('s'), pending('t')],
        [
          ['a', 'c'],
          ['b', 'c'],
        ],
      );
    });

    it('what another one changes in a file of both isn’t undone with this one’s', async () => {
      write('a', ten);
      const other = sessionOf('t');
      await session.begin('One');
      await session.write(at('a'), writing('a', with_({ 2: 'two' })));
      await end();
      await other.begin('Two');
      await other.write(at('a'), writing('a', with_({ 2: 'two', 9: 'nine' })));
      await end(other, 't');
      await review('s').undo({ type: 'all' });
      assert.equal(text('a'), with_({ 9: 'nine' }));
      await review('t').undo({ type: 'all' });
      assert.equal(text('a'), ten);
    });
  });

  describe('without checkpoints', () => {
    beforeEach(() => {
      checkpoints.no = 'noGit';
    });

    it('diffs are found in the files, and the turn says that it is incomplete', async () => {
      write('a', ten);
      write('b', ten);
      await session.begin('Do it');
      write('a', with_({ 2: 'two' }));
      write('b', with_({ 2: 'two', 3: 'three' }));
      write('c', 'unreported');
      session.completed(call('edit', { diffs: [diff('a', ten, with_({ 2: 'two' }))] }));
      session.completed(
        call('edit', { diffs: [diff('b', '2\n', 'two\n'), diff('b', '3\n4\n', 'three\n4\n')] }),
      );
      await end();
      assert.deepEqual(pending(), ['a', 'b']);
      assert.equal(review().turns[0]?.incomplete, 'noGit');
      await review().undo({ type: 'all' });
      assert.deepEqual([text('a'), text('b')], [ten, ten]);
    });

    it('a diff that fits in two places, or nowhere, is no change', async () => {
      write('a', 'x\nx\n');
      write('b', 'y\n');
      await session.begin('Do it');
      session.completed(call('edit', { diffs: [diff('a', 'z\n', 'x\n')] }));
      session.completed(call('edit', { diffs: [diff('b', 'q\n', 'r\n'), diff('b', 'q', 'r')] }));
      await end();
      assert.deepEqual(pending(), []);
    });

    it('what was written through us isn’t counted again by its diff', async () => {
      write('a', ten);
      await session.begin('Do it');
      await session.write(at('a'), writing('a', with_({ 2: 'two' })));
      session.completed(call('edit', { diffs: [diff('a', '2\n', 'two\n')] }));
      await end();
      assert.deepEqual(
        review().turns.map(({ added, removed }) => [added, removed]),
        [[1, 1]],
      );
    });

    it('paths that lead to other machines or through folders aren’t looked at', async () => {
      const looked: string[] = [];
      const look = files.look.bind(files);
      files.look = (file) => {
        looked.push(file);
        return look(file);
      };
      await session.begin('Do it');
      const hostile = ['//host/share/f', '\\\\host\\share', 'relative', `${folder}/../x`, '/a\0b'];
      const diffs = hostile.map((it): Diff => ({ ...diff('a', null, 'x'), path: it }));
      session.completed(call('edit', { diffs, places: hostile }));
      await end();
      assert.deepEqual(looked, []);
    });
  });

  it('a diff outside of the folders is shown as outside', async () => {
    const outside = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'acp-outside-')));
    const file = path.join(outside, 'f');
    fs.writeFileSync(file, 'two\n');
    await session.begin('Do it');
    session.completed(call('edit', { diffs: [{ ...diff('f', '2\n', 'two\n'), path: file }] }));
    await end();
    assert.deepEqual(
      review().pending.map((it) => [it.file, it.isOutside]),
      [[file, true]],
    );
    await review().undo({ type: 'all' });
    assert.equal(fs.readFileSync(file, 'utf8'), 'two\n');
    fs.rmSync(outside, { recursive: true });
  });

  it('trouble with checkpoints and the record is never in the way of a turn', async () => {
    checkpoints.take = () => Promise.reject(new Error('broken'));
    await session.begin('Do it');
    await session.write(at('a'), writing('a', 'x'));
    assert.deepEqual([pending(), review().turns[0]?.incomplete], [['a'], 'failed']);
    files.look = () => Promise.reject(new Error('broken, too'));
    session.completed(call('edit', { diffs: [diff('a', null, 'x')] }));
    fs.rmSync(at('.store'), { recursive: true });
    fs.writeFileSync(at('.store'), 'in the way');
    await session.write(at('b'), writing('b', 'y'));
    await end();
    await session.begin('Go on');
    await end();
    assert.deepEqual([text('a'), text('b')], ['x', 'y']);
    assert.ok(warnings.splice(0).length > 0);
  });
});
