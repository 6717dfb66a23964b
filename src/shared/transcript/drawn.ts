import type {
  ElicitationAsk,
  ElicitationState,
  OfferedRule,
  PermissionOption,
  PermissionState,
} from '../requests/agentQuestions';
import type { FileChange, FileLocation, PlanItem, ToolKind } from './content';
import type {
  Asker,
  MessageKind,
  OwnAsk,
  SteeringState,
  SubagentEntry,
  TerminalState,
  ToolCallState,
  TurnFacts,
  TurnOutcome,
  UnknownEntry,
} from './entries';

/**
 * Entries in the form that the webview draws, small enough to send. Long texts are cut (`omitted`
 * counts the missing characters; the full text opens in an editor), diffs are reduced to hunks,
 * JSON is formatted.
 */
export type DrawnEntry = (
  | DrawnMessage
  | DrawnToolCall
  | DrawnPlan
  | DrawnCompaction
  | DrawnPermission
  | DrawnElicitation
  | DrawnSubagent
  | UnknownEntry
  | DrawnTurn
  | DrawnUnshown
) &
  Shortened;

/**
 * Set when parts of the entry are missing that no `omitted` accounts for; the full entry opens in
 * an editor.
 */
export interface Shortened {
  readonly shortened?: true;
}

export interface DrawnText {
  readonly text: string;
  /** Number of characters cut off at the end. */
  readonly omitted: number;
}

/** A tool's raw input or output. */
export interface DrawnRaw extends DrawnText {
  /** Whether the text is JSON. */
  readonly isJson: boolean;
}

export type DrawnBlock =
  | ({ readonly type: 'text' } & DrawnText)
  /** Raw tool output, shown as is and never as Markdown. */
  | ({ readonly type: 'printed' } & DrawnText)
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string }
  | {
      /**
       * Shown by name only: audio, a binary resource, an image that is too large or of an
       * unsupported type.
       */
      readonly type: 'label';
      readonly icon: 'audio' | 'image' | 'binary' | 'unknown';
      readonly label: string;
      readonly detail?: string;
    }
  | {
      readonly type: 'link';
      readonly uri: string;
      readonly label: string;
      readonly detail?: string;
    }
  /** What isn't known here, with its form as JSON. */
  | { readonly type: 'unknown'; readonly label: string; readonly raw: string }
  | ({ readonly type: 'resource'; readonly uri: string; readonly label: string } & DrawnText);

export interface DrawnMessage {
  readonly kind: MessageKind;
  readonly blocks: readonly DrawnBlock[];
  readonly seen?: number;
  readonly turn?: TurnFacts;
  readonly steering?: SteeringState;
  readonly dropped?: true;
}

export interface DrawnDiffLine {
  /** `gap`: unchanged lines omitted between two hunks; `text` is empty. */
  readonly type: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
}

/** A line's numbers in its file before and after the change; absent if unknown. */
export interface LineNumbers {
  readonly old?: number;
  readonly new?: number;
}

export interface DrawnDiff {
  readonly type: 'diff';
  readonly path: string;
  /** Display form of `path`, relative to the session's cwd if inside it. */
  readonly label: string;
  readonly isNew: boolean;
  /** Whether the parts before it say what else happened to the file, so that its name isn't repeated. */
  readonly goesOn?: true;
  readonly added: number;
  readonly removed: number;
  /** Bounded; empty when the change is too large to show inline. */
  readonly lines: readonly DrawnDiffLine[];
  /**
   * Line numbers of the first line of each hunk; absent if the change's position in the file is
   * unknown.
   */
  readonly numbers?: readonly LineNumbers[];
  /** Whether the change has more lines than `lines`. */
  readonly cut: boolean;
}

/** What happened to a file apart from its changed lines, which follow as separate diffs. */
export interface DrawnFileChange extends FileChange {
  /** Display forms of the paths, see `DrawnDiff`. */
  readonly label: string;
  readonly oldLabel?: string;
  /** Whether diffs follow. */
  readonly hasLines?: true;
  /** Whether the file may be there to be opened. */
  readonly opens?: true;
}

export interface DrawnTerminal {
  readonly type: 'terminal';
  readonly terminalId: string;
  /**
   * Raw output with its ANSI sequences; absent if the client never received any (TE-9). Only the
   * end of a long output: `omitted` counts the characters missing at the start.
   */
  readonly output?: DrawnText;
  /** Set while the call is running: more output may follow. */
  readonly waits?: true;
  /**
   * The terminal's state: known if this client runs it (it can then be opened in VS Code's terminal panel), or if the
   * agent reports it. /
   */
  readonly state?: TerminalState;
  /** Exit code of a command that the agent ran itself, if it isn't zero. */
  readonly exitCode?: number;
}

export type DrawnToolContent =
  | { readonly type: 'block'; readonly block: DrawnBlock }
  | DrawnDiff
  | DrawnFileChange
  | DrawnTerminal;

export interface DrawnLocation extends FileLocation {
  readonly label: string;
  /** Index among all of the call's locations, some of which aren't drawn. */
  readonly index: number;
}

export interface DrawnToolCall extends Shortened {
  readonly kind: 'toolCall';
  readonly title: string;
  readonly name?: string;
  readonly toolKind: ToolKind;
  readonly status: ToolCallState;
  /** Whether it waits for an answer of the user, whatever its status. */
  readonly asked?: true;
  /** The command that it runs, where the title doesn't say it: agents retitle calls to a description. */
  readonly command?: DrawnText;
  readonly content: readonly DrawnToolContent[];
  readonly locations: readonly DrawnLocation[];
  /** The to-do list set by the call. */
  readonly todos?: readonly PlanItem[];
  readonly rawInput?: DrawnRaw;
  /** Absent if it only repeats `content`. */
  readonly rawOutput?: DrawnRaw;
  readonly dropped?: true;
}

export interface DrawnPlan {
  readonly kind: 'plan';
  readonly items: readonly PlanItem[];
  /** A plan that isn't a list. */
  readonly blocks?: readonly DrawnBlock[];
}

export interface DrawnCompaction {
  readonly kind: 'compaction';
  readonly status: string;
  readonly summary: readonly DrawnBlock[];
  readonly error?: string;
}

export interface DrawnPermission extends Shortened {
  readonly kind: 'permission';
  readonly requestId: number;
  /** The agent's own words, unless they only repeat the call's title. */
  readonly title?: string;
  readonly description?: string;
  /** The call in full, or visibly cut, since the user decides about it. */
  readonly toolCall: DrawnToolCall;
  /** Index of the call's own entry, in whose row this entry is drawn. */
  readonly call?: number;
  /** The command that the call would run, if its input contains one. */
  readonly command?: DrawnText;
  /** The folders in which it would run, and its variables (`NAME=value`), if the input says so. */
  readonly folders?: readonly string[];
  readonly variables?: readonly string[];
  readonly options: readonly PermissionOption[];
  readonly state: PermissionState;
  readonly rule?: OfferedRule;
  readonly own?: OwnAsk;
  readonly from?: Asker;
}

export interface DrawnElicitation extends Shortened {
  readonly kind: 'elicitation';
  readonly requestId: number;
  readonly message: string;
  readonly ask: DrawnAsk;
  readonly state: ElicitationState;
  readonly from?: Asker;
}

/** `omitted`: the number of characters cut off from an address that is too long to be opened. */
export type DrawnAsk =
  | Extract<ElicitationAsk, { mode: 'form' }>
  | (Extract<ElicitationAsk, { mode: 'url' }> & { readonly omitted?: number });

/** A subagent without its entries, which are sent only while it is unfolded, at places of their own. */
export type DrawnSubagent = Omit<SubagentEntry, 'entries' | 'calls' | 'sessionId' | 'callId'> & {
  /** How many entries there are, and how many of them are tool calls. */
  readonly length: number;
  readonly calls: number;
};

export interface DrawnTurn {
  readonly kind: 'turn';
  readonly outcome: TurnOutcome;
}

/** Placeholder for an entry that isn't sent. */
export interface DrawnUnshown {
  readonly kind: 'unshown';
  /**
   * `large`: the rows around it already fill the page's limit; it is sent on request. `broken`: it
   * can't be drawn.
   */
  readonly reason: 'large' | 'broken';
}
