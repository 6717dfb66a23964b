import { resolve } from 'node:path';
import * as vscode from 'vscode';
import type { Session } from '../../../model/session/session';
import { holds } from '../../../model/transcript/textBefore';
import type { PathContext } from '../../../platform/openers';
import type { Diff, FileChange } from '../../../shared/transcript/content';
import type { ChangedFile } from '../../../shared/transcript/webviewMessages';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Effort } from '../../../util/effort';
import { Emitter } from '../../../util/emitter';
import { sessionFile, textOfFile } from '../../sessionFiles';
import { type DiffBounds, drawDiff } from '../rows/drawDiff';
import { shortPath } from '../rows/drawTexts';

type RecordedChange = Session['changes']['files'][number];

/** Maximum number of files to list. */
const maxFiles = 500;
/** Steps for comparing one file, and for one pass over all files; the rest are compared after a pause. */
const fileEffort = 300_000;
const sliceEffort = 300_000;
/** Bounds with which only the numbers of lines are counted. */
const counted: DiffBounds = { lines: 0, lineLength: 0, compared: new WeakMap() };
/** Files that change within this time, in ms, are checked together. */
const pause = 200;

interface Known {
  readonly recorded: RecordedChange;
  readonly file: ChangedFile;
}

/** The files that a session has changed, and whether each is still as the session left it. */
export class ChangedFiles implements Disposable {
  readonly #recorded: () => readonly RecordedChange[];
  readonly #context: PathContext;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  #known = new Map<string, Known>();
  #files: readonly ChangedFile[] = [];
  /** Paths to check. */
  readonly #due = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;
  #isWatching = false;

  constructor(recorded: () => readonly RecordedChange[], context: PathContext) {
    this.#recorded = recorded;
    this.#context = context;
    this.refresh();
  }

  get files(): readonly ChangedFile[] {
    return this.#files;
  }

  /** Refreshes once for all changes within the pause. */
  refreshSoon(): void {
    this.#refreshTimer ??= setTimeout(() => {
      this.#refreshTimer = undefined;
      this.refresh();
    }, pause);
  }

  /** Updates the list from the session's recorded changes. */
  refresh(): void {
    const before = this.#known;
    this.#known = new Map();
    const effort = new Effort(sliceEffort);
    let isNew = false;
    for (const recorded of this.#recorded().slice(0, maxFiles)) {
      const known = before.get(recorded.path);
      const isSame = known !== undefined && sameChange(known.recorded, recorded);
      if (!isSame && !effort.isSpent) {
        isNew = true;
        this.#known.set(recorded.path, { recorded, file: this.#draw(recorded, effort) });
        this.#due.add(recorded.path);
      } else if (known !== undefined) {
        this.#known.set(recorded.path, known);
      }
    }
    if (effort.isSpent) {
      this.refreshSoon();
    }
    if (isNew || before.size !== this.#known.size) {
      this.#publish();
      this.#watch();
      this.#lookSoon();
    }
  }

  /** Checks all files again: they may have changed while the tab was hidden. */
  lookAgain(): void {
    for (const file of this.#known.keys()) {
      this.#due.add(file);
    }
    this.#lookSoon();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#refreshTimer);
    this.#store.dispose();
  }

  #draw(recorded: RecordedChange, effort: Effort): ChangedFile {
    const own = new Effort(fileEffort);
    const drawn = drawChange(recorded, this.#context.cwd, own);
    effort.spend(fileEffort - own.left);
    return drawn;
  }

  #watch(): void {
    if (this.#isWatching || this.#known.size === 0) {
      return;
    }
    this.#isWatching = true;
    const watcher = this.#store.add(vscode.workspace.createFileSystemWatcher('**/*'));
    const look = ({ fsPath }: vscode.Uri): void => this.#noteFile(fsPath);
    this.#store.add(watcher.onDidChange(look));
    this.#store.add(watcher.onDidCreate(look));
    this.#store.add(watcher.onDidDelete(look));
    // The watcher doesn't report files outside the workspace.
    this.#store.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => look(uri)));
  }

  #noteFile(fsPath: string): void {
    for (const file of this.#known.keys()) {
      if (resolve(this.#context.cwd, file) === fsPath) {
        this.#due.add(file);
        this.#lookSoon();
      }
    }
  }

  #lookSoon(): void {
    if (this.#due.size > 0 && !this.#store.disposed) {
      this.#timer ??= setTimeout(() => {
        void this.#look().finally(() => {
          this.#timer = undefined;
          this.#lookSoon();
        });
      }, pause);
    }
  }

  async #look(): Promise<void> {
    const due = [...this.#due];
    this.#due.clear();
    let isNew = false;
    for (const file of due) {
      const known = this.#known.get(file);
      if (known !== undefined) {
        const state = await findState(known.recorded, this.#context);
        // The session may have changed it again meanwhile; then it is due again.
        if (this.#known.get(file) === known && known.file.state !== state) {
          const { state: _, ...rest } = known.file;
          const drawn = { ...rest, ...(state !== undefined && { state }) };
          this.#known.set(file, { ...known, file: drawn });
          isNew = true;
        }
      }
    }
    if (isNew && !this.#store.disposed) {
      this.#publish();
    }
  }

  #publish(): void {
    this.#files = [...this.#known.values()].map(({ file }) => file);
    this.#changed.fire();
  }
}

/** A changed file with the numbers of its lines, as far as the effort suffices to count them. */
export function drawChange(
  { path, edits, change }: RecordedChange,
  cwd: string,
  effort: Effort,
): ChangedFile {
  const label = shortPath(path, cwd);
  let added = 0;
  let removed = 0;
  for (const edit of edits) {
    const lines = drawDiff(edit, label, counted, effort);
    added += lines.added;
    removed += lines.removed;
  }
  const kind = change && kinds[change.operation];
  return { path, label, added, removed, ...(kind && { kind }) };
}

const kinds: Readonly<Partial<Record<FileChange['operation'], NonNullable<ChangedFile['kind']>>>> =
  {
    add: 'added',
    copy: 'added',
    delete: 'deleted',
    move: 'moved',
  };

function sameChange(a: RecordedChange, b: RecordedChange): boolean {
  return (
    a === b ||
    (sameOperation(a.change, b.change) &&
      a.edits.length === b.edits.length &&
      a.edits.every((edit, at) => b.edits[at] !== undefined && sameEdit(edit, b.edits[at])))
  );
}

function sameOperation(a: FileChange | undefined, b: FileChange | undefined): boolean {
  return a === b || (a?.operation === b?.operation && a?.oldPath === b?.oldPath);
}

function sameEdit(a: Diff, b: Diff): boolean {
  return a === b || (a.oldText === b.oldText && a.newText === b.newText);
}

async function findState(
  { path: file, edits, change }: RecordedChange,
  context: PathContext,
): Promise<ChangedFile['state']> {
  const found = await sessionFile(file, context);
  const isDeleted = change?.operation === 'delete';
  switch (found.kind) {
    case 'missing':
      return isDeleted ? 'same' : 'missing';
    case 'outside':
      return undefined;
    case 'there': {
      if (isDeleted) {
        return 'changedSince';
      }
      const last = edits.at(-1);
      const text = await textOfFile(found.real);
      return last === undefined || text === undefined ? undefined : stateAfter(last, text);
    }
  }
}

/** A removed part leaves nothing in the file to compare with. */
function stateAfter(last: Diff, text: string): ChangedFile['state'] {
  if (last.newText === '') {
    return text === '' ? 'same' : undefined;
  }
  return holds(text, last) ? 'same' : 'changedSince';
}
