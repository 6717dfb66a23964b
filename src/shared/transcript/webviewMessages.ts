import type { Failure, FailureAction } from '../failure';
import type { Attachment, Draft, QueuedPrompt, Turn } from '../prompt/prompt';
import type { ElicitationAction, FormErrors, FormValues } from '../requests/questions';
import type { ConfigOption, SessionModes } from './config';
import type { DrawnEntry } from './drawn';
import type { FindQuery } from './findQuery';
import type { Direction, Landmark, Marks, OutlineTurn } from './outline';
import type { FoldKind, SavedFolds } from './savedFolds';

/** The state of a transcript. */
export type Phase =
  /**
   * The agent is replaying; `received` counts its updates so far. `prints`: the agent is still starting, and printed
   * this line, which is no message.
   */
  | { readonly kind: 'loading'; readonly received: number; readonly prints?: string }
  /** The replay has ended; more may still come at any time (T-9). */
  | { readonly kind: 'ready' }
  /** The load succeeded without a single entry (T-13). */
  | { readonly kind: 'empty' }
  /** Open without history (RES-6). */
  | { readonly kind: 'resumed' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface Header {
  readonly title: string;
  readonly agentTitle: string;
  /** To display: the workspace folder that it is or is in, otherwise its path. */
  readonly folder: string;
  readonly cwd: string;
}

/** Whether the user can write here, and if not, why, in one sentence. */
export type Writable = { readonly kind: 'yes' } | { readonly kind: 'no'; readonly reason: string };

/** Context in use and cumulative cost (US-1), checked (US-3). */
export interface Usage {
  readonly used: number;
  readonly size: number;
  readonly cost?: { readonly amount: number; readonly currency: string };
}

/** A file that tool calls of the session changed. */
export interface ChangedFile {
  readonly path: string;
  /** Short form of `path` to display. */
  readonly label: string;
  readonly added: number;
  readonly removed: number;
  /** Whether the file is still as the session left it; absent while unknown. */
  readonly state?: 'same' | 'changedSince' | 'missing';
}

/** A prompt that the workspace keeps in a file. */
export interface SavedPrompt {
  readonly uri: string;
  readonly name: string;
  /** The beginning of its text. */
  readonly description: string;
}

/** The state of a live session, apart from its transcript. */
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
  /** Those of the workspace, sorted by name. */
  readonly savedPrompts: readonly SavedPrompt[];
  /** Indexes of the entries that wait for an answer, ascending. */
  readonly waiting: readonly number[];
  /** Name of the file in whose editor code can be inserted. */
  readonly insertInto?: string;
  /** Set when the session changed elsewhere since it was loaded; `canReload`: it can be loaded again as it is. */
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
  /** An entry of the window is new to the webview, or replaced. */
  | { readonly op: 'set'; readonly index: number; readonly entry: DrawnEntry }
  /** The last text block of a message grew. */
  | { readonly op: 'append'; readonly index: number; readonly text: string };

/** Host to webview. Each message carries the next revision; after a gap the webview asks for all with `resync`. */
export type ToWebview =
  | {
      readonly type: 'snapshot';
      readonly revision: number;
      readonly header: Header;
      readonly phase: Phase;
      readonly session: SessionState;
      /** Number of all entries of the transcript, drawn or not. */
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
       * What is new since the previous answer, in triples: an entry, how many entries from there on are alike, and the
       * number of matches in each of them; 0: no longer any. Binary, because long lists are slow to send otherwise.
       */
      readonly places: Uint32Array;
      /** `cut`: it stopped at its bound. `invalid`, `long`, `slow`: what is wrong with the pattern. */
      readonly state: 'searching' | 'complete' | 'cut' | 'invalid' | 'long' | 'slow';
    }
  /** Answer to `mark`: start and end of each match in each row's text, one after the other. */
  | {
      readonly type: 'marked';
      readonly query: number;
      readonly rows: readonly { readonly index: number; readonly spans: readonly number[] }[];
    }
  /** Scroll this entry into view: the answer to `seek`, or a command of the host. */
  | {
      readonly type: 'reveal';
      readonly index: number;
      /** What was searched for in all sessions: marked there until the user does something else. */
      readonly words?: readonly string[];
    }
  /** The turns around the wanted rows; parts that the webview has already are absent. */
  | {
      readonly type: 'outline';
      readonly turns?: readonly OutlineTurn[];
      readonly marks?: Marks;
    }
  /** A command of the host: ask with `seek`, from the webview's position. */
  | { readonly type: 'go'; readonly target: Landmark; readonly direction: Direction }
  /** A command of the host: open or close all foldable parts of a kind. */
  | { readonly type: 'fold'; readonly kind: FoldKind | 'all'; readonly open: boolean }
  /** A command of the host: ask with `copy` or `copyCode` for what is being read. */
  | { readonly type: 'copy'; readonly what: 'entry' | 'turn' | 'code' }
  /** Scroll to an entry while the user chooses one; without an index, go back to where the choice began. */
  | { readonly type: 'preview'; readonly index?: number }
  /** A command of the host for the webview, from a keybinding or the command palette. */
  | {
      readonly type: 'command';
      readonly command: 'find' | 'jumpToLatest' | 'focusComposer' | 'editPrompt';
    }
  /** Answer to `searchFiles`. */
  | { readonly type: 'files'; readonly query: number; readonly files: readonly FileSuggestion[] }
  /** Answer to `findFiles`: the texts that name files inside the session's folders. */
  | { readonly type: 'foundFiles'; readonly texts: readonly string[] }
  /** Something was added to the draft, by a command of VS Code or a drop. */
  | { readonly type: 'attach'; readonly attachments: readonly Attachment[] }
  /** A queued or failed prompt goes back into the composer. */
  | { readonly type: 'edit'; readonly draft: Draft }
  /** The draft from when the page was last open; `left`: how many parts of it were too large to be kept. */
  | { readonly type: 'draft'; readonly draft: Draft; readonly left: number }
  /** What is wrong with the form that was submitted (EL-6). */
  | { readonly type: 'formErrors'; readonly requestId: number; readonly errors: FormErrors }
  /** Something to tell the user now, which is no part of the history (NO-3). */
  | {
      readonly type: 'notice';
      readonly severity: string;
      readonly title: string;
      readonly description?: string;
    };

/** A piece of code: in a Markdown text the code block with the index `at`, from 0. */
export interface CodePlace {
  readonly index: number;
  readonly part: 'blocks' | 'content' | 'rawInput' | 'rawOutput';
  readonly item: number;
  readonly at: number;
}

/** Webview to host: enumerated intents and nothing else. The host checks every index again. */
export type FromWebview =
  /** The webview has (re)started and holds nothing. */
  | { readonly type: 'ready' }
  | { readonly type: 'resync' }
  /** Whether a text field, or something else that uses the arrow keys itself, has the focus. */
  | { readonly type: 'typing'; readonly typing: boolean }
  /** The rows that the webview wants to hold, `end` exclusive. With `follow`, as many at the end as it grows. */
  | {
      readonly type: 'window';
      readonly start: number;
      readonly end: number;
      readonly follow: boolean;
    }
  /** Asks for a row that came as `unshown` because it is large. */
  | { readonly type: 'showRow'; readonly index: number }
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'openLocation'; readonly index: number; readonly location: number }
  | { readonly type: 'openDiff'; readonly index: number; readonly content: number }
  /** Opens a cut text in full in a read-only editor: a part of a message or of a tool call. */
  | {
      readonly type: 'openText';
      readonly index: number;
      /** `whole`: the entry in full, when its row shows less. */
      readonly part: 'blocks' | 'content' | 'rawInput' | 'rawOutput' | 'command' | 'whole';
      /** Index within `blocks` or `content`; 0 for the other parts. */
      readonly item: number;
    }
  /** Asks which of these texts name files. */
  | { readonly type: 'findFiles'; readonly texts: readonly string[] }
  | { readonly type: 'cancelLoad' }
  /** Sends a prompt, or queues it while a turn runs. */
  | { readonly type: 'prompt'; readonly draft: Draft }
  /** The user has begun to write. */
  | { readonly type: 'keep' }
  | { readonly type: 'cancelTurn' }
  /** Ends, on this side only, a turn whose cancellation the agent doesn't answer. */
  | { readonly type: 'forceFinish' }
  /** Sends the prompt of a failed turn again. */
  | { readonly type: 'sendAgain'; readonly index: number }
  | { readonly type: 'removeQueued'; readonly id: number }
  /** Sends a prompt that was held back. */
  | { readonly type: 'sendQueued'; readonly id: number }
  /** The draft as it is being written: its text, the rest of it only if that changed. */
  | {
      readonly type: 'draft';
      readonly draft: Pick<Draft, 'text'> & Partial<Draft>;
    }
  /** Continues the draft in an editor. */
  | { readonly type: 'editInEditor'; readonly draft: Draft }
  /** Fills in a saved prompt; the answer is `edit`. */
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
      /** When a form is accepted. */
      readonly values: FormValues;
    }
  | { readonly type: 'searchFiles'; readonly query: number; readonly text: string }
  /** Files dropped on the composer; the answer is `attach`. */
  | { readonly type: 'dropFiles'; readonly uris: readonly string[] }
  /** Asks for files with VS Code's own dialog; the answer is `attach`. */
  | { readonly type: 'pickFiles' }
  /** Shows a terminal of this client in VS Code's terminal panel. */
  | { readonly type: 'openTerminal'; readonly terminalId: string }
  | { readonly type: 'openChanges' }
  /** Opens the recorded change of a file against the file as it is now. */
  | { readonly type: 'openChange'; readonly path: string }
  | { readonly type: 'action'; readonly action: FailureAction }
  /** Starts a search at entry `from` that wraps around the end and replaces the previous one; an empty text ends it. */
  | {
      readonly type: 'find';
      readonly query: number;
      readonly from: number;
      readonly search: FindQuery;
    }
  /** Asks where the matches of the user's pattern are in texts as they are drawn. */
  | {
      readonly type: 'mark';
      readonly query: number;
      readonly rows: readonly { readonly index: number; readonly text: string }[];
    }
  /** Copies entries up to and including `last`, or the turn that the first one belongs to. */
  | {
      readonly type: 'copy';
      readonly what: 'entry' | 'turn';
      readonly index: number;
      readonly last: number;
    }
  /** Copies a piece of code. */
  | ({ readonly type: 'copyCode' } & CodePlace)
  /** Inserts a piece of code at the cursor of the last text editor, or opens it in a new editor. */
  | ({
      readonly type: 'useCode';
      readonly how: 'insert' | 'open';
      /** As the agent named it; empty when it didn't. */
      readonly language: string;
    } & CodePlace)
  /** Asks for the next or previous turn, tool call, diff or error from entry `from`. */
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

/** Where the user was reading: a row's index and how many of its pixels are above the fold, or the newest entry. */
export type Anchor = 'end' | { readonly index: number; readonly offset: number };

/** What the webview keeps with VS Code's `setState` and the host's serializer gets back. */
export interface SavedState {
  readonly saved: SavedTranscript;
  readonly anchor: Anchor;
  readonly folds: SavedFolds;
  /** Texts of the prompts that were sent from this tab, oldest first, bounded. */
  readonly history: readonly string[];
}
