import path from 'node:path';
import { isInside } from '../../../../model/files/roots';
import type { SessionRef } from '../../../../shared/sessionRef';
import { type Diff, isUnfinished } from '../../../../shared/transcript/content';
import type { ToolCallEntry } from '../../../../shared/transcript/entries';
import type { Change } from '../record/sessionRecord';
import { type Certainty, filesNamedBy, filesNamedByCommand, type NamedFiles } from './namedFiles';
import { OwnWork, type SharedWork } from './sharedWork';
import { type Claim, isNear, isSameSession, mayHaveChanged, type Span, type Work } from './work';

/** Who made a change that nobody has recorded exactly. */
export type Whose = 'agent' | 'other' | 'uncertain';

const certainties = ['changed', 'named', 'made', 'removed'] as const;
/** Calls of one turn whose beginning is known. */
const maxCalls = 10_000;
const maxCallsBeside = 20;
const strength: Readonly<Record<Claim['by'], number>> = {
  written: 2,
  changed: 2,
  named: 1,
  made: 1,
  removed: 1,
  seen: 0,
};

/** What a call has said of a file; `diffs`: its lines, `undefined`: nothing of them. */
interface Said extends Span {
  readonly by: readonly Certainty[];
  readonly diffs: readonly Diff[] | undefined;
}

/** A folder as the session has it, and where it really is. */
export interface SessionFolder {
  readonly named: string;
  readonly real: string;
}

/** What is known about who has changed files while one turn of a session runs. */
export class Evidence {
  readonly #shared: SharedWork;
  readonly #folders: readonly SessionFolder[];
  readonly work: OwnWork;
  /** When each call was first heard of. */
  readonly #calls = new Map<string, number>();
  readonly #told = new Set<string>();
  /** What each file's calls have said of it, in their order. */
  readonly #said = new Map<string, readonly Said[]>();
  #heardAt = Date.now();
  /** The works of other sessions, and those of this one in other windows. */
  #others: readonly Work[] = [];
  #same: readonly Work[] = [];
  /** What the user does to files: saves in other windows, and decisions about other sessions. */
  #users: readonly Work[] = [];

  /** `folders`: those of the session, the first is where the agent's relative paths begin. */
  constructor(shared: SharedWork, work: OwnWork, folders: readonly SessionFolder[]) {
    this.#shared = shared;
    this.work = work;
    this.#folders = folders;
  }

  /** Learns what works in the folders. */
  async look(): Promise<void> {
    const all = (await this.#shared.all()).filter((work) => work !== this.work);
    this.#same = all.filter((work) => work.kind === 'turn' && isSameSession(work, this.work));
    this.#others = all.filter(
      (work) => work.kind === 'turn' && !this.#same.includes(work) && isNear(work, this.work),
    );
    // What the user saves in this window is recorded exactly, and so is what is decided about the session's changes.
    this.#users = all.filter(
      (work) =>
        (work.kind === 'save' && !(work instanceof OwnWork)) ||
        (work.kind === 'decision' && !isSameSession(work, this.work)),
    );
  }

  /** The agent carries out a call, or has: what it names in the end, it has changed meanwhile. */
  heard(call: ToolCallEntry): void {
    const now = Date.now();
    const { toolCallId } = call;
    const from = this.#calls.get(toolCallId) ?? this.#heardAt;
    if (this.#calls.size < maxCalls && !this.#calls.has(toolCallId)) {
      this.#calls.set(toolCallId, from);
    }
    this.#heardAt = now;
    const told = `${toolCallId} ${call.content.length} ${call.locations.length}`;
    const isOver = !isUnfinished(call.status) && call.status !== 'rejected';
    if (isOver && !this.#told.has(told) && this.#told.size < maxCalls) {
      this.#told.add(told);
      const cwd = this.#folders[0]?.named ?? '';
      const named = filesNamedBy(call, cwd);
      this.#named(named, { from, to: now });
      this.#remember(call, named, { from, to: now });
    }
  }

  /** A command ran through us. */
  ran(command: string, folder: string, span: Span): void {
    this.#named(filesNamedByCommand(command, folder), span);
  }

  #remember({ content }: ToolCallEntry, named: NamedFiles, span: Span): void {
    const cwd = this.#folders[0]?.named ?? '';
    for (const file of new Set(Object.values(named).flat())) {
      const own = content.filter((part) => 'path' in part && path.resolve(cwd, part.path) === file);
      const isInLines = own.length > 0 && own.every(({ type }) => type === 'diff');
      const diffs = isInLines ? own.filter((part) => part.type === 'diff') : undefined;
      const by = certainties.filter((it) => named[it].includes(file));
      const real = this.#real(file);
      this.#said.set(real, [...(this.#said.get(real) ?? []), { ...span, by, diffs }]);
    }
  }

  /**
   * What the session has reported of a changed file's lines within this time; `undefined`: it names the file without
   * them, so that all of the change may be its own.
   */
  findDiffs(change: Change, { from, to }: Span): readonly Diff[] | undefined {
    const said = (this.#said.get(change.file) ?? []).filter(
      (it) => it.from <= to && it.to >= from && it.by.some((by) => mayMean(by, change)),
    );
    const all = said.flatMap(({ diffs }) => diffs ?? []);
    return said.some(({ diffs }) => diffs === undefined) || all.length === 0 ? undefined : all;
  }

  #named({ changed, named, made, removed }: NamedFiles, span: Span): void {
    this.#claim(changed, span, 'changed');
    this.#claim(named, span, 'named');
    this.#claim(made, span, 'made');
    this.#claim(removed, span, 'removed');
  }

  /** The session's record has these changes of this time as its own. */
  changed(files: readonly string[], by: 'written' | 'seen', span: Span): void {
    const news = files.filter((file) => by === 'written' || !this.work.claims.has(file));
    this.#claim(news, span, by);
  }

  whose(change: Change, span: Span): Whose {
    const named = this.whoNamed(change, span);
    if (named !== undefined) {
      return named;
    }
    return this.beside(change.file, span).length === 0 ? 'agent' : 'uncertain';
  }

  /** Tells who made a change by what was named; `uncertain`: several have named it alike. `undefined`: nobody has. */
  whoNamed(change: Change, span: Span): Whose | undefined {
    const { file } = change;
    const fits = (by: Claim['by']): boolean => mayMean(by, change);
    // What this session wrote through us is recorded exactly, so this is something else.
    const isOwn = (by: Claim['by']): boolean => by !== 'written' && fits(by);
    const own = strongest([this.work, ...this.#same], file, span, isOwn);
    const others = strongest([...this.#others, ...this.#users], file, span, fits);
    if (own === 0 && others === 0) {
      return undefined;
    }
    return own === others ? 'uncertain' : own > others ? 'agent' : 'other';
  }

  /** The other sessions that may have changed a file within this time. */
  beside(file: string, span: Span): readonly SessionRef[] {
    const found = this.#others.filter(
      (work) => mayHaveChanged(work, file, span) || strongest([work], file, span) > 0,
    );
    return found
      .filter((work, at) => found.findIndex((it) => isSameSession(it, work)) === at)
      .map(({ agentId, sessionId }) => ({ agentId, sessionId }))
      .slice(0, maxCallsBeside);
  }

  /** Whether another session is at work that was so at this time. */
  mayBeNamed(span: Span): boolean {
    return this.#others.some(({ began, ended }) => ended === undefined && began <= span.to);
  }

  #claim(files: readonly string[], span: Span, by: Claim['by']): void {
    if (files.length > 0) {
      this.work.claim(files.map((file) => ({ file: this.#real(file), ...span, by })));
    }
  }

  /** The agent may name its folders by links. */
  #real(file: string): string {
    const folder = this.#folders.find(({ named }) => isInside(file, [named]));
    return folder === undefined ? file : path.join(folder.real, path.relative(folder.named, file));
  }
}

/**
 * Whether a claim may explain a change. That a command makes or removes a file says nothing about who has changed its
 * lines.
 */
function mayMean(by: Claim['by'], { before, after }: Change): boolean {
  return by === 'made'
    ? before.kind === 'absent'
    : by === 'removed'
      ? after.kind === 'absent'
      : true;
}

function strongest(
  works: readonly Work[],
  file: string,
  { from, to }: Span,
  counts: (by: Claim['by']) => boolean = () => true,
): number {
  const found = works.flatMap(({ claims, ended = Number.MAX_SAFE_INTEGER }) =>
    (claims.get(file) ?? []).map((claim) => ({ ...claim, to: Math.min(claim.to, ended) })),
  );
  return found
    .filter((claim) => claim.from <= to && claim.to >= from && counts(claim.by))
    .reduce((most, { by }) => Math.max(most, strength[by]), 0);
}
