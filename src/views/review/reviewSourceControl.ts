import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sessionKey } from '../../model/list/sessionInfo';
import type { PendingFile, Reviews, SessionReview } from '../../model/review/review';
import { type Disposable, DisposableStore, toDisposable } from '../../util/disposable';
import { baselineUri } from './baselineDocuments';
import {
  fileName,
  type Naming,
  showChange,
  titleOf,
  type Waiting,
  waitingIn,
  whoseTurn,
} from './pendingChanges';

const sourceControlId = 'acpSessionsReview';
/** Steps of a record that arrive within this time, in ms, are shown together. */
const settleMs = 100;
/** Files of a session that get a row. */
const mostRows = 1_000;

/** A file's row in the view of source controls; VS Code passes it to the commands of its menu. */
interface FileRow extends vscode.SourceControlResourceState {
  readonly waiting: Waiting;
}

interface Group {
  readonly review: SessionReview;
  readonly group: vscode.SourceControlResourceGroup;
  pending: readonly PendingFile[];
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
    this.#update();
  }

  dispose(): void {
    this.#store.dispose();
    this.#remove();
  }

  /** The files of the rows that a command was called on. */
  filesOf(rows: readonly unknown[]): readonly Waiting[] {
    const known = new Set(
      [...this.#groups.values()].flatMap(({ group }): readonly unknown[] => group.resourceStates),
    );
    return rows.filter((row): row is FileRow => known.has(row)).map(({ waiting }) => waiting);
  }

  /** The session whose group a command was called on. */
  sessionOf(group: unknown): SessionReview | undefined {
    return [...this.#groups.values()].find((known) => known.group === group)?.review;
  }

  #update(): void {
    this.#timer = undefined;
    const waiting = this.#reviews.all.filter(({ pending }) => pending.length > 0);
    const keys = new Set(waiting.map(keyOf));
    for (const [key, { group }] of this.#groups) {
      if (!keys.has(key)) {
        group.dispose();
        this.#groups.delete(key);
      }
    }
    if (waiting.length === 0) {
      this.#remove();
      return;
    }
    this.#control ??= this.#create();
    for (const review of waiting) {
      this.#show(review, this.#control);
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
    const key = keyOf(review);
    let shown = this.#groups.get(key);
    const label = titleOf(review, this.#naming);
    if (shown === undefined) {
      const group = control.createResourceGroup(key, label);
      group.hideWhenEmpty = true;
      shown = { review, group, pending: [] };
      this.#groups.set(key, shown);
    }
    shown.group.label = label;
    if (shown.pending !== review.pending) {
      shown.pending = review.pending;
      shown.group.resourceStates = review.pending
        .slice(0, mostRows)
        .map((pending) => this.#row({ review, pending }));
    }
  }

  #row(waiting: Waiting): FileRow {
    const { file, kind, added, removed, isOutside, form } = waiting.pending;
    const lines = form === 'text' ? [`+${added} −${removed}`] : [];
    return {
      waiting,
      resourceUri: vscode.Uri.file(file),
      command: showChange(waiting),
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
    for (const { group } of this.#groups.values()) {
      group.dispose();
    }
    this.#groups.clear();
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

function kindText({ kind, movedFrom, isOutside }: PendingFile): string {
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

function keyOf({ agentId, sessionId }: SessionReview): string {
  return sessionKey(agentId, sessionId);
}
