import type { Diff, FileChange, ToolContent } from '../../shared/transcript/content';
import type {
  Entry,
  PermissionEntry,
  ToolCallEntry,
  TranscriptChange,
} from '../../shared/transcript/entries';
import { numberAt, placeIn } from '../../shared/transcript/places';
import { Emitter } from '../../util/emitter';
import { ownContent } from '../calls/readCall';
import { chosenKind } from './askedCalls';

/** The edits that a session made to a file. */
export interface SessionChange {
  readonly path: string;
  /**
   * In the order in which they were made. Each covers the whole file or a part; agents don't say
   * which.
   */
  readonly edits: readonly Diff[];
  /** What happened to the file besides, the last of it. Edits of a moved file were made under its earlier names, too. */
  readonly change?: FileChange;
}

/** A part of a call that changes a file. */
type FilePart = Diff | FileChange;

/** The files that a session's tool calls changed, in the order of their first change. */
export class SessionChanges {
  readonly #entryAt: (place: number) => Entry | undefined;
  #files: readonly SessionChange[] | undefined;
  /** Places of the calls that changed files; a later update can undo this. */
  readonly #calls = new Set<number>();
  /**
   * Allowed changes by subagent and call id: some agents include a diff in the permission request but
   * not in the completed call.
   */
  readonly #allowed = new Map<string, readonly FilePart[]>();
  readonly #changed = new Emitter<void>();
  /**
   * The files may have changed. Also fires for each call of a replay, so listeners should debounce.
   */
  readonly onDidChange = this.#changed.event;

  constructor(entryAt: (place: number) => Entry | undefined) {
    this.#entryAt = entryAt;
  }

  /** The changed files, in the same array until something changes. */
  get files(): readonly SessionChange[] {
    this.#files ??= this.filesIn(() => true);
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
        this.#allowed.set(key, partsIn(entry.toolCall.content));
      }
      if (entry?.kind !== 'toolCall') {
        return;
      }
      if (this.#getParts(entry, number).length > 0) {
        this.#calls.add(place);
      } else if (change.type === 'appended' || !this.#calls.delete(place)) {
        return;
      }
    }
    this.#files = undefined;
    this.#changed.fire();
  }

  #partsAt(place: number): readonly FilePart[] {
    const entry = this.#entryAt(place);
    return entry === undefined ? [] : this.#getParts(entry, numberAt(place));
  }

  /** The parts of an entry that changed files; only completed calls have. */
  #getParts(entry: Entry, number: number): readonly FilePart[] {
    if (entry.kind !== 'toolCall' || entry.status !== 'completed') {
      return [];
    }
    // What was asked about has the text before, which an input may lack.
    const own = partsIn(ownContent(entry.content));
    const allowed = own.length > 0 ? own : (this.#allowed.get(callKey(number, entry)) ?? []);
    return allowed.length > 0 ? allowed : partsIn(entry.content);
  }

  /** The files, limited to what the calls for which `isMeant` is true have done to a file. */
  filesIn(isMeant: (place: number, file: string) => boolean): readonly SessionChange[] {
    const files = new Map<string, { readonly edits: Diff[]; change?: FileChange }>();
    const calls = [...this.#calls].sort((a, b) => a - b);
    const parts = calls.flatMap((place) =>
      this.#partsAt(place).filter((part) => isMeant(place, part.path)),
    );
    for (const part of parts) {
      const file = files.get(part.path) ?? { edits: [] };
      files.set(part.path, file);
      if (part.type === 'diff') {
        file.edits.push(part);
        continue;
      }
      file.change = part;
      const { operation, path, oldPath = path } = part;
      if (operation === 'move' && oldPath !== path) {
        file.edits.unshift(...(files.get(oldPath)?.edits ?? []));
        files.delete(oldPath);
      }
    }
    return [...files].map(([path, file]) => ({ path, ...file }));
  }
}

function partsIn(content: readonly ToolContent[]): readonly FilePart[] {
  return content.filter((part) => part.type === 'diff' || part.type === 'fileChange');
}

function callKey(number: number, { toolCallId }: ToolCallEntry): string {
  return `${number} ${toolCallId}`;
}

function isAllowed(permission: PermissionEntry): boolean {
  const kind = chosenKind(permission);
  return kind === 'allow_once' || kind === 'allow_always';
}
