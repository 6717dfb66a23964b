import type { SessionRef } from '../../../../shared/sessionRef';
import type { Evidence } from '../atWork/evidence';
import type { Span } from '../atWork/work';
import { matches } from '../record/recordState';
import type { Change, SessionRecord } from '../record/sessionRecord';
import { partsOfMove, type Share } from './attribution';
import { withParts } from './explained';

/** Maximum number of changes of one turn that may still turn out to be someone's. */
const maxUnsettledChanges = 10_000;

/** A change that is recorded as uncertain. */
interface Unsettled {
  readonly id: string;
  readonly change: Change;
  readonly span: Span;
}

/** The uncertain changes of one turn: what an agent has changed, it may name only later. */
export class UnsettledChanges {
  #all: readonly Unsettled[] = [];

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  /** Records changes that may be those of several sessions, each with what was at work beside this one. */
  async add(
    record: SessionRecord,
    turn: number,
    changes: readonly { readonly change: Change; readonly beside: readonly SessionRef[] }[],
    span: Span,
  ): Promise<boolean> {
    const single = changes.flatMap(({ change, beside }) =>
      partsOfMove(change).map((it) => ({ change: it, beside })),
    );
    const id = await record.addUncertain(turn, single);
    if (id !== undefined) {
      const added = single.map(({ change }) => ({ id, change, span }));
      this.#all = [...this.#all, ...added].slice(0, maxUnsettledChanges);
    }
    return id !== undefined;
  }

  /** Settles what has been named since; what its diffs don't explain stays uncertain. */
  async settle(record: SessionRecord, turn: number, evidence: Evidence): Promise<void> {
    const news: { readonly it: Unsettled; readonly shares: readonly Share[] }[] = [];
    for (const it of this.#all) {
      const { change, span } = it;
      const by = evidence.whoNamed(change, span);
      const shares =
        by === undefined ? [] : await withParts(record, [{ by, change }], evidence, span);
      if (shares.some((share) => share.by !== 'uncertain')) {
        news.push({ it, shares });
      }
    }
    if (news.length === 0) {
      return;
    }
    this.#all = this.#all.filter((one) => !news.some(({ it }) => it === one));
    await record.settle(news.map(({ it: { id, change } }) => ({ id, file: change.file })));
    for (const { it, shares } of news) {
      await this.#adopt(record, turn, it, { shares, evidence });
    }
  }

  /** No more of them can be named. */
  clear(): void {
    this.#all = [];
  }

  /** The change turns out to be the session's own, or a part. If more has happened to the file since, that isn't known. */
  async #adopt(
    record: SessionRecord,
    turn: number,
    { change: { file, before, after }, span }: Unsettled,
    { shares, evidence }: { readonly shares: readonly Share[]; readonly evidence: Evidence },
  ): Promise<void> {
    const seen = record.state.files.get(file)?.seen;
    const isAsSeen = seen === undefined || matches(seen, after);
    if (isAsSeen && seen !== undefined && shares.some(({ by }) => by === 'agent')) {
      // It is part of what the session's changes are compared with.
      await record.addSteps({ by: 'other', source: 'checkpoint', turn }, [
        { file, before: after, after: before },
      ]);
    }
    for (const { by, change } of shares) {
      if (by === 'uncertain') {
        const beside = evidence.beside(file, span);
        await this.add(record, turn, [{ change, beside }], span);
      }
      if (by !== 'other' && isAsSeen) {
        const step = by === 'agent' ? by : 'other';
        await record.addSteps({ by: step, source: 'checkpoint', turn }, [change]);
      }
    }
  }
}
