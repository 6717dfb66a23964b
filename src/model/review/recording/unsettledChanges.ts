import type { Evidence } from '../atWork/evidence';
import type { SessionName, Span } from '../atWork/work';
import { matches } from '../record/recordState';
import type { Change, SessionRecord } from '../record/sessionRecord';

/** Maximum number of changes of one turn that may still turn out to be someone's. */
const mostUnsettled = 10_000;

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
    changes: readonly { readonly change: Change; readonly beside: readonly SessionName[] }[],
    span: Span,
  ): Promise<boolean> {
    const single = changes.flatMap(({ change, beside }) =>
      withoutMove(change).map((it) => ({ change: it, beside })),
    );
    const id = await record.addUncertain(turn, single);
    if (id !== undefined) {
      const added = single.map(({ change }) => ({ id, change, span }));
      this.#all = [...this.#all, ...added].slice(0, mostUnsettled);
    }
    return id !== undefined;
  }

  /** Settles what has been named since; returns whether anything was. */
  async settle(record: SessionRecord, turn: number, evidence: Evidence): Promise<void> {
    const [own, gone]: [Unsettled[], Unsettled[]] = [[], []];
    const left: Unsettled[] = [];
    for (const it of this.#all) {
      const whose = evidence.whoNamed(it.change, it.span);
      (whose === 'agent' ? own : whose === 'other' ? gone : left).push(it);
    }
    if (own.length + gone.length === 0) {
      return;
    }
    this.#all = left;
    const settled = [...own, ...gone].map(({ id, change: { file } }) => ({ id, file }));
    await record.settle(settled);
    for (const { change } of own) {
      await adopt(record, turn, change);
    }
  }

  /** No more of them can be named. */
  clear(): void {
    this.#all = [];
  }
}

/** The change turns out to be the session's own. If more has happened to the file since, it stays with the rest. */
async function adopt(record: SessionRecord, turn: number, change: Change): Promise<void> {
  const { file, before, after } = change;
  const seen = record.state.files.get(file)?.seen;
  if (seen !== undefined && !matches(seen, after)) {
    return;
  }
  if (seen !== undefined) {
    // It is part of what the session's changes are compared with.
    await record.addSteps({ by: 'other', source: 'checkpoint', turn }, [
      { file, before: after, after: before },
    ]);
  }
  await record.addSteps({ by: 'agent', source: 'checkpoint', turn }, [change]);
}

/** What was moved is gone at one place, and new at another; each is decided by itself. */
function withoutMove({ file, movedFrom, before, after, ...rest }: Change): readonly Change[] {
  return movedFrom === undefined || movedFrom === file
    ? [{ ...rest, file, before, after }]
    : [
        { ...rest, file: movedFrom, before, after: { kind: 'absent' } },
        { ...rest, file, before: { kind: 'absent' }, after },
      ];
}
