import type { Entry, TranscriptChange } from '../shared/entries';

/** What a session made of a file: from before its first change to after its last one. */
export interface SessionChange {
  readonly path: string;
  /** `null`: the file was new. */
  readonly oldText: string | null;
  readonly newText: string;
}

/** The files that a session's tool calls changed, in the order of their first change. */
export class SessionChanges {
  readonly #entries: () => readonly Entry[];
  #files: readonly SessionChange[] | undefined;
  /** Places of the calls that changed something: a later word of the agent can take that back. */
  readonly #calls = new Set<number>();

  constructor(entries: () => readonly Entry[]) {
    this.#entries = entries;
  }

  /** The same array as long as nothing has changed. */
  get files(): readonly SessionChange[] {
    this.#files ??= gather(this.#entries());
    return this.#files;
  }

  /** Takes a change of the transcript; whether the files may be others now. */
  note(change: TranscriptChange): boolean {
    if (change.type === 'reset') {
      this.#calls.clear();
    } else {
      const index = change.type === 'updated' ? change.index : change.from;
      const entry = this.#entries()[index];
      if (entry !== undefined && isChange(entry)) {
        this.#calls.add(index);
      } else if (!this.#calls.delete(index)) {
        return false;
      }
    }
    this.#files = undefined;
    return true;
  }
}

/** Only what was completed has changed anything. */
function isChange(entry: Entry): boolean {
  return (
    entry.kind === 'toolCall' &&
    entry.status === 'completed' &&
    entry.content.some((content) => content.type === 'diff')
  );
}

function gather(entries: readonly Entry[]): readonly SessionChange[] {
  const files = new Map<string, SessionChange>();
  for (const entry of entries) {
    if (entry.kind !== 'toolCall' || !isChange(entry)) {
      continue;
    }
    for (const content of entry.content) {
      if (content.type === 'diff') {
        const { path, oldText, newText } = content;
        const before = files.get(path);
        files.set(path, { path, oldText: before ? before.oldText : oldText, newText });
      }
    }
  }
  return [...files.values()];
}
