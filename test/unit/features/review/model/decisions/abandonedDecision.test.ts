import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { recordFolder } from '../../../../../../src/features/review/model/recordFolders';
import type { InterruptedDecision } from '../../../../../../src/features/review/model/review';
import { StoredReviews } from '../../../../../../src/features/review/model/storedReviews';
import { DiskFiles } from '../../../../../support/diskFiles';
import { FolderBlobs } from '../../../../../support/folderBlobs';
import { inProject } from '../../../../../support/project';
import { removeTemporary, temporaryFile } from '../../../../../support/temporary';

const program = inProject('out/unit/features/review/model/undoAll.main.mjs');
const count = 56;
/** Set it to repeat a run that failed. */
const seed = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 1e6));
const absent = { kind: 'absent' } as const;

describe('A decision that is interrupted', () => {
  let folder: string;
  let windows: StoredReviews[];
  let files: DiskFiles;
  const session = (): string => recordFolder(folder, '/work', ['a', 's']);
  const file = (at: number): string => temporaryFile(path.join('work', `f${at}`));

  /** What the agent's file was before; every third didn't exist, and every fourth was deleted. */
  const before = (at: number): string | null => (at % 3 === 0 ? null : `before ${at}\n`.repeat(at));
  const after = (at: number): string | null =>
    at % 4 === 1 ? null : `after ${at}\n`.repeat(at + 1);
  const changed = Array.from({ length: count }).filter((_, at) => before(at) !== after(at)).length;
  const textOf = (at: number): string | null =>
    fs.existsSync(file(at)) ? fs.readFileSync(file(at), 'utf8') : null;

  beforeEach(() => {
    folder = temporaryFile('reviews');
    windows = [];
    files = new DiskFiles();
    fs.mkdirSync(temporaryFile('work'), { recursive: true });
  });

  afterEach(function () {
    if (this.currentTest?.isFailed()) {
      process.stderr.write(`CRASH_SEED=${seed}\n`);
    }
    for (const window of windows) {
      window.dispose();
    }
    removeTemporary();
  });

  function window(): StoredReviews {
    const reviews = new StoredReviews({
      ...{ folder, files, log: { warn: () => undefined } },
      blobs: (of) => new FolderBlobs(path.join(of, 'blobs')),
      places: () => Promise.resolve(['/work']),
    });
    windows.push(reviews);
    return reviews;
  }

  async function change(): Promise<void> {
    const { record } = await window().open('/work', 'a', 's');
    const state = (text: string | null) =>
      text === null ? absent : record.contents.add(Buffer.from(text));
    const changes = [];
    for (let at = 0; at < count; at++) {
      const text = after(at);
      if (text !== null) {
        fs.writeFileSync(file(at), text);
      }
      if (text !== before(at)) {
        changes.push({ file: file(at), before: await state(before(at)), after: await state(text) });
      }
    }
    await record.addSteps({ by: 'agent', source: 'checkpoint', turn: 1 }, changes);
  }

  /** Kills a window in the middle of Undo All, when so many files are undone. */
  async function crash(after: number): Promise<void> {
    const child: ChildProcess = fork(program, [session(), String(after + 1)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    assert.equal(signal, 'SIGKILL');
  }

  async function interrupted(): Promise<InterruptedDecision> {
    const reviews = window();
    await reviews.load();
    const [found, ...more] = reviews.interrupted;
    assert.ok(found !== undefined && more.length === 0);
    return found;
  }

  const moments = [
    ['before the first file', 0],
    ['at a random moment', 1 + (seed % changed)],
    ['after the last file', changed],
  ] as const;
  for (const [moment, files] of moments) {
    it(`goes on after a crash ${moment}`, async () => {
      await change();
      await crash(files);
      const found = await interrupted();
      assert.deepEqual([found.what, found.review.sessionId], ['undo', 's']);
      assert.deepEqual([found.done.length, found.left.length], [files, changed - files]);
      for (let it = 0; it < count; it++) {
        assert.ok([before(it), after(it)].includes(textOf(it)), `${it} is known`);
      }
      const { leftAlone } = await found.goOn();
      assert.deepEqual(leftAlone, []);
      for (let it = 0; it < count; it++) {
        assert.equal(textOf(it), before(it));
      }
      assert.deepEqual(found.review.pending, []);
      const next = window();
      await next.load();
      assert.deepEqual([next.interrupted, next.of('a', 's')?.pending], [[], []]);
    });

    it(`goes back after a crash ${moment}`, async () => {
      await change();
      await crash(files);
      const found = await interrupted();
      const { pending } = found.review;
      assert.deepEqual((await found.goBack()).leftAlone, []);
      for (let it = 0; it < count; it++) {
        assert.equal(textOf(it), after(it));
      }
      assert.deepEqual(found.review.pending, pending);
      assert.deepEqual((await found.review.undo({ type: 'all' })).leftAlone, []);
      assert.equal(textOf(4), before(4));
    });
  }

  it('a write that was cut off is completed, and what the user has changed since is left', async () => {
    await change();
    await crash(20);
    fs.writeFileSync(file(55), 'after 55\nafter 5');
    fs.writeFileSync(file(52), 'mine');
    const found = await interrupted();
    const { leftAlone } = await found.goOn();
    assert.deepEqual(leftAlone, [{ file: file(52), reason: 'changedSince' }]);
    assert.equal(textOf(55), before(55));
    assert.equal(textOf(52), 'mine');
    assert.deepEqual(
      found.review.pending.map((it) => it.file),
      [file(52)],
    );
  });

  it('SEC-81: deletes for good only what the user agrees to, and nothing outside of the folders', async () => {
    await change();
    await crash(0);
    const found = await interrupted();
    const deleted: string[] = [];
    files.onDelete = (names) => {
      deleted.push(...names);
      return 'declined';
    };
    const { leftAlone } = await found.goOn();
    const made = Array.from({ length: count }, (_, at) => at).filter(
      (at) => before(at) === null && after(at) !== null,
    );
    assert.deepEqual(deleted.sort(), made.map(file).sort());
    assert.deepEqual([...new Set(leftAlone.map(({ reason }) => reason))], ['declined']);
    assert.equal(leftAlone.length, made.length);
    assert.ok(made.every((at) => textOf(at) === after(at)));
  });

  it('SEC-81: leaves alone what is outside of the session’s folders, though a record says that it was begun', async () => {
    const { record } = await window().open('/work', 'a', 's');
    fs.writeFileSync(file(0), 'made');
    const made = await record.contents.add(Buffer.from('made'));
    const origin = { by: 'agent', source: 'diff', turn: 1 } as const;
    await record.addSteps(origin, [
      { file: file(0), before: absent, after: made, isOutside: true },
    ]);
    const intent = { id: 'i', what: 'undo', group: 'g', pid: 1, window: 'gone', at: 1 } as const;
    const state = record.state.files.get(file(0));
    assert.ok(state !== undefined);
    const decided = { file: file(0), form: 'text', added: 0, removed: 0, turns: [] } as const;
    await record.append([
      {
        ...{ type: 'intent', ...intent },
        files: [
          {
            ...{ ...decided, seen: absent, base: absent, of: [1], from: made, to: absent },
            was: [state.seen, state.base],
          },
        ],
      },
    ]);
    const found = await interrupted();
    const { leftAlone } = await found.goOn();
    assert.deepEqual(leftAlone, [{ file: file(0), reason: 'outside' }]);
    assert.equal(textOf(0), 'made');
  });

  it('a decision that another window is making isn’t interrupted', async () => {
    await change();
    const child = fork(program, [session()], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    const gone = once(child, 'exit');
    await new Promise<void>((resolve) => {
      let seen = 0;
      child.stdout?.on('data', (data: Buffer) => {
        seen += data.toString().split('\n').length - 1;
        if (seen > 20) {
          child.kill('SIGSTOP');
          resolve();
        }
      });
      void gone.then(() => resolve());
    });
    const reviews = window();
    await reviews.load();
    assert.deepEqual(reviews.interrupted, []);
    child.kill('SIGKILL');
    await gone;
  });
});
