import { isObject } from '../../util/json';
import type { Usage } from '../transcript/webviewMessages';

/** The page that compares the sessions of one prompt: what it shows, and what the user does there. */

/** Lines that differ between a worktree and its base. */
export interface ComparedLines {
  readonly added: number;
  readonly removed: number;
}

/** A worktree and its session. All texts are single lines of bounded length. */
export interface ComparedSession {
  /** Identifies it as long as the page exists. */
  readonly key: string;
  readonly title: string;
  /** The agent, if a session is known. */
  readonly agent?: string;
  readonly branch: string;
  /** What its session does, or how far it is. */
  readonly state: string;
  readonly mark: 'running' | 'needsYou' | 'failed' | 'atRest';
  readonly isRunning: boolean;
  /** How long its turns took that have ended, in ms. */
  readonly took?: number;
  readonly cost?: Usage['cost'];
  readonly check?: {
    readonly state: 'running' | 'passed' | 'failed' | 'stopped';
    readonly isStale: boolean;
    readonly text: string;
  };
  /** What the agent has said last. */
  readonly said?: string;
  /** What isn't known of it because it isn't open, as a sentence. */
  readonly unknown?: string;
  /** When it has changed last, if it isn't open. */
  readonly last?: string;
  /** Whether there is a session that can be opened and checked. */
  readonly hasSession: boolean;
  /** The number of files that differ from the base; absent until they are known. */
  readonly files?: number;
  readonly lines?: ComparedLines;
  /** Why they aren't known. */
  readonly trouble?: string;
}

/** A file that at least one of them has changed. */
export interface ComparedFile {
  readonly name: string;
  /** For each session, in their order; `null`: it hasn't changed the file. */
  readonly cells: readonly (ComparedLines | null)[];
}

export interface ToComparison {
  readonly type: 'compared';
  /** The top folders of their worktrees, in their order: what a page that is shown again is made from. */
  readonly tops: readonly string[];
  readonly sessions: readonly ComparedSession[];
  readonly files: readonly ComparedFile[];
  /** The number of files that are left out because there are too many. */
  readonly left: number;
}

const sessionActs = ['open', 'changes', 'apply', 'hunks', 'discard', 'check', 'stop'] as const;
type SessionAct = (typeof sessionActs)[number];

export type FromComparison =
  | { readonly type: 'ready' }
  | { readonly type: SessionAct; readonly key: string }
  /** Shows how the sessions have changed a file. */
  | { readonly type: 'file'; readonly name: string };

/** Longer than any key or path. */
const maxLength = 40_000;

/** Sessions that one can look at side by side. */
export const maxCompared = 4;

/** What VS Code keeps of a page. */
export type KeptComparison = Pick<ToComparison, 'tops'>;

/** Reads what was kept: the first worktrees, as many as can be compared; none if it is something else. */
export function parseKeptComparison(state: unknown): readonly string[] {
  const tops = isObject(state) && Array.isArray(state['tops']) ? (state['tops'] as unknown[]) : [];
  return tops
    .slice(0, maxCompared)
    .filter((top): top is string => typeof top === 'string' && top.length <= maxLength);
}

/** Checks a message from the page; `undefined` if it is none that the page could have sent. */
export function parseFromComparison(message: unknown): FromComparison | undefined {
  if (!isObject(message)) {
    return undefined;
  }
  const { type, key, name } = message;
  if (type === 'ready') {
    return { type };
  }
  if (type === 'file') {
    return isText(name) ? { type, name } : undefined;
  }
  const act = sessionActs.find((known) => known === type);
  return act !== undefined && isText(key) ? { type: act, key } : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxLength;
}
