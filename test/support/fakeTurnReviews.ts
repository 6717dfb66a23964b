import type {
  LastDecision,
  Outcome,
  RestorePlan,
  Selection,
  SessionReview,
  TakeBackPlan,
  UncertainFile,
} from '../../src/features/review/model/review';
import type { ReviewActions } from '../../src/model/changes/providedReviews';
import type { PendingFile, TurnReview, UnrecordedTurn } from '../../src/model/changes/reviews';
import type { UserSave } from '../../src/model/changes/userSave';
import type { SessionRef } from '../../src/shared/sessionRef';
import { Emitter } from '../../src/util/emitter';

const nothing: Outcome = { decided: [], leftAlone: [] };

/** A session's record as a test sets it up. It decides about turns as a whole, and changes no file. */
export class FakeReview implements SessionReview {
  readonly agentId: string;
  readonly sessionId: string;
  readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  pending: readonly PendingFile[] = [];
  turns: readonly TurnReview[] = [];
  unrecorded: readonly UnrecordedTurn[] = [];
  readonly quietTurns = [];
  lastDecision: LastDecision | undefined;
  uncertain: readonly UncertainFile[] = [];
  readonly uncertainTurns = [];
  /** The texts without the pending changes, by path. */
  readonly baselines = new Map<string, string | null>();
  plan: Pick<RestorePlan, 'files' | 'leftAlone'> = { files: [], leftAlone: [] };
  /** What was asked for about restoring. */
  readonly asked: string[] = [];

  constructor(agentId: string, sessionId: string) {
    this.agentId = agentId;
    this.sessionId = sessionId;
  }

  /** Adds a turn, whose files all wait. */
  addTurn(turn: Partial<TurnReview> & Pick<TurnReview, 'turn' | 'prompt' | 'files'>): void {
    const whole: TurnReview = { began: 0, added: 3, removed: 1, state: 'pending', ...turn };
    this.turns = [...this.turns, whole];
    this.pending = [...this.pending, ...whole.files.map((file) => pendingFile(file, [turn.turn]))];
    this.changed.fire();
  }

  /** A decision about a turn, as any window can make it. */
  decide(turn: number, state: TurnReview['state']): void {
    this.turns = this.turns.map((one) => (one.turn === turn ? { ...one, state } : one));
    this.pending = this.pending.filter(({ turns }) => !turns.includes(turn));
    this.changed.fire();
  }

  refresh(): Promise<void> {
    return Promise.resolve();
  }

  settleUndone(): Promise<void> {
    return Promise.resolve();
  }

  baseline(file: string): Promise<string | null | undefined> {
    return Promise.resolve(this.baselines.get(file));
  }

  certainText(file: string): Promise<string | null | undefined> {
    return this.baseline(file);
  }

  getFiles(): Promise<readonly []> {
    return Promise.resolve([]);
  }

  findText(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  hunks(): Promise<readonly []> {
    return Promise.resolve([]);
  }

  keep(selection: Selection): Promise<Outcome> {
    return this.#decide(selection, 'kept');
  }

  undo(selection: Selection): Promise<Outcome> {
    return this.#decide(selection, 'undone');
  }

  planRestore(turn: number): Promise<RestorePlan> {
    this.asked.push(`plan ${turn}`);
    return Promise.resolve({ turn, ...this.plan });
  }

  restore(plan: RestorePlan): Promise<Outcome> {
    this.asked.push(`restore ${plan.turn}`);
    const decided = plan.files.map(({ file }) => file);
    const decision = `restore ${this.asked.length}`;
    this.lastDecision = { what: 'restore', id: decision, at: Date.now(), files: decided };
    this.changed.fire();
    return Promise.resolve({ decided, leftAlone: plan.leftAlone, decision });
  }

  planTakeBack(): Promise<TakeBackPlan | undefined> {
    this.asked.push('plan undo restore');
    const { lastDecision: decision, plan } = this;
    return Promise.resolve(decision && { decision, ...plan });
  }

  takeBack(): Promise<Outcome> {
    this.asked.push('undo restore');
    this.lastDecision = undefined;
    this.changed.fire();
    return Promise.resolve(nothing);
  }

  #decide(selection: Selection, state: TurnReview['state']): Promise<Outcome> {
    if (selection.type === 'turn') {
      this.decide(selection.turn, state);
    }
    return Promise.resolve(nothing);
  }
}

/** The records of several sessions, as `Reviews` has them. */
export class FakeReviews {
  readonly all: FakeReview[] = [];
  readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  /** What was shown, as `sessionId turn`. */
  readonly shown: string[] = [];
  /** What the user has done to files by commands. */
  readonly saves: UserSave[] = [];
  readonly noteSaved = (save: UserSave): Promise<void> => {
    this.saves.push(save);
    return Promise.resolve();
  };
  readonly actions: ReviewActions = {
    showFile: () => Promise.resolve(),
    restoreBefore: () => Promise.resolve(),
    compared: () => [],
    about: () => undefined,
    showUncertain: () => Promise.resolve(),
    show: ({ sessionId }, turn) => {
      this.shown.push(`${sessionId} ${turn ?? 'all'}`);
      return Promise.resolve();
    },
    keep: async ({ agentId, sessionId }, turn) =>
      this.of(agentId, sessionId)?.keep({ type: 'turn', turn }),
    undo: async ({ agentId, sessionId }, turn) =>
      this.of(agentId, sessionId)?.undo({ type: 'turn', turn }),
  };

  add(agentId: string, sessionId: string): FakeReview {
    const review = new FakeReview(agentId, sessionId);
    review.onDidChange(() => this.changed.fire());
    this.all.push(review);
    return review;
  }

  /** Files that running turns are working on. */
  used = new Map<string, readonly SessionRef[]>();

  inUse(): Promise<ReadonlyMap<string, readonly SessionRef[]>> {
    return Promise.resolve(this.used);
  }

  of(agentId: string, sessionId: string): FakeReview | undefined {
    return this.all.find((one) => one.agentId === agentId && one.sessionId === sessionId);
  }
}

function pendingFile(file: string, turns: readonly number[]): PendingFile {
  return {
    file,
    kind: 'modified',
    turns,
    added: 3,
    removed: 1,
    form: 'text',
    isMixed: false,
    isOutside: false,
  };
}
