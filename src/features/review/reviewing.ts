import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents';
import type {
  Compared,
  GoingBack,
  ReviewActions,
  ReviewedState,
} from '../../model/changes/providedReviews';
import type { Session } from '../../model/session/session';
import type { Sessions } from '../../model/session/sessions';
import type { ReadOnlyDocuments } from '../../platform/files/readOnlyDocuments';
import { keepContexts } from '../../platform/ui/contexts';
import { showInformationMessage } from '../../platform/ui/messages';
import type { SessionRef } from '../../shared/sessionRef';
import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Event } from '../../util/emitter';
import type { Previews } from '../../views/previews/previews';
import { type AskForReviewServices, askForReview } from './asking/askForReview';
import { askAboutInterrupted } from './asking/interruptedDecisions';
import { type Aftermath, KeepOrUndo } from './asking/keepOrUndo';
import { restoreBefore } from './asking/restoreBefore';
import { reviewContextKeys as contextKeys } from './contextKeys';
import { BaselineDocuments, reviewedState } from './editors/baselineDocuments';
import { ChangeWalk, changesIn, getLine, hunkAt, waitingHere } from './editors/changeWalk';
import { Following } from './editors/follow';
import { openPendingChange } from './editors/openPending';
import { fileName, getSides, type Waiting, waitingFiles } from './editors/pendingChanges';
import { PositionStatus } from './editors/positionStatus';
import { ReviewEditors, type ReviewTarget } from './editors/reviewEditors';
import { ReviewSourceControl } from './editors/reviewSourceControl';
import type { AgreedDeletions } from './files/agreedDeletions';
import type { Decision, Hunk, Reviews, Selection, SessionReview } from './model/review';

/** The transcript that has the focus. */
interface ActiveTranscript {
  readonly active:
    | { readonly session: Pick<Session, 'info'> & { readonly agent: { readonly id: string } } }
    | undefined;
  readonly onDidChangeActive: Event<unknown>;
}

export interface ReviewServices {
  readonly reviews: Reviews;
  readonly agents: Pick<Agents, 'get'>;
  readonly sessions: Sessions;
  readonly panels: ActiveTranscript;
  readonly documents: ReadOnlyDocuments;
  readonly previews: Pick<Previews, 'ask'>;
  readonly agreedDeletions: AgreedDeletions;
}

/** Everything that is shown of the review, and what its commands do. Loaded when there is something to review. */
export class Reviewing implements ReviewActions, Disposable {
  readonly #services: ReviewServices;
  readonly #store = new DisposableStore();
  readonly #keepOrUndo: KeepOrUndo;
  readonly #editors: ReviewEditors;
  readonly #control: ReviewSourceControl;
  readonly #walk: ChangeWalk;
  readonly #asked = new WeakSet();
  readonly following: Following;

  constructor(services: ReviewServices) {
    const { reviews, sessions, panels } = services;
    this.#services = services;
    this.#keepOrUndo = new KeepOrUndo(services);
    this.#store.add(new BaselineDocuments(reviews));
    this.#editors = this.#store.add(new ReviewEditors(services));
    this.#control = this.#store.add(new ReviewSourceControl(reviews, services));
    this.#walk = new ChangeWalk(reviews);
    this.#store.add(new PositionStatus(reviews, services));
    this.following = this.#store.add(new Following(reviews, sessions));
    this.#store.add(
      keepContexts(
        () => this.#contexts(),
        [
          reviews.onDidChange,
          (listener) => vscode.window.onDidChangeActiveTextEditor(listener),
          this.#editors.onDidChangeActive,
          this.following.onDidChange,
          panels.onDidChangeActive,
        ],
      ),
    );
    this.#store.add(reviews.onDidChange(() => this.#askAboutInterrupted()));
    this.#askAboutInterrupted();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Opens what waits in a session, or in one of its turns. */
  async show(session: SessionRef, turn?: number): Promise<void> {
    const review = this.#findReview(session);
    const target = { reviews: review === undefined ? [] : [review] };
    await this.#editors.open(turn === undefined ? target : { ...target, turn });
  }

  /** Opens what waits in a session; where nothing does, offers what waits in others, and opens none by itself. */
  async reviewOwn(session: SessionRef): Promise<void> {
    const others = this.#services.reviews.all.some(({ pending }) => pending.length > 0);
    if (!others || (this.#findReview(session)?.pending.length ?? 0) > 0) {
      await this.show(session);
      return;
    }
    const all = l10n.t('Review All Sessions');
    const text = l10n.t('No changes of this session wait for review.');
    if ((await showInformationMessage(text, all)) === all) {
      await this.reviewAll(undefined);
    }
  }

  /** Opens what waits in the session of a group, otherwise in all sessions. */
  async reviewAll(group: unknown): Promise<void> {
    const uncertain = this.#control.findUncertainSession(group);
    if (uncertain !== undefined) {
      await this.#editors.openUncertain(uncertain);
      return;
    }
    await this.#editors.open({ reviews: this.#getReviews(group) });
  }

  /** What the active editor of changes shows. */
  get shown(): ReviewTarget | undefined {
    return this.#editors.active;
  }

  /** Asks an agent about a session or turn, otherwise about what the active editor of changes shows. */
  async askForReview(
    services: AskForReviewServices,
    session: (SessionRef & { readonly turn?: number }) | undefined,
  ): Promise<void> {
    const review = session && this.#findReview(session);
    const target: ReviewTarget = session
      ? {
          reviews: review ? [review] : [],
          ...(session.turn !== undefined && { turn: session.turn }),
        }
      : (this.shown ?? { reviews: this.#getReviews(undefined) });
    if (target.reviews.length === 0) {
      sayNothingWaits();
    } else {
      await askForReview(services, target);
    }
  }

  /** Opens what may be another session's. */
  async showUncertain(session: SessionRef): Promise<void> {
    const review = this.#findReview(session);
    await (review && this.#editors.openUncertain(review));
  }

  async showFile(session: SessionRef, file: string): Promise<void> {
    const review = this.#findReview(session);
    const pending = review?.pending.find((it) => it.file === file);
    if (review !== undefined && pending !== undefined) {
      await openPendingChange(this.#services.documents, review, pending);
    }
  }

  compared(session: SessionRef): readonly Compared[] {
    const review = this.#findReview(session);
    return waitingFiles({ all: review === undefined ? [] : [review] })
      .filter(({ pending: { form } }) => form === 'text' || form === 'binary')
      .map((waiting) => {
        const { file, kind } = waiting.pending;
        const { before, now } = getSides(waiting);
        return {
          file,
          before: kind === 'added' ? undefined : before.toString(),
          now: kind === 'deleted' ? undefined : now.toString(),
        };
      });
  }

  about(document: string): ReviewedState | undefined {
    return reviewedState(vscode.Uri.parse(document, true));
  }

  async restoreBefore(
    session: SessionRef,
    turn: number,
    prompt: string,
    back?: GoingBack,
  ): Promise<void> {
    const review = this.#findReview(session);
    await (review && restoreBefore(this.#services, review, { turn, prompt, back }));
  }

  keep(session: SessionRef, turn: number): Promise<void> {
    return this.decideSession('keep', session, turn);
  }

  undo(session: SessionRef, turn: number): Promise<void> {
    return this.decideSession('undo', session, turn);
  }

  /** Decides about everything of one session or turn. */
  async decideSession(decision: Decision, session: SessionRef, turn?: number): Promise<void> {
    const review = this.#findReview(session);
    if (review === undefined || review.pending.length === 0) {
      void showInformationMessage(l10n.t('No changes of this session wait for review.'));
    } else {
      await this.#decideMany(decision, [review], turn);
    }
  }

  /** Decides about everything in the group, in the active editor of changes, or in all sessions. */
  async decideAll(decision: Decision, group: unknown): Promise<void> {
    const uncertain = this.#control.findUncertainSession(group);
    if (uncertain !== undefined) {
      await this.#keepOrUndo.decideUncertain(decision, uncertain, uncertain.uncertain);
      return;
    }
    const target =
      group === undefined || group instanceof vscode.Uri ? this.#editors.active : undefined;
    await this.#decideMany(decision, target?.reviews ?? this.#getReviews(group), target?.turn);
  }

  /** Decides about the rows of files, otherwise about the file in the active editor. */
  async decideFiles(decision: Decision, rows: readonly unknown[]): Promise<void> {
    const uncertain = this.#control.getUncertainRows(rows);
    for (const review of new Set(uncertain.map((it) => it.review))) {
      const own = uncertain.filter((it) => it.review === review).map(({ file }) => file);
      await this.#keepOrUndo.decideUncertain(decision, review, own);
    }
    const files = this.#control.getFiles(rows);
    if (uncertain.length > 0 && files.length === 0) {
      return;
    }
    const found = waitingHere(this.#services.reviews);
    const chosen = files.length > 0 ? files : found === undefined ? [] : [found];
    if (chosen.length === 0) {
      sayNothingWaits();
    }
    const aftermaths: Aftermath[] = [];
    for (const review of new Set(chosen.map((waiting) => waiting.review))) {
      const own = chosen.filter((waiting) => waiting.review === review);
      const files = own.map(({ pending }) => pending.file);
      aftermaths.push(await this.#keepOrUndo[decision](review, { type: 'files', files }));
    }
    await this.#tell(aftermaths);
  }

  /** Opens the files of rows themselves, instead of their changes. */
  async openFiles(rows: readonly unknown[]): Promise<void> {
    const all = [
      ...this.#control.getFiles(rows).map(({ pending }) => pending),
      ...this.#control.getUncertainRows(rows).map(({ file }) => file),
    ];
    const there = all.filter(({ kind }) => kind !== 'deleted');
    const preview = there.length === 1;
    for (const pending of there) {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(pending.file), {
        preview,
      });
    }
  }

  /** Decides about a change in VS Code's inline peek. */
  async decideChange(
    decision: Decision,
    uri: unknown,
    changes: unknown,
    index: unknown,
  ): Promise<void> {
    const lines = findLines(changes, index);
    const editor = vscode.window.visibleTextEditors.find(
      ({ document }) => uri instanceof vscode.Uri && document.uri.toString() === uri.toString(),
    );
    const found = await changesIn(this.#services.reviews, editor);
    const hunks =
      found?.hunks.filter(({ now }) => lines !== undefined && touches(now, lines)) ?? [];
    await this.#decideHunks(decision, found?.waiting, hunks, found?.hunks.length);
  }

  async decideAtCursor(decision: Decision): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const found = await changesIn(this.#services.reviews, editor);
    if (found?.waiting.pending.kind === 'deleted') {
      await this.decideFiles(decision, []);
      return;
    }
    const hunk = editor && found && hunkAt(found, getLine(editor));
    const hunks = hunk === undefined ? [] : [hunk];
    await this.#decideHunks(decision, found?.waiting, hunks, found?.hunks.length);
  }

  move(by: 1 | -1): Promise<void> {
    return this.#walk.move(by);
  }

  /** Follows the session of the active tab, or the one that was followed before. */
  follow(session: Session | undefined): void {
    if (session === undefined || this.following.isFollowed(session)) {
      this.following.resume();
    } else {
      this.following.follow(session);
    }
  }

  async #decideHunks(
    decision: Decision,
    waiting: Waiting | undefined,
    hunks: readonly Hunk[],
    all: number | undefined,
  ): Promise<void> {
    if (waiting === undefined || hunks.length === 0) {
      void showInformationMessage(
        waiting === undefined
          ? l10n.t('This file has no changes to review.')
          : l10n.t(
              'There is no change to review at this place of {0}.',
              fileName(waiting.pending.file),
            ),
      );
      return;
    }
    const { review, pending } = waiting;
    // A new file's only change is the whole file.
    const isWhole = pending.kind === 'added' && hunks.length === all;
    const aftermath = await this.#keepOrUndo[decision](
      review,
      isWhole
        ? { type: 'files', files: [pending.file] }
        : { type: 'lines', file: pending.file, lines: hunks.map(({ now }) => now) },
    );
    await this.#tell([aftermath]);
  }

  async #decideMany(
    decision: Decision,
    reviews: readonly SessionReview[],
    turn: number | undefined,
  ): Promise<void> {
    const waiting = reviews.filter(({ pending }) => pending.length > 0);
    const aftermaths: Aftermath[] = [];
    if (waiting.length === 0) {
      sayNothingWaits();
    } else if (decision === 'undo') {
      aftermaths.push(await this.#keepOrUndo.undoMany(waiting, turn));
    } else {
      for (const review of waiting) {
        const selection: Selection = turn === undefined ? { type: 'all' } : { type: 'turn', turn };
        aftermaths.push(await this.#keepOrUndo.keep(review, selection));
      }
    }
    await this.#tell(aftermaths);
  }

  /** What was left alone is asked about once everything is decided. */
  async #tell(aftermaths: readonly Aftermath[]): Promise<void> {
    await this.#editors.closeDecided();
    await Promise.all(aftermaths.map((aftermath) => aftermath()));
    await this.#editors.closeDecided();
  }

  #findReview({ agentId, sessionId }: SessionRef): SessionReview | undefined {
    return this.#services.reviews.of(agentId, sessionId);
  }

  #getReviews(group: unknown): readonly SessionReview[] {
    const review = this.#control.findSession(group);
    return review === undefined
      ? this.#services.reviews.all.filter(({ pending }) => pending.length > 0)
      : [review];
  }

  #contexts() {
    const { reviews, panels } = this.#services;
    const session = panels.active?.session;
    const open = session && this.#services.sessions.find(session.agent.id, session.info.sessionId);
    return {
      [contextKeys.reviewing]: reviews.all.some(({ pending }) => pending.length > 0),
      [contextKeys.reviewedFile]: waitingHere(reviews) !== undefined,
      [contextKeys.reviewEditor]: this.#editors.kind,
      [contextKeys.followed]: this.following.isFollowed(open),
      [contextKeys.following]: this.following.isFollowing,
    };
  }

  #askAboutInterrupted(): void {
    for (const interrupted of this.#services.reviews.interrupted) {
      if (!this.#asked.has(interrupted)) {
        this.#asked.add(interrupted);
        void askAboutInterrupted(interrupted, this.#services);
      }
    }
  }
}

function sayNothingWaits(): void {
  void showInformationMessage(l10n.t('No changes wait for review.'));
}

/** The lines of a change as VS Code counts them: an end of 0 means that it only removed lines after the first. */
function findLines(changes: unknown, index: unknown): Hunk['now'] | undefined {
  const change: unknown = Array.isArray(changes) ? changes[Number(index)] : undefined;
  const { modifiedStartLineNumber: start, modifiedEndLineNumber: end } = (change ?? {}) as Record<
    string,
    unknown
  >;
  if (typeof start !== 'number' || typeof end !== 'number') {
    return undefined;
  }
  return end === 0 ? { start: start + 1, end: start + 1 } : { start, end: end + 1 };
}

function touches(a: Hunk['now'], b: Hunk['now']): boolean {
  const isEmpty = a.start === a.end || b.start === b.end;
  return isEmpty ? a.start <= b.end && b.start <= a.end : a.start < b.end && b.start < a.end;
}
