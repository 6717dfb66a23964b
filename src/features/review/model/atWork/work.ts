import path from 'node:path';
import { isInside } from '../../../../model/files/roots';
import type { SessionRef } from '../../../../shared/sessionRef';
import type { Certainty } from './namedFiles';

/** A time in ms since the epoch, with both ends. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A session has changed a file within this time, or named it in what it did. */
export interface Claim extends Span {
  readonly file: string;
  /** `seen`: the record took the change for its own, without a word of the agent. */
  readonly by: Certainty | 'written' | 'seen';
}

export type WorkKind = 'turn' | 'save' | 'decision';

/** What a session does from a prompt until everything that it changed is recorded. */
export interface Work extends SessionRef {
  /** Real paths. */
  readonly folders: readonly string[];
  /** The session's folders that are work trees of their own: what it does there stays there. */
  readonly trees: readonly string[];
  readonly began: number;
  /** Who is at work: a turn of the session, or the user, who has saved a file or decides about the session's changes. */
  readonly kind: WorkKind;
  /** `undefined`: it is still running. */
  readonly ended: number | undefined;
  /** The claims, by file. */
  readonly claims: ReadonlyMap<string, readonly Claim[]>;
}

/** Whether both may change the same files. */
export function isNear(one: Pick<Work, 'folders'>, other: Pick<Work, 'folders'>): boolean {
  return one.folders.some(
    (folder) =>
      isInside(folder, other.folders) || other.folders.some((it) => isInside(it, [folder])),
  );
}

export function isSameSession(one: SessionRef, other: SessionRef): boolean {
  return one.agentId === other.agentId && one.sessionId === other.sessionId;
}

/** Whether the work may have changed a file of another session's folders within this time. */
export function mayHaveChanged(work: Work, file: string, { from, to }: Span): boolean {
  const isThen = work.began <= to && (work.ended ?? Number.POSITIVE_INFINITY) > from;
  return isThen && work.folders.some((folder) => isInside(file, [describeReach(work, folder)]));
}

/** A command in a subfolder also changes what is above it, as far as the sessions' folders reach. */
function describeReach({ trees }: Work, folder: string): string {
  return trees.includes(folder) ? folder : path.parse(folder).root;
}
