import path from 'node:path';
import { diffArrays } from 'diff';
import type {
  Hunk,
  InterruptedDecision,
  LeftAlone,
  Outcome,
  Reviews,
  Selection,
  SessionReview,
  TurnFile,
  TurnSide,
} from '../../src/features/review/model/review';
import type { Replacement, ReviewFiles } from '../../src/features/review/model/reviewFiles';
import type { PendingFile } from '../../src/model/changes/reviews';
import type { SessionRef } from '../../src/shared/sessionRef';
import { Emitter } from '../../src/util/emitter';

/** A file that an agent is said to have changed; `null`: no file. */
export interface FakeChange {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly turn?: number;
  readonly facts?: Partial<PendingFile>;
}

/** Reviews of texts in memory; undoing changes real files. */
export class FakeReviews implements Reviews {
  all: FakeReview[] = [];
  interrupted: InterruptedDecision[] = [];
  /** Files that running turns are working on. */
  used = new Map<string, readonly SessionRef[]>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #files: ReviewFiles;

  constructor(files: ReviewFiles) {
    this.#files = files;
  }

  add(agentId: string, sessionId: string, changes: readonly FakeChange[]): FakeReview {
    const review = new FakeReview(agentId, sessionId, this.#files, changes);
    review.onDidChange(() => this.#changed.fire());
    this.all = [...this.all, review];
    this.#changed.fire();
    return review;
  }

  /** Says that there is something new in `interrupted`. */
  fire(): void {
    this.#changed.fire();
  }

  of(agentId: string, sessionId: string): FakeReview | undefined {
    return this.all.find((review) => review.agentId === agentId && review.sessionId === sessionId);
  }

  ofFile(file: string): readonly FakeReview[] {
    return this.all.filter(({ pending }) => pending.some((one) => one.file === file));
  }

  inUse(): Promise<ReadonlyMap<string, readonly SessionRef[]>> {
    return Promise.resolve(this.used);
  }

  forget(): Promise<void> {
    return Promise.resolve();
  }
}

interface Text {
  baseline: string | null;
  now: string | null;
  readonly turn: number;
  readonly facts: Partial<PendingFile>;
}

export class FakeReview implements SessionReview {
  readonly agentId: string;
  readonly sessionId: string;
  readonly lastDecision = undefined;
  pending: readonly PendingFile[] = [];
  turns: SessionReview['turns'];
  readonly unrecorded = [];
  readonly quietTurns = [];
  uncertain: SessionReview['uncertain'] = [];
  readonly uncertainTurns = [];
  /** What has been decided, in words. */
  readonly decisions: string[] = [];
  /** What turns did, decided or not. */
  readonly turnFiles = new Map<number, readonly TurnFile[]>();
  /** Files that decisions leave alone. */
  leftAlone: readonly LeftAlone[] = [];
  readonly #files: ReviewFiles;
  readonly #texts = new Map<string, Text>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(
    agentId: string,
    sessionId: string,
    files: ReviewFiles,
    changes: readonly FakeChange[],
  ) {
    this.agentId = agentId;
    this.sessionId = sessionId;
    this.#files = files;
    for (const { file, before, after, turn = 1, facts = {} } of changes) {
      this.#texts.set(file, { baseline: before, now: after, turn, facts });
    }
    this.turns = [
      {
        ...{ turn: 1, prompt: 'Do it', began: 0, added: 1, removed: 1, state: 'pending' },
        files: changes.map(({ file }) => file),
      },
    ];
    this.#update();
  }

  refresh(): Promise<void> {
    return Promise.resolve();
  }

  settleUndone(): Promise<void> {
    return Promise.resolve();
  }

  baseline(file: string): Promise<string | null | undefined> {
    return Promise.resolve(this.#texts.get(file)?.baseline);
  }

  getFiles(turn: number, most: number): Promise<readonly TurnFile[]> {
    return Promise.resolve(this.turnFiles.get(turn)?.slice(0, most) ?? []);
  }

  findText(turn: number, file: string, side: TurnSide): Promise<string> {
    return Promise.resolve(`${path.basename(file)} ${side} turn ${turn}`);
  }

  hunks(file: string, now: string): Promise<readonly Hunk[]> {
    return Promise.resolve(hunksOf(this.#texts.get(file)?.baseline ?? '', now));
  }

  keep(selection: Selection): Promise<Outcome> {
    this.decisions.push(`keep ${selection.type}`);
    const files = this.#filesOf(selection);
    for (const file of files) {
      const text = this.#texts.get(file);
      if (text !== undefined) {
        text.baseline =
          selection.type === 'lines'
            ? withHunks(text.baseline ?? '', text.now ?? '', selection, 'now')
            : text.now;
      }
    }
    this.#update();
    return Promise.resolve({ decided: files, leftAlone: [] });
  }

  async undo(selection: Selection): Promise<Outcome> {
    this.decisions.push(`undo ${selection.type}`);
    const stays = new Set(this.leftAlone.map(({ file }) => file));
    const files = this.#filesOf(selection).filter((file) => !stays.has(file));
    const replacements: Replacement[] = [];
    const wanted = new Map<string, string | null>();
    for (const file of files) {
      const { baseline = null, now = null } = this.#texts.get(file) ?? {};
      const text =
        selection.type === 'lines'
          ? withHunks(baseline ?? '', now ?? '', selection, 'before')
          : baseline;
      wanted.set(file, text);
      replacements.push({ file, expected: bytesOf(now), wanted: bytesOf(text) });
    }
    const refused = await this.#replace(replacements);
    for (const [file, text] of wanted) {
      const known = this.#texts.get(file);
      if (known !== undefined && !refused.some((one) => one.file === file)) {
        known.now = text;
      }
    }
    this.#update();
    return { decided: files, leftAlone: [...refused, ...this.leftAlone] };
  }

  async #replace(all: readonly Replacement[]): Promise<readonly LeftAlone[]> {
    const deleted = all.filter(({ wanted }) => wanted === undefined).map(({ file }) => file);
    const how = deleted.length === 0 ? 'toTrash' : await this.#files.howToDelete(deleted);
    const stays = ({ file }: Replacement): boolean => how === 'declined' && deleted.includes(file);
    const replaced = all
      .filter((it) => !stays(it))
      .map((it) => ({ ...it, forGood: how === 'forGood' }));
    return [
      ...all.filter(stays).map(({ file }): LeftAlone => ({ file, reason: 'declined' })),
      ...(await this.#files.replace(replaced, () => undefined)),
    ];
  }

  /** The agent goes on. */
  change(file: string, now: string | null): void {
    const known = this.#texts.get(file);
    if (known === undefined) {
      this.#texts.set(file, { baseline: null, now, turn: 1, facts: {} });
    } else {
      known.now = now;
    }
    this.#update();
  }

  planRestore(): Promise<never> {
    return Promise.reject(new Error('not faked'));
  }

  restore(): Promise<never> {
    return Promise.reject(new Error('not faked'));
  }

  planTakeBack(): Promise<never> {
    return Promise.reject(new Error('not faked'));
  }

  takeBack(): Promise<never> {
    return Promise.reject(new Error('not faked'));
  }

  certainText(file: string): Promise<string | null | undefined> {
    return this.baseline(file);
  }

  #filesOf(selection: Selection): readonly string[] {
    switch (selection.type) {
      case 'all':
      case 'turn':
        return this.pending
          .map(({ file }) => file)
          .filter((file) => selection.files?.includes(file) !== false);
      case 'files':
      case 'uncertain':
        return selection.files;
      case 'lines':
        return [selection.file];
    }
  }

  #update(): void {
    this.pending = [...this.#texts]
      .filter(([, { baseline, now }]) => baseline !== now)
      .map(([file, { baseline, now, turn, facts }]): PendingFile => {
        const hunks = hunksOf(baseline ?? '', now ?? '');
        return {
          file,
          kind: baseline === null ? 'added' : now === null ? 'deleted' : 'modified',
          turns: [turn],
          added: hunks.reduce((sum, hunk) => sum + hunk.now.end - hunk.now.start, 0),
          removed: hunks.reduce((sum, hunk) => sum + hunk.before.end - hunk.before.start, 0),
          form: 'text',
          isMixed: false,
          isOutside: false,
          ...facts,
        };
      })
      .sort((a, b) => (a.file < b.file ? -1 : 1));
    this.#changed.fire();
  }
}

function bytesOf(text: string | null): Uint8Array | undefined {
  return text === null ? undefined : Buffer.from(text);
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function hunksOf(before: string, now: string): Hunk[] {
  const hunks: Hunk[] = [];
  let [left, right] = [1, 1];
  let current:
    | { before: { start: number; end: number }; now: { start: number; end: number } }
    | undefined;
  for (const { added, removed, value } of diffArrays(linesOf(before), linesOf(now))) {
    if (added || removed) {
      if (current === undefined) {
        current = { before: { start: left, end: left }, now: { start: right, end: right } };
        hunks.push(current);
      }
      if (removed) {
        left += value.length;
        current.before.end = left;
      } else {
        right += value.length;
        current.now.end = right;
      }
    } else {
      current = undefined;
      left += value.length;
      right += value.length;
    }
  }
  return hunks;
}

/** The text of the other side, with the selected hunks as on this side. */
function withHunks(
  baseline: string,
  now: string,
  { lines }: Extract<Selection, { type: 'lines' }>,
  side: 'before' | 'now',
): string {
  const isSelected = ({ now: { start, end } }: Hunk): boolean =>
    lines.some(
      (range) =>
        start <= Math.max(range.end - 1, range.start) && range.start <= Math.max(end - 1, start),
    );
  const into = side === 'now' ? linesOf(baseline) : linesOf(now);
  const from = side === 'now' ? linesOf(now) : linesOf(baseline);
  for (const hunk of hunksOf(baseline, now).filter(isSelected).reverse()) {
    const [target, source] = side === 'now' ? [hunk.before, hunk.now] : [hunk.now, hunk.before];
    into.splice(
      target.start - 1,
      target.end - target.start,
      ...from.slice(source.start - 1, source.end - 1),
    );
  }
  return into.join('');
}
