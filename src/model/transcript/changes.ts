import { type Diff, diffsIn } from '../../shared/transcript/content';
import type { Entry, PermissionEntry, TranscriptChange } from '../../shared/transcript/entries';
import { Emitter } from '../../util/emitter';
import { chosenKind } from '../requests/chosenKind';

/** What a session did to a file. */
export interface SessionChange {
  readonly path: string;
  /** In their order. Each is of the whole file or of a part of it; agents don't say which. */
  readonly edits: readonly Diff[];
}

/** The files that a session's tool calls changed, in the order of their first change. */
export class SessionChanges {
  readonly #entries: () => readonly Entry[];
  #files: readonly SessionChange[] | undefined;
  /** Places of the calls that changed something: a later word of the agent can take that back. */
  readonly #calls = new Set<number>();
  /** What was allowed, by call: some agents show a change when they ask, and no more when it is made. */
  readonly #allowed = new Map<string, readonly Diff[]>();
  readonly #changed = new Emitter<void>();
  /** The files may be others now. Fires for each call of a replay, too: whoever listens waits a little. */
  readonly onDidChange = this.#changed.event;

  constructor(entries: () => readonly Entry[]) {
    this.#entries = entries;
  }

  /** The same array as long as nothing has changed. */
  get files(): readonly SessionChange[] {
    this.#files ??= this.#gather();
    return this.#files;
  }

  /** Takes a change of the transcript. */
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

  /** Only what was completed has changed anything. */
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
