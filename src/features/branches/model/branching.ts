import * as l10n from '@vscode/l10n';
import type { KeptWork } from '../../../model/kept/keptWork';
import { toSavedTranscript } from '../../../model/kept/savedTranscript';
import type { SessionMarks } from '../../../model/marks/marks';
import type { Origin } from '../../../model/marks/origin';
import type { Log } from '../../../model/ports';
import type { Session } from '../../../model/session/session';
import type { Sessions } from '../../../model/session/sessions';
import { AcpError } from '../../../protocol/errors';
import { getRef } from '../../../shared/sessionRef';
import type { Held } from '../../../shared/transcript/branches';
import type { Draft } from '../../../shared/transcript/prompt';
import { getStack } from '../../../util/getStack';
import { type Conversation, findForkPoint, getConversation } from './forkPoint';
import { heldBy } from './heldBy';

interface BranchingOptions {
  readonly sessions: Pick<Sessions, 'fork' | 'create' | 'rename'>;
  readonly marks: Pick<SessionMarks, 'get' | 'setOrigin' | 'setAlias'>;
  readonly work: Pick<KeptWork, 'read' | 'setDraft'>;
  readonly log: Log;
}

/**
 * How a conversation can be gone back to before a prompt.
 * - `start`: nothing comes before it, so a new session has the same.
 * - `message`: a fork at the last message before it, as far as the agent knows such forks.
 * - `whole`: a fork of the whole history: no message before it has an id.
 * - `text`: the agent can't fork.
 */
export type BranchWay = 'start' | 'message' | 'whole' | 'text';

/** A place in a session to branch from, as it was when the user asked. */
export interface BranchPoint {
  readonly session: Session;
  readonly way: BranchWay;
  readonly turn: number;
  readonly at: string | undefined;
  /** The prompt before which it is, on one line. */
  readonly prompt: string;
  /** `undefined` if the session isn't shown from its beginning. */
  readonly conversation: Conversation | undefined;
}

/** Begins sessions where others had come to, and remembers which of them come from where. */
export class Branching {
  readonly #options: BranchingOptions;

  constructor(options: BranchingOptions) {
    this.#options = options;
  }

  /** `undefined` if no turn begins with this entry. */
  pointBefore(session: Session, index: number, prompt: string): BranchPoint | undefined {
    const { entries } = session.transcript;
    const point = findForkPoint(entries, index);
    if (point === undefined) {
      return undefined;
    }
    const isWhole = session.phase.kind === 'ready';
    const conversation = isWhole ? getConversation(entries) : undefined;
    return { session, way: getWay(session, point, isWhole), ...point, prompt, conversation };
  }

  /**
   * A session that begins before the prompt, with this draft; with `way: 'whole'`, it has the whole history. What it
   * really holds is found out once it is loaded, and kept in the marks. `undefined` if the agent doesn't know the
   * message to fork at. Rejects with `AcpError`.
   */
  async branch(
    point: BranchPoint,
    draft: Draft,
    signal: AbortSignal,
  ): Promise<Session | undefined> {
    const { sessions, marks, work } = this.#options;
    const { session: from, way, turn, prompt } = point;
    const { agent, info } = from;
    const alias = marks.get(agent.id, info.sessionId).alias;
    const title = l10n.t('{0} · from turn {1}', alias ?? from.title, turn);
    const isNew = way === 'start' || way === 'text';
    const session = isNew
      ? await sessions.create(agent, { name: '', path: info.cwd }, signal)
      : await this.#fork(point, title, signal);
    if (session === undefined) {
      return undefined;
    }
    const origin = { sessionId: info.sessionId, turn, prompt };
    const held: Held = isNew ? (way === 'text' ? 'text' : 'before') : 'unknown';
    const loaded = isNew ? undefined : session.load();
    await this.#note(session, { ...origin, held });
    await work.read();
    work.setDraft(toSavedTranscript(session), draft);
    void this.#complete(session, loaded, title, async () => {
      if (!isNew) {
        await this.#note(session, { ...origin, held: heldAfterLoad(session, point) });
      }
    });
    return session;
  }

  async #fork(
    { session: { agent, info }, way, at }: BranchPoint,
    title: string,
    signal: AbortSignal,
  ): Promise<Session | undefined> {
    const place = way === 'message' && at !== undefined ? { at } : {};
    try {
      return await this.#options.sessions.fork(agent, info, { ...place, title, signal });
    } catch (error) {
      if ('at' in place && error instanceof AcpError && error.code === 'invalidParams') {
        return undefined;
      }
      throw error;
    }
  }

  async #complete(
    session: Session,
    loaded: Promise<void> | undefined,
    title: string,
    note: () => Promise<void>,
  ): Promise<void> {
    await loaded;
    await note();
    await this.#entitle(session, title);
  }

  #note(session: Session, origin: Origin): Promise<void> {
    return this.#kept(this.#options.marks.setOrigin(getRef(session), origin));
  }

  /** Names a session at its agent if that is supported, as `Rename` does, and otherwise locally. */
  async #entitle(session: Session, title: string): Promise<void> {
    const { sessions, marks, log } = this.#options;
    const { agent, info } = session;
    if (agent.supports('title')) {
      try {
        await sessions.rename(agent, info, title);
        return;
      } catch (error) {
        log.warn(`${agent.id}: a fork could not be given its title: ${getStack(error)}`);
      }
    }
    await this.#kept(marks.setAlias(getRef(session), title));
  }

  /** The session exists, so a mark that can't be stored must not fail the whole. */
  async #kept(stored: Promise<void>): Promise<void> {
    await stored.catch((error: unknown) => {
      this.#options.log.warn(`Where a session was forked could not be saved: ${getStack(error)}`);
    });
  }
}

function getWay(
  { agent }: Session,
  { turn, at }: { readonly turn: number; readonly at: string | undefined },
  isWhole: boolean,
): BranchWay {
  if (turn === 1 && isWhole) {
    return 'start';
  }
  return agent.supports('fork') ? (at === undefined ? 'whole' : 'message') : 'text';
}

function heldAfterLoad({ phase, transcript }: Session, { conversation, turn }: BranchPoint): Held {
  return phase.kind === 'ready' && conversation !== undefined
    ? heldBy(getConversation(transcript.entries), conversation, turn)
    : 'unknown';
}
