import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { PendingFile, TurnReview } from '../../../model/changes/reviews';
import { showInformationMessage } from '../../../platform/ui/messages';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Emitter } from '../../../util/emitter';
import { isMultiDiff } from '../../../views/previews/multiDiffTabs';
import type { SessionReview } from '../model/review';
import { isBaseline, pastUri } from './baselineDocuments';
import { getSides, getTitle, type Naming, type Waiting } from './pendingChanges';
import { turnName } from './turnNames';
import { uncertainSides } from './uncertainChanges';

/** Maximum number of files in one editor. */
const maxFiles = 200;
/** Editors whose target is known; further ones lose the actions in their title. */
const maxEditors = 50;

/** What a multi-diff editor shows. */
export interface ReviewTarget {
  readonly reviews: readonly SessionReview[];
  /** The turn to which it is limited; the left sides are the files before it. */
  readonly turn?: number;
}

/** Opens changes in VS Code's multi-diff editor, and knows later what each of these editors is about. */
export class ReviewEditors implements Disposable {
  readonly #naming: Naming;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  /** Fires when another tab becomes active, or a tab gets another title. */
  readonly onDidChangeActive = this.#changed.event;
  /** The targets, by the title of their tab. */
  readonly #targets = new Map<string, ReviewTarget>();

  constructor(naming: Naming) {
    this.#naming = naming;
    const fire = (): void => this.#changed.fire();
    this.#store.add(vscode.window.tabGroups.onDidChangeTabs(fire));
    this.#store.add(vscode.window.tabGroups.onDidChangeTabGroups(fire));
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** What the active editor shows, if it is one of these. */
  get active(): ReviewTarget | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab && this.#findTarget(tab);
  }

  /** Whether the active editor shows many files, or the changes of one. */
  get kind(): 'all' | 'file' | 'none' {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    if (input instanceof vscode.TabInputTextDiff && isBaseline(input.original)) {
      return 'file';
    }
    return this.active === undefined ? 'none' : 'all';
  }

  async open(target: ReviewTarget): Promise<void> {
    const all = getFiles(target);
    const [only] = target.reviews;
    if (all.length === 0 && only !== undefined && target.turn !== undefined) {
      await this.#openDecided(only, target.turn);
      return;
    }
    // VS Code itself says which files are binary; larger ones have no text to compare.
    const shown = all
      .filter(({ pending: { form } }) => form === 'text' || form === 'binary')
      .slice(0, maxFiles);
    if (shown.length === 0) {
      sayNothingToCompare(all.length);
      return;
    }
    const name = this.#getName(target, shown.length, all.length);
    this.#remember(name, target);
    const resources = shown.map((waiting) => {
      const { before, now } = getSides(waiting, target.turn);
      const { kind, file } = waiting.pending;
      return [
        vscode.Uri.file(file),
        kind === 'added' ? undefined : before,
        kind === 'deleted' ? undefined : now,
      ];
    });
    await vscode.commands.executeCommand('vscode.changes', name, resources);
    this.#changed.fire();
  }

  /** What may be another session's. Nothing is decided there about all of it. */
  async openUncertain(review: SessionReview): Promise<void> {
    await review.settleUndone();
    if (review.uncertain.length === 0) {
      void showInformationMessage(l10n.t('These changes aren’t in the files any more.'));
      return;
    }
    const shown = review.uncertain
      .filter(({ form }) => form === 'text' || form === 'binary')
      .slice(0, maxFiles);
    if (shown.length === 0) {
      sayNothingToCompare(review.uncertain.length);
      return;
    }
    const resources = shown.map((file) => {
      const { before, now } = uncertainSides({ review, file });
      return [
        vscode.Uri.file(file.file),
        file.kind === 'added' ? undefined : before,
        file.kind === 'deleted' ? undefined : now,
      ];
    });
    const title = l10n.t('Changed by Several: {0}', getTitle(review, this.#naming));
    await vscode.commands.executeCommand('vscode.changes', title, resources);
  }

  /**
   * What a turn did of which nothing waits any more; both sides are read-only where the file has changed since. What
   * can't be compared is listed, too, so that nobody takes it for missing.
   */
  async #openDecided(review: SessionReview, turn: number): Promise<void> {
    const { state, files } = review.turns.find((one) => one.turn === turn) ?? {};
    const all = await review.getFiles(turn, maxFiles);
    if (state === undefined || files === undefined || all.length === 0) {
      void showInformationMessage(l10n.t('In the end, this turn left all files as they were.'));
      return;
    }
    const about = this.#describeTarget({ reviews: [review], turn });
    const isPart = all.length === maxFiles && maxFiles < files.length;
    const name = decidedTitle(
      state,
      isPart ? l10n.t('{0} ({1} of {2})', about, all.length, files.length) : about,
    );
    const resources = all.map((file) => {
      const { kind, form } = file;
      const real = vscode.Uri.file(file.file);
      const isReal = file.isAsLeft && form === 'text';
      const after = isReal ? real : pastUri(review, turn, file, 'after');
      // What says that there is no text is said once.
      const past = kind === 'deleted' ? file : { ...file, form: 'text' as const };
      return [
        real,
        kind === 'added' ? undefined : pastUri(review, turn, past, 'before'),
        kind === 'deleted' ? undefined : after,
      ];
    });
    await vscode.commands.executeCommand('vscode.changes', name, resources);
  }

  /** Closes the editors in which nothing waits any more. */
  async closeDecided(): Promise<void> {
    const decided = vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter((tab) => {
        const target = this.#findTarget(tab);
        return target !== undefined && getFiles(target).length === 0;
      });
    if (decided.length > 0) {
      await vscode.window.tabGroups.close(decided, true);
    }
  }

  #getName(target: ReviewTarget, shown: number, all: number): string {
    const about = this.#describeTarget(target);
    return shown < all
      ? l10n.t('Review: {0} ({1} of {2})', about, shown, all)
      : l10n.t('Review: {0}', about);
  }

  #describeTarget({ reviews, turn }: ReviewTarget): string {
    const [only, ...others] = reviews;
    if (only === undefined || others.length > 0) {
      return l10n.t('{0} sessions', reviews.length);
    }
    const session = getTitle(only, this.#naming);
    return turn === undefined
      ? session
      : `${session}, ${turnName(only, turn, this.#naming.sessions)}`;
  }

  #remember(name: string, target: ReviewTarget): void {
    this.#targets.delete(name);
    this.#targets.set(name, target);
    const [oldest] = this.#targets.keys();
    if (this.#targets.size > maxEditors && oldest !== undefined) {
      this.#targets.delete(oldest);
    }
  }

  #findTarget(tab: vscode.Tab): ReviewTarget | undefined {
    const name = [...this.#targets.keys()].findLast((known) => isMultiDiff(tab, known));
    return name === undefined ? undefined : this.#targets.get(name);
  }
}

function sayNothingToCompare(files: number): void {
  void showInformationMessage(
    files === 0
      ? l10n.t('No changes wait for review.')
      : l10n.t(
          'The changed files can’t be compared. Decide about them in the Source Control view.',
        ),
  );
}

/** The title of a decision, in the transcript's words. */
function decidedTitle(state: TurnReview['state'], about: string): string {
  switch (state) {
    case 'kept':
      return l10n.t('Kept: {0}', about);
    case 'undone':
      return l10n.t('Undone: {0}', about);
    case 'partly':
    case 'pending':
      return l10n.t('Partly kept: {0}', about);
  }
}

function getFiles({ reviews, turn }: ReviewTarget): readonly Waiting[] {
  const counts = ({ turns }: PendingFile): boolean => turn === undefined || turns.includes(turn);
  return reviews.flatMap((review) =>
    review.pending.filter(counts).map((pending) => ({ review, pending })),
  );
}
