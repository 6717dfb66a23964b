import { createHash } from 'node:crypto';
import { getRef, type SessionRef } from '../../../shared/sessionRef';
import type { Phase } from '../../../shared/transcript/webviewMessages';
import { getStack } from '../../../util/getStack';
import { isObject, parseJson } from '../../../util/json';
import { type Agent, isConfigured } from '../../agent';
import { getKey } from '../../list/sessionInfo';
import type { Log, StoredTexts, Workspace } from '../../ports';
import type { Transcript } from '../transcript';
import { type NotedTurn, readTurns, writeTurns } from './notedTurn';
import { keyOfTurn, mergeTurns, noteTurns } from './noteTurns';

export interface TurnNotesParts {
  readonly texts: StoredTexts;
  readonly workspace: Pick<Workspace, 'trusted'>;
  /** The settings; nothing is kept while no transcripts are cached. */
  readonly settings: { readonly transcriptCacheLimit: number };
  readonly log: Log;
}

/** The part of a session that is noted. */
interface NotedSession {
  readonly agent: Pick<Agent, 'id' | 'config'>;
  readonly info: { readonly sessionId: string };
  readonly transcript: Pick<Transcript, 'entries'>;
  readonly phase: Phase;
}

interface Kept {
  readonly agentId: string;
  /** The time of the latest turn, in ms since the epoch. */
  readonly time: number;
  readonly turns: readonly NotedTurn[];
}

/** The format's version; texts with another one are ignored. */
const version = 1;
/** UTF-16 units of a session's text, and of all together; the oldest are dropped first. */
const maxUnitsPerSession = 128 * 1024;
const maxUnits = 4 * 1024 * 1024;
const maxSessions = 300;

/** Keeps what transcripts say of turns and no agent replays, in one text for each session. */
export class TurnNotes {
  readonly #parts: TurnNotesParts;
  readonly #kept = new Map<string, Kept>();
  /** The length of each stored text. */
  readonly #sizes = new Map<string, number>();
  #reading: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: TurnNotesParts) {
    this.#parts = parts;
  }

  /** What is kept of a session, oldest first. Never rejects. */
  async of(ref: SessionRef): Promise<readonly NotedTurn[]> {
    if (!this.#isOn) {
      return [];
    }
    await this.#read();
    return this.#kept.get(getName(ref))?.turns ?? [];
  }

  /** Keeps what a session's transcript says of turns that aren't kept yet. Never rejects. */
  async note(session: NotedSession): Promise<void> {
    const { agent, transcript, phase } = session;
    if (!this.#isOn || !isConfigured(agent)) {
      return;
    }
    // Now: the transcript may be about to be reset.
    const name = getName(getRef(session));
    const known = new Set(
      this.#kept
        .get(name)
        ?.turns.filter(({ ended }) => ended)
        .map(keyOfTurn),
    );
    const now = noteTurns(transcript.entries, phase.kind !== 'resumed', known);
    await this.#read();
    const turns = mergeTurns(this.#kept.get(name)?.turns ?? [], now);
    const time = turns.at(-1)?.began;
    if (now.length > 0 && time !== undefined) {
      this.#kept.set(name, { agentId: agent.id, time, turns });
      await this.#write(name);
    }
  }

  async forget(ref: SessionRef): Promise<void> {
    await this.#read();
    await this.#remove(getName(ref));
  }

  async forgetAgent(agentId: string): Promise<void> {
    await this.#read();
    const names = [...this.#kept].filter(([, kept]) => kept.agentId === agentId);
    await Promise.all(names.map(([name]) => this.#remove(name)));
  }

  async clear(): Promise<void> {
    await this.#read();
    await Promise.all([...this.#kept.keys()].map((name) => this.#remove(name)));
  }

  get #isOn(): boolean {
    const { settings, workspace } = this.#parts;
    return settings.transcriptCacheLimit > 0 && workspace.trusted;
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readAll();
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    for (const [name, text] of await this.#parts.texts.readAll()) {
      const kept = readKept(text);
      if (kept === undefined) {
        void this.#enqueue(() => this.#parts.texts.remove(name));
      } else {
        this.#kept.set(name, kept);
        this.#sizes.set(name, text.length);
      }
    }
  }

  #write(name: string): Promise<void> {
    const kept = this.#kept.get(name);
    if (kept === undefined) {
      return Promise.resolve();
    }
    let { turns } = kept;
    let text = getText({ ...kept, turns });
    while (text.length > maxUnitsPerSession && turns.length > 1) {
      turns = turns.slice(Math.ceil(turns.length / 2));
      text = getText({ ...kept, turns });
    }
    if (text.length > maxUnitsPerSession) {
      return this.#remove(name);
    }
    this.#kept.set(name, { ...kept, turns });
    this.#sizes.set(name, text.length);
    this.#dropOldest(name);
    return this.#enqueue(() => this.#parts.texts.write(name, text));
  }

  #dropOldest(written: string): void {
    let units = [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
    const oldest = [...this.#kept].sort(([, a], [, b]) => a.time - b.time);
    for (const [name] of oldest) {
      if (units <= maxUnits && this.#kept.size <= maxSessions) {
        return;
      }
      if (name !== written) {
        units -= this.#sizes.get(name) ?? 0;
        void this.#remove(name);
      }
    }
  }

  #remove(name: string): Promise<void> {
    this.#sizes.delete(name);
    return this.#kept.delete(name)
      ? this.#enqueue(() => this.#parts.texts.remove(name))
      : Promise.resolve();
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(work).catch((error: unknown) => {
      this.#parts.log.warn(`notes of turns: ${getStack(error)}`);
    });
    return this.#writing;
  }
}

function getText({ agentId, turns }: Kept): string {
  return JSON.stringify({ version, agentId, turns: writeTurns(turns) });
}

function readKept(text: string): Kept | undefined {
  const value = parseJson(text);
  if (!isObject(value) || value['version'] !== version || typeof value['agentId'] !== 'string') {
    return undefined;
  }
  const turns = readTurns(value['turns']);
  const time = turns.at(-1)?.began;
  return time === undefined ? undefined : { agentId: value['agentId'], time, turns };
}

/** Ids are opaque, so they must not become file names. */
function getName(ref: SessionRef): string {
  return createHash('sha256').update(getKey(ref)).digest('hex');
}
