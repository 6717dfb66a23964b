import type { Failure, FailureAction } from '../failure';
import type { SessionRef } from '../sessionRef';
import type { SilentMessage, ToneMessage } from '../tone';
import type { BackgroundTasks } from './backgroundTask';
import type { BranchAct, ShownBranches } from './branches';
import type { ConfigOption, FallenMode, SessionModes, UnknownOption } from './config';
import type { PlanItem } from './content';
import type { DrawnEntry } from './drawn';
import type { TurnUsage } from './entries';
import type { FindQuery } from './findQuery';
import type { FirstChoiceKind, FirstChoices } from './firstChoices';
import type { Direction, Landmark, Marks, OutlineTurn } from './outline';
import type { Attachment, Draft, QueuedPrompt, Turn } from './prompt';
import type { Asked, Reply } from './questions';
import type { ShownReview } from './reviewed';
import type { FoldKind, SavedFolds } from './savedFolds';
import type { UsageLimit } from './usageLimit';

/** The loading state of a transcript. */
export type Phase =
  /**
   * The agent is replaying; `received` counts its updates so far. `prints`: the agent is still
   * starting, and printed this line, which isn't a protocol message.
   */
  | { readonly kind: 'loading'; readonly received: number; readonly prints?: string }
  /** The replay has ended; more updates may still arrive at any time (T-9). */
  | { readonly kind: 'ready' }
  /** The load succeeded without any entries (T-13). */
  | { readonly kind: 'empty' }
  /** Opened without its history (RES-6). */
  | { readonly kind: 'resumed' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Something that a feature says of a session; the tooltip has more. */
export interface HeaderFact {
  readonly icon:
    | 'warning'
    | 'loading'
    | 'tools'
    | 'pass'
    | 'error'
    | 'circle-slash'
    | 'git-branch'
    | 'git-compare'
    | 'git-merge';
  readonly text: string;
  readonly title: string;
  /** What a click on it opens: a name of the feature's. */
  readonly opens?: string;
}

export interface Header {
  readonly title: string;
  readonly agentTitle: string;
  /** The folder as shown: the workspace folder that is or contains `cwd`, otherwise the path. */
  readonly folder: string;
  readonly cwd: string;
  /** What is checked out there, if it is a worktree beside the main one. */
  readonly branch?: string;
  /** The user's text for the system prompt; `refused`: the agent doesn't take one, or not in place of its own. */
  readonly systemPrompt?: {
    readonly kind: 'append' | 'override' | 'refused';
    /** Its beginning. */
    readonly text: string;
  };
  readonly facts?: readonly HeaderFact[];
}

/** Whether the user can write here; `reason`: why not, in one sentence. */
export type Writable = { readonly kind: 'yes' } | { readonly kind: 'no'; readonly reason: string };

/** Context in use and cumulative cost (US-1), validated (US-3). */
export interface Usage {
  readonly used: number;
  readonly size: number;
  readonly cost?: { readonly amount: number; readonly currency: string };
}

/**
 * A file with changes that wait for review; without a record of the session's changes, one that its
 * tool calls have changed.
 */
export interface ChangedFile {
  readonly path: string;
  /** Display form of `path`. */
  readonly label: string;
  readonly added: number;
  readonly removed: number;
  /** What happened to the file, unless it was only modified. */
  readonly kind?: 'added' | 'deleted' | 'moved';
  /** Whether the file is still as the session left it; absent while unknown. */
  readonly state?: 'same' | 'changedSince' | 'missing';
}

/** A prompt saved in a file of the workspace. */
export interface SavedPrompt {
  readonly uri: string;
  readonly name: string;
  /** The beginning of its text. */
  readonly description: string;
}

/** The state of a live session, apart from its transcript. */
export interface SessionState {
  readonly writable: Writable;
  /** Present as long as the session hasn't begun. */
  readonly first?: FirstChoices;
  readonly turn: Turn;
  readonly queue: readonly QueuedPrompt[];
  /** Whether the agent takes prompts into the running turn (T-39). */
  readonly canSteer: boolean;
  readonly commands: readonly {
    readonly name: string;
    readonly description: string;
    readonly hint?: string;
    readonly skill?: true;
  }[];
  /** The options in the agent's order (CF-2). If there are any, `modes` is absent (MO-1). */
  readonly configOptions: readonly ConfigOption[];
  /** Options of unknown types; absent if there are none. */
  readonly unknownOptions?: readonly UnknownOption[];
  readonly modes?: SessionModes;
  /** Prompts that may be the user's next one, most likely first; absent if there are none. */
  readonly suggestedPrompts?: readonly string[];
  /** What the agent runs beside the turns; absent if it is nothing. */
  readonly tasks?: BackgroundTasks;
  /** Present until the user has decided about it; prompts wait until then. */
  readonly fallenMode?: FallenMode;
  readonly usage?: Usage;
  /** The tokens of its turns, as far as they were told (US-5). */
  readonly tokens?: TurnUsage;
  /** The limit of the account that holds, or nearly does. */
  readonly limit?: UsageLimit;
  /** Whether the agent accepts images (CO-2). */
  readonly takesImages: boolean;
  readonly changedFiles: readonly ChangedFile[];
  /** What the agent has worked through since the last prompt, if it keeps a list. */
  readonly checklist?: readonly PlanItem[];
  /** Absent without a record of changes. */
  readonly review?: ShownReview;
  /** Absent if no sessions can begin at the prompts of this one. */
  readonly branches?: ShownBranches;
  /** The workspace's saved prompts, sorted by name. */
  readonly savedPrompts: readonly SavedPrompt[];
  /** Indexes of the entries waiting for an answer, ascending. */
  readonly waiting: readonly number[];
  /** Set while the cached transcript is shown. */
  readonly isCached?: boolean;
  /** Name of the file that code can be inserted into, in the last active text editor. */
  readonly insertInto?: string;
  /** Whether Ctrl+Enter sends a prompt, and Enter begins a line. */
  readonly sendsWithCtrl?: boolean;
  /**
   * Set when the session was changed elsewhere since it was loaded; `canReload`: whether it can be
   * loaded again as is.
   */
  readonly wentOn?: { readonly canReload: boolean };
}

/** The index of a change is a place, see `placeIn`. */
export type Change =
  /** An entry in the window is new to the webview, or was replaced. */
  | { readonly op: 'set'; readonly index: number; readonly entry: DrawnEntry }
  /** Text was appended to the last text block of a message. */
  | { readonly op: 'append'; readonly index: number; readonly text: string };

/**
 * Host to webview. Snapshots and patches carry consecutive revisions; after a gap, the webview asks
 * for a snapshot with `resync`.
 */
export type ToWebview =
  | {
      readonly type: 'snapshot';
      readonly revision: number;
      readonly header: Header;
      readonly phase: Phase;
      readonly session: SessionState;
      /** Total number of entries, drawn or not. */
      readonly count: number;
      /** Index of the first element of `entries`. */
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
      /** Whether to discard the earlier results. */
      readonly isNew: boolean;
      /**
       * The changes since the previous message, in triples: the index of an entry, the number of
       * consecutive entries that are alike from there on, and the number of matches in each; 0 if
       * there are none any more. Binary, because long lists are slow to send otherwise.
       */
      readonly places: Uint32Array;
      /** `cut`: the search reached its limit. `invalid`, `long`, `slow`: what is wrong with the pattern. */
      readonly state: 'searching' | 'complete' | 'cut' | 'invalid' | 'long' | 'slow';
    }
  /** Scroll this entry into view: the answer to `seek`, or a host command. */
  | {
      readonly type: 'reveal';
      readonly index: number;
      /** The words of a search across sessions: highlighted there until the user does something else. */
      readonly words?: readonly string[];
    }
  /** The turns around the requested rows; parts that the webview already has are absent. */
  | {
      readonly type: 'outline';
      readonly turns?: readonly OutlineTurn[];
      readonly marks?: Marks;
    }
  /** Host command: send `seek` from the current position. */
  | { readonly type: 'go'; readonly target: Landmark; readonly direction: Direction }
  /** Host command: open or close all foldable parts of a kind. */
  | { readonly type: 'fold'; readonly kind: FoldKind | 'all'; readonly open: boolean }
  /** Host command: send `copy` or `copyCode` for the current entry, turn or code block. */
  | { readonly type: 'copy'; readonly what: 'entry' | 'turn' | 'code' }
  /** Scroll to an entry while the user picks one; without an index, return to where that began. */
  | { readonly type: 'preview'; readonly index?: number }
  /** Host command, from a keybinding or the Command Palette. */
  | {
      readonly type: 'command';
      readonly command: 'find' | 'jumpToLatest' | 'focusComposer' | 'editPrompt';
    }
  | Reply
  /** Attachments to add to the draft, from a VS Code command or a drop. */
  | { readonly type: 'attach'; readonly attachments: readonly Attachment[] }
  /** A prompt to put into the composer: a queued or failed one. */
  | { readonly type: 'edit'; readonly draft: Draft }
  /**
   * The draft from when the page was last open; `left`: number of its parts that were too large to
   * keep.
   */
  | { readonly type: 'draft'; readonly draft: Draft; readonly left: number }
  | ToneMessage
  /** A message to show now, which isn't part of the history (NO-3). */
  | {
      readonly type: 'notice';
      readonly severity: string;
      readonly title: string;
      readonly description?: string;
    };

/** A code block; in a Markdown text, the one with the 0-based index `at`. */
export interface CodePlace {
  readonly index: number;
  readonly part: 'blocks' | 'content' | 'rawInput' | 'rawOutput';
  readonly item: number;
  readonly at: number;
}

/** Webview to host: a closed set of intents and questions. The host checks every index again. */
export type FromWebview =
  /** The webview has (re)started and holds no state. */
  | { readonly type: 'ready' }
  | { readonly type: 'resync' }
  | Asked
  | SilentMessage
  /** Whether a text field, or another element that handles the arrow keys itself, has the focus. */
  | { readonly type: 'typing'; readonly typing: boolean }
  /**
   * The rows that the webview asks for; `end` is exclusive. With `follow`, that many rows at the
   * growing end.
   */
  | {
      readonly type: 'window';
      readonly start: number;
      readonly end: number;
      readonly follow: boolean;
    }
  /** Asks for the last entries of a subagent, by its number; for none any more with 0 `rows`. */
  | { readonly type: 'unfold'; readonly number: number; readonly rows: number }
  | { readonly type: 'stopSubagent'; readonly number: number }
  /** Stops a task in the background, if the user confirms that. */
  | { readonly type: 'stopTask'; readonly id: string }
  /** Asks for a row that was sent as `unshown` because it is large. */
  | { readonly type: 'showRow'; readonly index: number }
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'openLocation'; readonly index: number; readonly location: number }
  /** Opens the diff; `file` is set for a part that names a file without its lines. */
  | { readonly type: 'openDiff'; readonly index: number; readonly content: number }
  /** Opens the full text of a truncated part of a message or tool call in a read-only editor. */
  | {
      readonly type: 'openText';
      readonly index: number;
      /** `whole`: the complete entry, when its row shows less. */
      readonly part: 'blocks' | 'content' | 'rawInput' | 'rawOutput' | 'command' | 'whole';
      /** Index within `blocks` or `content`; 0 for the other parts. */
      readonly item: number;
    }
  /** Opens a plan as a document, or continues with it. */
  | { readonly type: 'plan'; readonly act: 'open' | 'continue'; readonly index: number }
  | { readonly type: 'cancelLoad' }
  /** Sends a prompt, or queues it while a turn is running; `now` sends it into that turn (T-39). */
  | { readonly type: 'prompt'; readonly draft: Draft; readonly now?: true }
  /** The user has started to write. */
  | { readonly type: 'keep' }
  | { readonly type: 'cancelTurn' }
  /** Ends, on this side only, a turn whose cancellation the agent doesn't answer. */
  | { readonly type: 'forceFinish' }
  /** Sends the prompt of a failed turn again. */
  | { readonly type: 'sendAgain'; readonly index: number }
  /** Keeps the prompt of a turn that failed because of a limit until that ends. */
  | { readonly type: 'sendWhenReset'; readonly index: number }
  | { readonly type: 'removeQueued'; readonly id: number }
  /** Sends a held prompt. */
  | { readonly type: 'sendQueued'; readonly id: number }
  /** Sends a queued prompt into the running turn (T-39). */
  | { readonly type: 'sendNow'; readonly id: number }
  /** Moves a prompt to this index among those that are queued, or held, like it. */
  | { readonly type: 'moveQueued'; readonly id: number; readonly to: number }
  /** The draft as it is being written: its text, and its attachments only if they have changed. */
  | {
      readonly type: 'draft';
      readonly draft: Pick<Draft, 'text'> & Partial<Draft>;
    }
  /** Continues the draft in an editor. */
  | { readonly type: 'editInEditor'; readonly draft: Draft }
  /** Returns a queued prompt to the composer. */
  | { readonly type: 'editQueued'; readonly id: number }
  | { readonly type: 'setMode'; readonly modeId: string }
  /** See `fallenMode`. */
  | { readonly type: 'goOnInMode' }
  | {
      readonly type: 'setConfigOption';
      readonly configId: string;
      readonly value: string | boolean;
    }
  /** Chooses where the session begins. */
  | { readonly type: 'chooseFirst'; readonly kind: FirstChoiceKind; readonly value: string }
  | { readonly type: 'answerPermission'; readonly requestId: number; readonly optionId: string }
  /** Adds the rule that is offered with the request, and allows the request once. */
  | { readonly type: 'allowByRule'; readonly requestId: number }
  /** Files dropped on the composer; the answer is `attach`. */
  | { readonly type: 'dropFiles'; readonly uris: readonly string[] }
  /** Shows what goes along with the prompt. */
  | { readonly type: 'openAttachment'; readonly attachment: Attachment }
  /** Opens VS Code's file dialog; the answer is `attach`. */
  | { readonly type: 'pickFiles' }
  /** Shows a terminal that this client runs in VS Code's terminal panel. */
  | { readonly type: 'openTerminal'; readonly terminalId: string }
  | { readonly type: 'openChanges' }
  /** Opens the recorded change of a file as a diff against its current contents. */
  | { readonly type: 'openChange'; readonly path: string }
  /** Shows or decides the changes of a turn; see `ReviewedTurn.turn`. */
  | {
      readonly type: 'reviewTurn';
      readonly turn: number;
      readonly act: 'show' | 'keep' | 'undo' | 'showUncertain' | 'sendComments';
    }
  /** Restores the files to what they were before the turn with this prompt, after a preview. */
  | { readonly type: 'restoreBefore'; readonly index: number }
  /** Begins a session before this prompt. */
  | { readonly type: 'branch'; readonly act: BranchAct; readonly index: number }
  /** Shows the session that this one was forked from, at that prompt. */
  | { readonly type: 'openOrigin' }
  /** Shows a session that was forked from this one. */
  | { readonly type: 'openFork'; readonly sessionId: string; readonly agentId?: string }
  /** Opens what a fact in the header stands for. */
  | { readonly type: 'openFact'; readonly opens: string }
  | { readonly type: 'action'; readonly action: FailureAction }
  /**
   * Starts a search at entry `from`, wrapping around the end, that replaces the previous one; an
   * empty text ends it.
   */
  | {
      readonly type: 'find';
      readonly query: number;
      readonly from: number;
      readonly search: FindQuery;
    }
  /** Copies the entries up to and including `last`, or the turn that `index` belongs to. */
  | {
      readonly type: 'copy';
      readonly what: 'entry' | 'turn';
      readonly index: number;
      readonly last: number;
    }
  /** Copies a code block. */
  | ({ readonly type: 'copyCode' } & CodePlace)
  /** Inserts a code block at the cursor of the last text editor, or opens it in a new editor. */
  | ({
      readonly type: 'useCode';
      readonly how: 'insert' | 'open';
      /** The language as named by the agent; empty if it named none. */
      readonly language: string;
    } & CodePlace)
  /** Asks for the next or previous turn, tool call, diff or error, starting at entry `from`. */
  | {
      readonly type: 'seek';
      readonly target: Landmark;
      readonly direction: Direction;
      readonly from: number;
    };

/** The identity that a tab needs to be restored after a reload; never content. */
export interface SavedTranscript extends SessionRef {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly title: string;
}

/**
 * The reading position: a row's index and the number of its pixels above the viewport, or the
 * newest entry.
 */
export type Anchor = 'end' | { readonly index: number; readonly offset: number };

/** The state that the webview saves with VS Code's `setState`; the host's serializer receives it as well. */
export interface SavedState {
  readonly saved: SavedTranscript;
  readonly anchor: Anchor;
  readonly folds: SavedFolds;
  /** Prompts sent from this tab, oldest first, limited in number and length. */
  readonly history: readonly string[];
}
