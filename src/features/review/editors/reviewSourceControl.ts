import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { PendingFile } from '../../../model/changes/reviews';
import { sessionKey } from '../../../model/list/sessionInfo';
import { onFirstRepository } from '../../../platform/gitRepositories';
import { type Disposable, DisposableStore, toDisposable } from '../../../util/disposable';
import type { Reviews, SessionReview } from '../model/review';
import { baselineUri } from './baselineDocuments';
import {
  fileName,
  getChangeCommand,
  getTitle,
  type Naming,
  type Waiting,
  waitingIn,
  whoseTurn,
} from './pendingChanges';
import { showUncertain, type Uncertain, uncertainText } from './uncertainChanges';

const sourceControlId = 'acpSessionsReview';
/** Steps of a record that arrive within this time, in ms, are shown together. */
const settleMs = 100;
/** Files of a session that get a row. */
const maxRows = 1_000;

/** A file's row in the view of source controls; VS Code passes it to the commands of its menu. */
interface FileRow extends vscode.SourceControlResourceState {
  readonly waiting: Waiting;
}

/** The row of a file with changes that may be another session's. */
interface UncertainRow extends vscode.SourceControlResourceState {
  readonly uncertain: Uncertain;
}

/** The rows of a session: of what waits for review, or of what is uncertain. */
interface Group {
  readonly review: SessionReview;
  readonly group: vscode.SourceControlResourceGroup;
  shown: SessionReview['pending'] | SessionReview['uncertain'];
}

/**
 * VS Code's source control for changes to review, while there are any: marks and the inline peek in editors, and a
 * group of files for each session.
 */
export class ReviewSourceControl implements Disposable {
  readonly #reviews: Reviews;
  readonly #naming: Naming;
  readonly #store = new DisposableStore();
  #control: vscode.SourceControl | undefined;
  readonly #groups = new Map<string, Group>();
  readonly #uncertain = new Map<string, Group>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(reviews: Reviews, naming: Naming) {
    this.#reviews = reviews;
    this.#naming = naming;
    this.#store.add(
      reviews.onDidChange(() => {
        this.#timer ??= setTimeout(() => this.#update(), settleMs);
      }),
    );
    this.#store.add(toDisposable(() => clearTimeout(this.#timer)));
    // The first source control is the one whose commands VS Code has in the status bar, until the user chooses another.
    this.#store.add(
      onFirstRepository(() => {
        this.#remove();
        this.#update();
      }),
    );
    this.#update();
  }

  dispose(): void {
    this.#store.dispose();
    this.#remove();
  }

  /** The files of the rows that a command was called on. */
  getFiles(rows: readonly unknown[]): readonly Waiting[] {
    return rowsIn(this.#groups, rows).map((row) => (row as FileRow).waiting);
  }

  /** The uncertain changes among the rows. */
  getUncertainRows(rows: readonly unknown[]): readonly Uncertain[] {
    return rowsIn(this.#uncertain, rows).map((row) => (row as UncertainRow).uncertain);
  }

  /** The session whose group a command was called on. */
  findSession(group: unknown): SessionReview | undefined {
    return [...this.#groups.values()].find((known) => known.group === group)?.review;
  }

  /** The session whose uncertain changes are in the group that a command was called on. */
  findUncertainSession(group: unknown): SessionReview | undefined {
    return [...this.#uncertain.values()].find((known) => known.group === group)?.review;
  }

  #update(): void {
    this.#timer = undefined;
    const { all } = this.#reviews;
    const waiting = all.filter(({ pending }) => pending.length > 0);
    const unsure = all.filter(({ uncertain }) => uncertain.length > 0);
    removeOthers(this.#groups, waiting);
    removeOthers(this.#uncertain, unsure);
    if (waiting.length === 0 && unsure.length === 0) {
      this.#remove();
      return;
    }
    this.#control ??= this.#create();
    for (const review of waiting) {
      this.#show(review, this.#control);
    }
    for (const review of unsure) {
      this.#showUncertain(review, this.#control);
    }
  }

  #create(): vscode.SourceControl {
    const control = vscode.scm.createSourceControl(sourceControlId, 'ACP Sessions');
    control.inputBox.visible = false;
    // The view's badge counts what isn't committed, which includes these files.
    control.count = 0;
    control.quickDiffProvider = {
      provideOriginalResource: ({ scheme, fsPath }) => {
        const found = scheme === 'file' ? waitingIn(this.#reviews, fsPath) : undefined;
        return found?.pending.form === 'text' && found.pending.kind !== 'deleted'
          ? baselineUri(found.review, found.pending)
          : undefined;
      },
    };
    return control;
  }

  /** New rows also make VS Code ask for the marks of its editors again. */
  #show(review: SessionReview, control: vscode.SourceControl): void {
    const { pending } = review;
    const shown = getGroup(this.#groups, review, (key) => control.createResourceGroup(key, ''));
    shown.group.label = getTitle(review, this.#naming);
    if (shown.shown !== pending) {
      shown.shown = pending;
      shown.group.resourceStates = pending
        .slice(0, maxRows)
        .map((file) => this.#row({ review, pending: file }));
    }
  }

  /** Apart from what waits, so that no decision about all of that is about these. */
  #showUncertain(review: SessionReview, control: vscode.SourceControl): void {
    const { uncertain } = review;
    const shown = getGroup(this.#uncertain, review, (key) =>
      control.createResourceGroup(`uncertain ${key}`, ''),
    );
    shown.group.label = l10n.t(
      '{0}: changed while others were at work, too',
      getTitle(review, this.#naming),
    );
    if (shown.shown !== uncertain) {
      shown.shown = uncertain;
      shown.group.resourceStates = uncertain
        .slice(0, maxRows)
        .map((file) => this.#uncertainRow({ review, file }));
    }
  }

  #uncertainRow(uncertain: Uncertain): UncertainRow {
    const { file, kind, added, removed, form } = uncertain.file;
    const lines = form === 'text' ? [`+${added} −${removed}`] : [];
    return {
      uncertain,
      resourceUri: vscode.Uri.file(file),
      command: showUncertain(uncertain),
      contextValue: kind,
      decorations: {
        tooltip: [
          kindText({ kind, isOutside: false }),
          uncertainText(uncertain, this.#naming),
          ...lines,
        ].join(', '),
        strikeThrough: kind === 'deleted',
        faded: true,
        iconPath: new vscode.ThemeIcon('question'),
      },
    };
  }

  #row(waiting: Waiting): FileRow {
    const { file, kind, added, removed, isOutside, form } = waiting.pending;
    const lines = form === 'text' ? [`+${added} −${removed}`] : [];
    return {
      waiting,
      resourceUri: vscode.Uri.file(file),
      command: getChangeCommand(waiting),
      contextValue: isOutside ? 'outside' : kind,
      decorations: {
        tooltip: [kindText(waiting.pending), whoseTurn(waiting, this.#naming), ...lines].join(', '),
        strikeThrough: kind === 'deleted',
        faded: isOutside,
        iconPath: new vscode.ThemeIcon(
          `diff-${iconOf[kind]}`,
          new vscode.ThemeColor(colorOf[kind]),
        ),
      },
    };
  }

  #remove(): void {
    removeOthers(this.#groups, []);
    removeOthers(this.#uncertain, []);
    this.#control?.dispose();
    this.#control = undefined;
  }
}

const iconOf = {
  modified: 'modified',
  added: 'added',
  deleted: 'removed',
  moved: 'renamed',
} as const satisfies Record<PendingFile['kind'], string>;

const colorOf = {
  modified: 'gitDecoration.modifiedResourceForeground',
  added: 'gitDecoration.addedResourceForeground',
  deleted: 'gitDecoration.deletedResourceForeground',
  moved: 'gitDecoration.renamedResourceForeground',
} as const satisfies Record<PendingFile['kind'], string>;

function kindText({
  kind,
  movedFrom,
  isOutside,
}: Pick<PendingFile, 'kind' | 'movedFrom' | 'isOutside'>): string {
  if (isOutside) {
    return l10n.t('Outside of the session’s folders');
  }
  switch (kind) {
    case 'modified':
      return l10n.t('Modified');
    case 'added':
      return l10n.t('Added');
    case 'deleted':
      return l10n.t('Deleted');
    case 'moved':
      return l10n.t('Moved from {0}', fileName(movedFrom ?? ''));
  }
}

/** The group of a session, made if there is none. */
function getGroup(
  groups: Map<string, Group>,
  review: SessionReview,
  create: (key: string) => vscode.SourceControlResourceGroup,
): Group {
  const key = getKey(review);
  let found = groups.get(key);
  if (found === undefined) {
    const group = create(key);
    group.hideWhenEmpty = true;
    found = { review, group, shown: [] };
    groups.set(key, found);
  }
  return found;
}

/** Removes the groups of all sessions but these. */
function removeOthers(groups: Map<string, Group>, reviews: readonly SessionReview[]): void {
  const keys = new Set(reviews.map(getKey));
  for (const [key, { group }] of groups) {
    if (!keys.has(key)) {
      group.dispose();
      groups.delete(key);
    }
  }
}

/** The rows that are in these groups; VS Code passes any. */
function rowsIn(
  groups: ReadonlyMap<string, Group>,
  rows: readonly unknown[],
): readonly vscode.SourceControlResourceState[] {
  const known = new Set(
    [...groups.values()].flatMap(({ group }): readonly unknown[] => group.resourceStates),
  );
  return rows.filter((row): row is vscode.SourceControlResourceState => known.has(row));
}

function getKey({ agentId, sessionId }: SessionReview): string {
  return sessionKey(agentId, sessionId);
}
