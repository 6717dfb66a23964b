import type { SessionRef } from '../../../../shared/sessionRef';
import type { UncertainFile } from '../review';
import { absent, isSameState } from './fileState';
import { journalBounds, type SettledLine, type UncertainLine } from './journalLines';

/** A change that may be another session's, as it was recorded. */
export interface UncertainChange extends Omit<UncertainLine['files'][number], 'beside'> {
  /** The id that, with the file's path, identifies the change. */
  readonly id: string;
  readonly turn: number;
  readonly beside: readonly SessionRef[];
}

/** The changes of a session's turns that nobody has named, while others were at work, too. */
export class UncertainFiles {
  readonly #changes = new Map<string, readonly UncertainChange[]>();
  #count = 0;
  #shown: readonly UncertainFile[] | undefined;

  constructor(changes: readonly UncertainChange[] = []) {
    for (const change of changes) {
      this.#add(change);
    }
  }

  get all(): readonly UncertainChange[] {
    return [...this.#changes.values()].flat();
  }

  /** Sorted by path; the same array until something changes. */
  get shown(): readonly UncertainFile[] {
    this.#shown ??= [...this.#changes.values()]
      .flatMap((changes) => toShownFile(changes) ?? [])
      .sort((a, b) => (a.file < b.file ? -1 : 1));
    return this.#shown;
  }

  /** The uncertain changes of a file, in the order in which they were made. */
  of(file: string): readonly UncertainChange[] {
    return this.#changes.get(file) ?? [];
  }

  tell({ id, turn, files }: UncertainLine): void {
    for (const file of files) {
      this.#add({ ...file, id, turn });
    }
  }

  settle({ files }: SettledLine): void {
    for (const { id, file } of files) {
      const left = this.of(file).filter((change) => change.id !== id);
      this.#count += left.length - this.of(file).length;
      if (left.length === 0) {
        this.#changes.delete(file);
      } else {
        this.#changes.set(file, left);
      }
    }
    this.#shown = undefined;
  }

  #add(change: UncertainChange): void {
    if (this.#count < journalBounds.files) {
      this.#count += 1;
      this.#changes.set(change.file, [...this.of(change.file), change]);
      this.#shown = undefined;
    }
  }
}

/** `undefined`: in the end, they have left the file as it was. */
function toShownFile(changes: readonly UncertainChange[]): UncertainFile | undefined {
  const { file, before } = changes[0] ?? { file: '', before: absent };
  const after = changes.at(-1)?.after ?? absent;
  if (isSameState(before, after)) {
    return undefined;
  }
  const beside = changes.flatMap((change) => change.beside);
  const forms = changes.map(({ form }) => form);
  const kind =
    before.kind === 'absent' ? 'added' : after.kind === 'absent' ? 'deleted' : 'modified';
  return {
    ...{ file, kind },
    turns: [...new Set(changes.map(({ turn }) => turn))].sort((a, b) => a - b),
    added: changes.reduce((sum, { added }) => sum + added, 0),
    removed: changes.reduce((sum, { removed }) => sum + removed, 0),
    form: forms.find((form) => form !== 'text') ?? 'text',
    beside: beside.filter(
      (one, at) =>
        beside.findIndex(
          ({ agentId, sessionId }) => agentId === one.agentId && sessionId === one.sessionId,
        ) === at,
    ),
  };
}
