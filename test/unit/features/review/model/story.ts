import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { AbandonedDecision } from '../../../../../src/features/review/model/decisions/abandonedDecision';
import { computeHash } from '../../../../../src/features/review/model/record/contents';
import { writeLine } from '../../../../../src/features/review/model/record/journalLines';
import type { RecordedReview } from '../../../../../src/features/review/model/recordedReview';
import type { Outcome, Selection } from '../../../../../src/features/review/model/review';
import { type Act, binary, names } from './acts';
import type { World } from './world';

type Crash = Extract<Act, { what: unknown }>;
interface Decision {
  readonly type: string;
  readonly of: string;
  readonly name: string;
  readonly at: number;
}

/** Plays what happens in a world, and knows what must be true afterwards. */
export class Story {
  readonly #world: World;
  #turn = 1;
  #count = 0;
  /** The user's lines that must be in one of the files. */
  readonly #marks = new Set<string>();
  /** The window of the other process; it only hears of things when it decides. */
  #other: RecordedReview | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  dispose(): void {
    this.#other?.dispose();
  }

  get #review(): RecordedReview {
    return this.#world.review;
  }

  #lines(of: string): string[] {
    const lines = (this.#world.text(of) ?? '').split('\n');
    return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  }

  #marksIn(of: string): readonly string[] {
    return this.#lines(of).filter((line) => this.#marks.has(line));
  }

  /** Where the file is now. */
  #place(of: string): string {
    return this.#world.text(of) === null && this.#world.text(`${of}2`) !== null ? `${of}2` : of;
  }

  #newMark(): string {
    const mark = `mine ${++this.#count}`;
    this.#marks.add(mark);
    return mark;
  }

  /** A new line of the user's, somewhere. */
  #edited(of: string, where: number): string {
    const lines = this.#lines(of);
    lines.splice(Math.min(where, lines.length), 0, this.#newMark());
    return lines.map((it) => `${it}\n`).join('');
  }

  /** The agent replaces some lines, but never those of the user. */
  #replaced(of: string, where: number, count: number): string {
    const lines = this.#lines(of);
    const end = lines.findIndex((it, index) => index >= where && it.startsWith('mine'));
    const most = end === -1 ? lines.length : end;
    const there = Math.max(0, Math.min(count, most - where));
    lines.splice(where, there, `agent ${++this.#count}`);
    return lines.map((it) => `${it}\n`).join('');
  }

  async play(it: Act): Promise<void> {
    const file = this.#place(it.name);
    switch (it.type) {
      case 'agent':
        return this.#agent(it, file);
      case 'rewrite': {
        const own = this.#lines(file).filter((text) => text.startsWith('mine'));
        const text = [`agent ${++this.#count}`, ...own, `agent ${++this.#count}`].join('\n');
        return this.#world.agent(this.#turn, file, `${text}\n`);
      }
      case 'delete':
        // Only what has no text of the user.
        if (this.#marksIn(file).length === 0 && this.#world.text(file) !== null) {
          return this.#world.agent(this.#turn, file, null);
        }
        return;
      case 'move':
        return this.#move(it.name, file, it.at);
      case 'agentBinary':
        if (this.#marksIn(binary).length === 0) {
          return this.#world.agent(this.#turn, binary, `\0\nagent ${++this.#count}\n`);
        }
        return;
      case 'userBinary':
        return this.#world.user(this.#turn, binary, `\0\n${this.#edited(binary, 1).slice(2)}`);
      case 'user':
        return this.#world.user(this.#turn, file, this.#edited(file, it.at));
      case 'userDeletes':
        this.#forget(this.#marksIn(file));
        return this.#world.user(this.#turn, file, null);
      case 'secret':
        this.#world.write(file, this.#edited(file, it.at));
        return;
      case 'turn':
        return this.#world.beginTurn(++this.#turn);
      case 'reload':
        return this.#reload();
      case 'restore':
        await this.#review.restore(await this.#review.planRestore(1 + (it.at % this.#turn)));
        return;
      case 'unrestore':
        await this.#review.takeBack();
        return;
      case 'crash':
        return this.#crash(it);
      case 'elsewhere':
        this.#other ??= await this.#world.window();
        return this.#decide(this.#other, (it as { decision: Decision }).decision);
      case 'beforeEdit':
        this.#meanwhile(it);
        return this.#world.user(this.#turn, file, this.#edited(file, it.at));
      case 'beforeDecision':
        this.#meanwhile(it);
        return this.#decide(this.#review, {
          ...(it as { decision: Decision }).decision,
          type: (it as unknown as { own: string }).own,
        });
      case 'keep':
      case 'undo':
        return this.#decide(this.#review, it);
    }
  }

  #agent(it: Act, file: string): Promise<void> {
    const count = 'count' in it ? it.count : 1;
    return this.#world.agent(this.#turn, file, this.#replaced(file, it.at, count));
  }

  async #move(first: string, file: string, where: number): Promise<void> {
    const to = file === first ? `${first}2` : first;
    if (this.#world.text(file) !== null && this.#world.text(to) === null) {
      const text = where % 2 === 0 ? undefined : this.#replaced(file, where, 1);
      await this.#world.agentMoves(this.#turn, file, to, text);
    }
  }

  /** A decision of another window comes between working out what is recorded next and recording it. */
  #meanwhile({ decision }: { decision: Decision }): void {
    const { record } = this.#review;
    const append = record.append.bind(record);
    record.append = async (lines, isStillRight) => {
      record.append = append;
      this.#other ??= await this.#world.window();
      // Undoing changes files first; of those that changed already it would be refused.
      await this.#decide(this.#other, { ...decision, type: 'keep' });
      return append(lines, isStillRight);
    };
  }

  async #decide(review: RecordedReview, { type, of: what, name, at: where }: Decision) {
    const file = this.#place(name);
    const full = this.#world.path(file);
    const selection: Selection =
      what === 'all'
        ? { type: 'all' }
        : what === 'files'
          ? { type: 'files', files: [full, this.#world.path(binary)] }
          : what === 'turn'
            ? { type: 'turn', turn: 1 + (where % this.#turn) }
            : { type: 'lines', file: full, lines: [{ start: where, end: where + 2 }] };
    if (type === 'keep') {
      await review.keep(selection);
      return;
    }
    await review.refresh();
    const mixed = review.pending.filter(({ isMixed }) => isMixed).map((it) => it.file);
    const named = [file, ...(what === 'files' ? [binary] : [])];
    const asked = named.filter((it) => mixed.includes(this.#world.path(it)));
    const marks = asked.flatMap((it) => this.#marksIn(it));
    await review.undo(selection);
    if (what === 'files' || what === 'lines') {
      // The user has been asked, and may lose what is inside the agent's lines.
      this.#forget(marks.filter((mark) => !this.#isThere(mark)));
    }
  }

  #forget(marks: readonly string[]): void {
    for (const mark of marks) {
      this.#marks.delete(mark);
    }
  }

  #isThere(mark: string): boolean {
    return names.some((it) => this.#lines(it).includes(mark));
  }

  async #reload(): Promise<void> {
    await this.#review.refresh();
    const { pending, turns } = this.#review;
    this.#review.dispose();
    await this.#world.open();
    assert.deepEqual(this.#review.pending, pending);
    assert.deepEqual(this.#review.turns, turns);
  }

  /** The window ends in the middle of something, and the next one goes on or back. */
  async #crash({ what, files, isTorn, then, isOn, name: of, at: where }: Crash): Promise<void> {
    const before = new Set(this.#review.record.state.openDecisions.keys());
    const end = this.#endAt(files, isTorn);
    const turn = 1 + (where % this.#turn);
    const work: Readonly<Record<typeof what, () => Promise<unknown>>> = {
      undo: () => this.#review.undo({ type: 'all' }),
      restore: async () => this.#review.restore(await this.#review.planRestore(turn)),
      unrestore: () => this.#review.takeBack(),
      keep: () => this.#review.keep({ type: 'all' }),
      step: () => {
        const file = this.#place(of);
        return this.#world.agent(this.#turn, file, this.#replaced(file, where, 1));
      },
    };
    if (what === 'keep' || what === 'step') {
      // There are no files to change: only the line is cut off, if it is.
      this.#tearNextLine();
    }
    await work[what]().catch(isKilled);
    end();
    await this.#reopen();
    for (const again of then) {
      const stop = this.#endAt(again.files, false);
      await this.#endInterrupted(before, again.isOn).catch(isKilled);
      stop();
      await this.#reopen();
    }
    const outcome = await this.#endInterrupted(before, isOn);
    assert.deepEqual(outcome?.leftAlone ?? [], []);
  }

  async #reopen(): Promise<void> {
    this.#review.dispose();
    await this.#world.open();
  }

  async #endInterrupted(before: ReadonlySet<string>, isOn: boolean): Promise<Outcome | undefined> {
    const { files } = this.#world;
    const review = this.#review;
    const open = [...review.record.state.openDecisions].filter(([id]) => !before.has(id));
    assert.ok(open.length <= 1);
    const [, intent] = open[0] ?? [];
    if (intent === undefined) {
      return undefined;
    }
    const found = await AbandonedDecision.of({ review, files, intent, onEnd: () => undefined });
    return isOn ? found.goOn() : found.goBack();
  }

  /** Ends the window after so many files, or else when the end is to be recorded; returns what stops that. */
  #endAt(count: number, isTorn: boolean): () => void {
    const { files } = this.#world;
    const { record } = this.#review;
    const replace = files.replace.bind(files);
    const append = record.append.bind(record);
    let left = count;
    files.replace = async (all, done) => {
      const first = await replace(all.slice(0, left), done);
      const next = all[left];
      left -= all.length;
      if (next !== undefined) {
        if (isTorn && next.wanted !== undefined && this.#isAsExpected(next.file, next.expected)) {
          const half = Buffer.from(next.wanted).subarray(0, Math.floor(next.wanted.length / 2));
          fs.writeFileSync(next.file, half);
        }
        throw new Error('killed');
      }
      return first;
    };
    record.append = (lines, isStillRight) => {
      if (lines.some(({ type }) => type === 'done')) {
        this.#tear(isTorn ? lines : []);
        throw new Error('killed');
      }
      return append(lines, isStillRight);
    };
    return () => {
      files.replace = replace;
      record.append = append;
    };
  }

  #isAsExpected(file: string, expected: Uint8Array | undefined): boolean {
    const now = fs.existsSync(file) ? fs.readFileSync(file) : undefined;
    return now === undefined || expected === undefined
      ? now === expected
      : Buffer.compare(now, expected) === 0;
  }

  #tearNextLine(): void {
    const { record } = this.#review;
    record.append = (lines) => {
      this.#tear(lines);
      throw new Error('killed');
    };
  }

  /** Half of a line is all that gets to the disk. */
  #tear(lines: Parameters<RecordedReview['record']['append']>[0]): void {
    const [line] = lines;
    const text = line === undefined ? '' : (writeLine(line) ?? '');
    const journal = path.join(this.#world.store, 'journal.ndjson');
    fs.appendFileSync(journal, `\n${text.slice(0, text.length / 2)}`);
  }

  /** Every file is what the record says, in each window, and has the user's text. */
  async check(): Promise<void> {
    await this.#review.planRestore(1);
    for (const mark of this.#marks) {
      assert.ok(this.#isThere(mark), `${mark} is in a file`);
    }
    for (const file of names) {
      const text = this.#world.text(file);
      const record = this.#review.record.state.files.get(this.#world.path(file));
      // A file that was moved back, and has no past of its own, is looked at when it is changed again.
      const { seen } = record?.steps.some(({ by }) => by === 'agent') ? record : {};
      if (seen !== undefined) {
        const hash = text === null ? undefined : computeHash(Buffer.from(text));
        assert.equal(seen.kind === 'file' ? seen.hash : undefined, hash, file);
      }
    }
    for (const { file, form } of this.#review.pending) {
      const baseline = await this.#review.baseline(file);
      assert.equal(baseline === undefined, form === 'binary', file);
    }
    await this.#other?.refresh();
    await isSummedUpRightly(this.#world);
    for (const review of [this.#other, await this.#world.window()]) {
      assert.deepEqual(review?.pending ?? this.#review.pending, this.#review.pending);
      assert.deepEqual(review?.turns ?? this.#review.turns, this.#review.turns);
    }
  }
}

/** A window that begins with a summary, if there is one, knows the same as one that reads every line. */
export async function isSummedUpRightly(world: World): Promise<void> {
  const [one, other] = [await world.window(), await world.withoutSummary()];
  const known = async ({ record, changedAt }: RecordedReview): Promise<unknown> => {
    await record.readPast();
    const { files, pending, turns, lastTurn, openTurn, lastChanges, lastDecision, openDecisions } =
      record.state;
    const paths = names.map((it) => world.path(it));
    const revisions = paths.map((it) => record.state.getRevision(it));
    return [
      changedAt,
      files,
      pending,
      turns,
      lastTurn,
      openTurn,
      lastChanges,
      lastDecision,
      openDecisions,
      revisions,
    ];
  };
  assert.deepEqual(await known(one), await known(other));
  one.dispose();
  other.dispose();
}

function isKilled(error: unknown): undefined {
  assert.match(String(error), /killed/);
  return undefined;
}
