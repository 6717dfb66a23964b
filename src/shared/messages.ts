import type { ConfigOption, SessionModes } from './config';
import type { DrawnEntry } from './drawn';
import type { Failure, FailureAction } from './failure';
import type { FindQuery } from './findQuery';
import type { Direction, Landmark, Marks, OutlineTurn } from './outline';
import type { Attachment, Draft, QueuedPrompt, Turn } from './prompt';
import type { ElicitationAction, FormErrors, FormValues } from './requests';
import type { FoldKind, SavedFolds } from './savedFolds';

/** Where a transcript stands. */
export type Phase =
  /** The agent is replaying; `received` counts its updates so far. */
  | { readonly kind: 'loading'; readonly received: number }
  /** The replay has ended; more may still come at any time (T-9). */
  | { readonly kind: 'ready' }
  /** The load succeeded without a single entry (T-13). */
  | { readonly kind: 'empty' }
  /** Open without its history (RES-6). */
  | { readonly kind: 'resumed' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface Header {
  readonly title: string;
  readonly agentTitle: string;
  readonly cwd: string;
}

/** Whether a person can write here, and if not, why in one sentence. */
export type Writable = { readonly kind: 'yes' } | { readonly kind: 'no'; readonly reason: string };

/** Context in use and cumulative cost (US-1), checked (US-3). */
export interface Usage {
  readonly used: number;
  readonly size: number;
  readonly cost?: { readonly amount: number; readonly currency: string };
}

/** A file that the session's tool calls changed. */
export interface ChangedFile {
  readonly path: string;
  /** Short form of `path` for reading. */
  readonly label: string;
  readonly added: number;
  readonly removed: number;
  /** Whether the file is still what the session made of it; absent while that isn't known. */
  readonly state?: 'same' | 'changedSince' | 'missing';
}

/** A prompt that the workspace keeps in a file. */
export interface SavedPrompt {
  readonly uri: string;
  readonly name: string;
  /** How it begins. */
  readonly description: string;
}

/** What there is to know of a live session beside its transcript. */
export interface SessionState {
  readonly writable: Writable;
  readonly turn: Turn;
  readonly queue: readonly QueuedPrompt[];
  readonly commands: readonly {
    readonly name: string;
    readonly description: string;
    readonly hint?: string;
  }[];
  /** In the agent's order (CF-2). With any of these, `modes` is absent (MO-1). */
  readonly configOptions: readonly ConfigOption[];
  readonly modes?: SessionModes;
  readonly usage?: Usage;
  /** The agent takes images (CO-2). */
  readonly takesImages: boolean;
  readonly changedFiles: readonly ChangedFile[];
  /** Of the workspace, by name. */
  readonly savedPrompts: readonly SavedPrompt[];
  /** Indexes of the entries that wait for an answer, ascending. */
  readonly waiting: readonly number[];
  /** It has changed since it was read, and not from here; whether it can be read again as it is. */
  readonly wentOn?: { readonly canReload: boolean };
}

/** A file or folder that `@` completes to. */
export interface FileSuggestion {
  readonly uri: string;
  readonly name: string;
  /** Where it is, relative to its workspace folder. */
  readonly detail: string;
  readonly isFolder: boolean;
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
      readonly session: SessionState;
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
      readonly session?: SessionState;
      readonly count?: number;
      readonly changes: readonly Change[];
    }
  | {
      readonly type: 'found';
      readonly query: number;
      /** Forget what was found before. */
      readonly isNew: boolean;
      /**
       * What is new since the answer before, in threes: an entry, how many from it on are alike, and the number
       * of matches that each of these has; 0: none any more. Bytes, since much of anything else is slow to send.
       */
      readonly places: Uint32Array;
      /** `cut`: it stopped at its bound. `invalid`, `long`, `slow`: what is wrong with the pattern. */
      readonly state: 'searching' | 'complete' | 'cut' | 'invalid' | 'long' | 'slow';
    }
  /** Answer to `mark`: begin and end of each match in each row's text, one after the other. */
  | {
      readonly type: 'marked';
      readonly query: number;
      readonly rows: readonly { readonly index: number; readonly spans: readonly number[] }[];
    }
  /** Scroll this entry into view: the answer to `seek`, or a command of the host's. */
  | {
      readonly type: 'reveal';
      readonly index: number;
      /** What was searched for in all sessions: it is marked there, until a person does something else. */
      readonly words?: readonly string[];
    }
  /** Of the turns, those around the wanted rows; each part is absent where the webview has it already. */
  | {
      readonly type: 'outline';
      readonly turns?: readonly OutlineTurn[];
      readonly marks?: Marks;
    }
  /** A command of the host's: ask with `seek`, from where the webview is. */
  | { readonly type: 'go'; readonly target: Landmark; readonly direction: Direction }
  /** A command of the host's: open or close all foldable parts of a kind. */
  | { readonly type: 'fold'; readonly kind: FoldKind | 'all'; readonly open: boolean }
  /** A command of the host's: ask with `copy` or `copyCode` for what is read. */
  | { readonly type: 'copy'; readonly what: 'entry' | 'turn' | 'code' }
  /** Scroll to an entry while it is being chosen; without an index, go back to where that began. */
  | { readonly type: 'preview'; readonly index?: number }
  /** A command of the host's for the webview, from a keybinding or the command palette. */
  | {
      readonly type: 'command';
      readonly command: 'find' | 'jumpToLatest' | 'focusComposer' | 'editPrompt';
    }
  /** Answer to `searchFiles`. */
  | { readonly type: 'files'; readonly query: number; readonly files: readonly FileSuggestion[] }
  /** Answer to `findFiles`: those that name files inside of the session's folders. */
  | { readonly type: 'foundFiles'; readonly texts: readonly string[] }
  /** Something was added to what is being written, by a command of VS Code's or a drop. */
  | { readonly type: 'attach'; readonly attachments: readonly Attachment[] }
  /** A queued or failed prompt goes back into the composer. */
  | { readonly type: 'edit'; readonly draft: Draft }
  /** What is wrong with the form that was submitted (EL-6). */
  | { readonly type: 'formErrors'; readonly requestId: number; readonly errors: FormErrors }
  /** For a person to know now; no part of the history (NO-3). */
  | {
      readonly type: 'notice';
      readonly severity: string;
      readonly title: string;
      readonly description?: string;
    };

/** Webview to host: enumerated intents, nothing else. Every index is checked again by the host. */
export type FromWebview =
  /** The webview has (re)started and holds nothing. */
  | { readonly type: 'ready' }
  | { readonly type: 'resync' }
  /** Whether a text field, or what else uses the arrow keys itself, has the focus. */
  | { readonly type: 'typing'; readonly typing: boolean }
  /** The rows that the webview wants to hold, `end` exclusive. With `follow`, the tail as it moves. */
  | {
      readonly type: 'window';
      readonly start: number;
      readonly end: number;
      readonly follow: boolean;
    }
  /** A row that came as `unshown` because it is large. */
  | { readonly type: 'showRow'; readonly index: number }
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'openLocation'; readonly index: number; readonly location: number }
  | { readonly type: 'openDiff'; readonly index: number; readonly content: number }
  /** Open a cut text in full: a message's or tool call's part, in a read-only editor. */
  | {
      readonly type: 'openText';
      readonly index: number;
      /** `whole`: all of the entry, of which its row shows less. */
      readonly part: 'blocks' | 'content' | 'rawInput' | 'rawOutput' | 'command' | 'whole';
      /** Index within `blocks` or `content`; 0 for the other parts. */
      readonly item: number;
    }
  /** Which of these texts of messages name files. */
  | { readonly type: 'findFiles'; readonly texts: readonly string[] }
  | { readonly type: 'cancelLoad' }
  /** Sends, or queues while a turn runs. */
  | { readonly type: 'prompt'; readonly draft: Draft }
  | { readonly type: 'cancelTurn' }
  /** Ends here a turn whose cancel the agent doesn't answer. */
  | { readonly type: 'forceFinish' }
  /** Sends the prompt of a failed turn again. */
  | { readonly type: 'sendAgain'; readonly index: number }
  | { readonly type: 'removeQueued'; readonly id: number }
  /** What is written goes on in an editor. */
  | { readonly type: 'editInEditor'; readonly draft: Draft }
  /** A saved prompt is filled in and comes with `edit`. */
  | { readonly type: 'usePrompt'; readonly uri: string }
  /** Takes a queued prompt back into the composer. */
  | { readonly type: 'editQueued'; readonly id: number }
  | { readonly type: 'setMode'; readonly modeId: string }
  | {
      readonly type: 'setConfigOption';
      readonly configId: string;
      readonly value: string | boolean;
    }
  | { readonly type: 'answerPermission'; readonly requestId: number; readonly optionId: string }
  | {
      readonly type: 'answerElicitation';
      readonly requestId: number;
      readonly action: ElicitationAction;
      /** With `accept` of a form. */
      readonly values: FormValues;
    }
  | { readonly type: 'searchFiles'; readonly query: number; readonly text: string }
  /** Files dropped on the composer; the answer is `attach`. */
  | { readonly type: 'dropFiles'; readonly uris: readonly string[] }
  /** Asks for files with VS Code's own dialog; the answer is `attach`. */
  | { readonly type: 'pickFiles' }
  /** One of our terminals, as a terminal of VS Code's. */
  | { readonly type: 'openTerminal'; readonly terminalId: string }
  | { readonly type: 'openChanges' }
  /** The recorded change of one file against the file as it is. */
  | { readonly type: 'openChange'; readonly path: string }
  | { readonly type: 'action'; readonly action: FailureAction }
  /** Looks for something from entry `from` on, around the end, instead of what was looked for; an empty text ends it. */
  | {
      readonly type: 'find';
      readonly query: number;
      readonly from: number;
      readonly search: FindQuery;
    }
  /** Asks where the matches of a person's pattern are in texts as they are drawn. */
  | {
      readonly type: 'mark';
      readonly query: number;
      readonly rows: readonly { readonly index: number; readonly text: string }[];
    }
  /** An entry, or the turn that it belongs to, goes to the clipboard. */
  | { readonly type: 'copy'; readonly what: 'entry' | 'turn'; readonly index: number }
  /** A piece of code goes to the clipboard: of a text in Markdown the one that is `at` there, from 0. */
  | {
      readonly type: 'copyCode';
      readonly index: number;
      readonly part: 'blocks' | 'content' | 'rawInput' | 'rawOutput';
      readonly item: number;
      readonly at: number;
    }
  /** The next or previous turn, tool call, diff or error, seen from entry `from`. */
  | {
      readonly type: 'seek';
      readonly target: Landmark;
      readonly direction: Direction;
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
  readonly folds: SavedFolds;
  /** What was being written. */
  readonly draft: Draft;
  /** Texts of the prompts that were sent from this tab, oldest first, bounded. */
  readonly history: readonly string[];
}
