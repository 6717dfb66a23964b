import { type Diff, diffsIn } from '../../shared/transcript/content';
import type { Entry, PermissionEntry, TranscriptChange } from '../../shared/transcript/entries';
import { Emitter } from '../../util/emitter';
import { chosenKind } from './chosenKind';

/** The edits that a session made to a file. */
export interface SessionChange {
  readonly path: string;
  /**
   * In the order in which they were made. Each covers the whole file or a part; agents don't say
   * which.
   */
  readonly edits: readonly Diff[];
}

/** The files that a session's tool calls changed, in the order of their first change. */
export class SessionChanges {
  readonly #entries: () => readonly Entry[];
  #files: readonly SessionChange[] | undefined;
  /** Indexes of the calls that changed files; a later update can undo this. */
  readonly #calls = new Set<number>();
  /**
   * Allowed diffs by call id: some agents include a diff in the permission request but not in the
   * completed call.
   */
  readonly #allowed = new Map<string, readonly Diff[]>();
  readonly #changed = new Emitter<void>();
  /**
   * The files may have changed. Also fires for each call of a replay, so listeners should debounce.
   */
  readonly onDidChange = this.#changed.event;

  constructor(entries: () => readonly Entry[]) {
    this.#entries = entries;
  }

  /** The same array until something changes. */
  get files(): readonly SessionChange[] {
    this.#files ??= this.#gather();
    return this.#files;
  }

  /** Takes in a change of the transcript. */
  note(change: TranscriptChange): void {
    if (change.type === 'reset') {
      this.#calls.clear();
      this.#allowed.clear();
    } else {
      const index = change.type === 'updated' ? change.index : change.from;
      const entry = this.#entries()[index];
      if (entry?.kind === 'permission' && isAllowed(entry)) {
        this.#allowed.set(entry.toolCall.toolCallId, diffsIn(entry.toolCall.content));
      }
      if (this.#diffsAt(index).length > 0) {
        this.#calls.add(index);
      } else if (!this.#calls.delete(index)) {
        return;
      }
    }
    this.#files = undefined;
    this.#changed.fire();
  }

  #diffsAt(index: number): readonly Diff[] {
    const entry = this.#entries()[index];
    return entry === undefined ? [] : this.#diffsOf(entry);
  }

  /** Only completed calls have changed anything. */
  #diffsOf(entry: Entry): readonly Diff[] {
    if (entry.kind !== 'toolCall' || entry.status !== 'completed') {
      return [];
    }
    const diffs = diffsIn(entry.content);
    return diffs.length > 0 ? diffs : (this.#allowed.get(entry.toolCallId) ?? []);
  }

  #gather(): readonly SessionChange[] {
    const files = new Map<string, Diff[]>();
    const calls = [...this.#calls].sort((a, b) => a - b);
    for (const edit of calls.flatMap((index) => this.#diffsAt(index))) {
      const edits = files.get(edit.path);
      if (edits === undefined) {
        files.set(edit.path, [edit]);
      } else {
        edits.push(edit);
      }
    }
    return [...files].map(([path, edits]) => ({ path, edits }));
  }
}

function isAllowed(permission: PermissionEntry): boolean {
  const kind = chosenKind(permission);
  return kind === 'allow_once' || kind === 'allow_always';
}
