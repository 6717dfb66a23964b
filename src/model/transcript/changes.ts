import { type Diff, diffsIn } from '../../shared/transcript/content';
import type {
  Entry,
  PermissionEntry,
  ToolCallEntry,
  TranscriptChange,
} from '../../shared/transcript/entries';
import { numberAt, placeIn } from '../../shared/transcript/places';
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
  readonly #entryAt: (place: number) => Entry | undefined;
  #files: readonly SessionChange[] | undefined;
  /** Places of the calls that changed files; a later update can undo this. */
  readonly #calls = new Set<number>();
  /**
   * Allowed diffs by subagent and call id: some agents include a diff in the permission request but
   * not in the completed call.
   */
  readonly #allowed = new Map<string, readonly Diff[]>();
  readonly #changed = new Emitter<void>();
  /**
   * The files may have changed. Also fires for each call of a replay, so listeners should debounce.
   */
  readonly onDidChange = this.#changed.event;

  constructor(entryAt: (place: number) => Entry | undefined) {
    this.#entryAt = entryAt;
  }

  /** The same array until something changes. */
  get files(): readonly SessionChange[] {
    this.#files ??= this.#gather();
    return this.#files;
  }

  /** Takes in a change of the transcript of the session, or of the subagent with this number. */
  note(change: TranscriptChange, number = 0): void {
    if (change.type === 'reset') {
      this.#calls.clear();
      this.#allowed.clear();
    } else {
      const place = placeIn(number, change.type === 'updated' ? change.index : change.from);
      const entry = this.#entryAt(place);
      if (entry?.kind === 'permission' && isAllowed(entry)) {
        const key = callKey(entry.from?.number ?? 0, entry.toolCall);
        this.#allowed.set(key, diffsIn(entry.toolCall.content));
      }
      if (entry?.kind !== 'toolCall') {
        return;
      }
      if (this.#diffsOf(entry, number).length > 0) {
        this.#calls.add(place);
      } else if (!this.#calls.delete(place)) {
        return;
      }
    }
    this.#files = undefined;
    this.#changed.fire();
  }

  #diffsAt(place: number): readonly Diff[] {
    const entry = this.#entryAt(place);
    return entry === undefined ? [] : this.#diffsOf(entry, numberAt(place));
  }

  /** Only completed calls have changed anything. */
  #diffsOf(entry: Entry, number: number): readonly Diff[] {
    if (entry.kind !== 'toolCall' || entry.status !== 'completed') {
      return [];
    }
    const diffs = diffsIn(entry.content);
    return diffs.length > 0 ? diffs : (this.#allowed.get(callKey(number, entry)) ?? []);
  }

  #gather(): readonly SessionChange[] {
    const files = new Map<string, Diff[]>();
    const calls = [...this.#calls].sort((a, b) => a - b);
    for (const edit of calls.flatMap((place) => this.#diffsAt(place))) {
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

function callKey(number: number, { toolCallId }: ToolCallEntry): string {
  return `${number} ${toolCallId}`;
}

function isAllowed(permission: PermissionEntry): boolean {
  const kind = chosenKind(permission);
  return kind === 'allow_once' || kind === 'allow_always';
}
