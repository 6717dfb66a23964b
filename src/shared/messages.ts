import type { DrawnEntry } from './drawn';
import type { Failure, FailureAction } from './failure';

/** Where a transcript stands. */
export type Phase =
  /** The agent is replaying; `received` counts its updates so far. */
  | { readonly kind: 'loading'; readonly received: number }
  /** The replay has ended; more may still come at any time (T-9). */
  | { readonly kind: 'ready' }
  /** The load succeeded without a single entry (T-13). */
  | { readonly kind: 'empty' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface Header {
  readonly title: string;
  readonly agentTitle: string;
  readonly cwd: string;
}

export type Change =
  /** An entry of the window, new to the webview or replaced. */
  | { readonly op: 'set'; readonly index: number; readonly entry: DrawnEntry }
  /** The last text block of a message grew. */
  | { readonly op: 'append'; readonly index: number; readonly text: string };

/** Host to webview. Each carries the next revision; a gap means: ask for a snapshot with `resync`. */
export type ToWebview =
  | {
      readonly type: 'snapshot';
      readonly revision: number;
      readonly header: Header;
      readonly phase: Phase;
      /** All entries of the transcript, drawn or not. */
      readonly count: number;
      /** Index of the first of `entries`. */
      readonly start: number;
      readonly entries: readonly DrawnEntry[];
    }
  | {
      readonly type: 'patch';
      readonly revision: number;
      readonly header?: Header;
      readonly phase?: Phase;
      readonly count?: number;
      readonly changes: readonly Change[];
    }
  | {
      readonly type: 'found';
      readonly query: number;
      /** Indexes of entries that contain the text, ascending, bounded. */
      readonly indexes: readonly number[];
      /** The search stopped at its bound. */
      readonly cut: boolean;
    }
  /** Scroll this entry into view: the answer to `seek`, or a command of the host's. */
  | { readonly type: 'reveal'; readonly index: number }
  /** A command of the host's for the webview, from a keybinding or the command palette. */
  | { readonly type: 'command'; readonly command: 'find' | 'foldAll' | 'jumpToLatest' };

/** Webview to host: enumerated intents, nothing else. Every index is checked again by the host. */
export type FromWebview =
  /** The webview has (re)started and holds nothing. */
  | { readonly type: 'ready' }
  | { readonly type: 'resync' }
  /** The rows that the webview wants to hold, `end` exclusive. With `follow`, the tail as it moves. */
  | {
      readonly type: 'window';
      readonly start: number;
      readonly end: number;
      readonly follow: boolean;
    }
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'openLocation'; readonly index: number; readonly location: number }
  | { readonly type: 'openDiff'; readonly index: number; readonly content: number }
  /** Open a cut text in full: a message's or tool call's part, in a read-only editor. */
  | {
      readonly type: 'openText';
      readonly index: number;
      readonly part: 'blocks' | 'content' | 'rawInput' | 'rawOutput';
      /** Index within `blocks` or `content`; 0 for the raw parts. */
      readonly item: number;
    }
  | { readonly type: 'cancelLoad' }
  | { readonly type: 'action'; readonly action: FailureAction }
  | {
      readonly type: 'find';
      readonly query: number;
      readonly text: string;
      readonly matchCase: boolean;
    }
  /** The next or previous turn (user message) or tool call, seen from entry `from`. */
  | {
      readonly type: 'seek';
      readonly target: 'turn' | 'toolCall';
      readonly direction: 'next' | 'previous';
      readonly from: number;
    };

/** What a tab needs to come back after a reload: an identity, never content. */
export interface SavedTranscript {
  readonly agentId: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly title: string;
}

/** Where a person was reading: a row's index with the pixels above the fold in it, or the newest entry. */
export type Anchor = 'end' | { readonly index: number; readonly offset: number };

/** What the webview keeps through VS Code's `setState`, and the host's serializer gets back. */
export interface SavedState {
  readonly saved: SavedTranscript;
  readonly anchor: Anchor;
}
