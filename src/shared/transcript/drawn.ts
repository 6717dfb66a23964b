import type {
  ElicitationAsk,
  ElicitationState,
  PermissionOption,
  PermissionState,
} from '../requests/questions';
import type { FileLocation, PlanItem, ToolKind } from './content';
import type {
  MessageKind,
  OwnAsk,
  TerminalState,
  ToolCallState,
  TurnOutcome,
  TurnTimes,
} from './entries';

/**
 * What the webview draws: entries made small enough to send. Long texts are cut (`omitted` says how
 * much is missing; the whole opens in an editor), diffs are reduced to hunks, JSON is formatted.
 */
export type DrawnEntry = (
  | DrawnMessage
  | DrawnToolCall
  | DrawnPlan
  | DrawnCompaction
  | DrawnPermission
  | DrawnElicitation
  | DrawnTurn
  | DrawnUnshown
) &
  Shortened;

/** Set when parts of the entry are left out of which no text in it says so; the whole entry opens in an editor. */
interface Shortened {
  readonly shortened?: true;
}

export interface DrawnText {
  readonly text: string;
  /** Characters left out at the end. */
  readonly omitted: number;
}

/** A tool's raw input or output. */
export interface DrawnRaw extends DrawnText {
  /** JSON, or a text as it is. */
  readonly isJson: boolean;
}

export type DrawnBlock =
  | ({ readonly type: 'text' } & DrawnText)
  /** What a tool printed: shown as it is, never as Markdown. */
  | ({ readonly type: 'printed' } & DrawnText)
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string }
  | {
      /** Named rather than shown: audio, a binary resource, an image that is too large or of an unsupported type. */
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
  | ({ readonly type: 'resource'; readonly uri: string; readonly label: string } & DrawnText);

export interface DrawnMessage {
  readonly kind: MessageKind;
  readonly blocks: readonly DrawnBlock[];
  readonly turn?: TurnTimes;
  readonly dropped?: true;
}

export interface DrawnDiffLine {
  /** `gap`: unchanged lines left out between two hunks; `text` is empty. */
  readonly type: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
}

/** A line's numbers in its file before and after the change; an unknown one is absent. */
export interface LineNumbers {
  readonly old?: number;
  readonly new?: number;
}

export interface DrawnDiff {
  readonly type: 'diff';
  readonly path: string;
  /** Short form of `path` to display, relative to the session's cwd if it is inside. */
  readonly label: string;
  readonly isNew: boolean;
  readonly added: number;
  readonly removed: number;
  /** Bounded; empty when the change is too large to show inline. */
  readonly lines: readonly DrawnDiffLine[];
  /** Line numbers of the first line of each stretch between gaps; absent if its position in the file is unknown. */
  readonly numbers?: readonly LineNumbers[];
  /** Whether there are more lines than `lines` holds. */
  readonly cut: boolean;
}

export interface DrawnTerminal {
  readonly type: 'terminal';
  readonly terminalId: string;
  /**
   * Raw output with its ANSI sequences; absent when the client never had any (TE-9). Only the end of a long one:
   * `omitted` counts what is missing at the start.
   */
  readonly output?: DrawnText;
  /** Set while its call hasn't ended: more output may come. */
  readonly waits?: true;
  /** Set for terminals that this client runs, which can also be opened in VS Code's terminal panel. */
  readonly state?: TerminalState;
  /** Exit code of a command that the agent ran, if it isn't zero. */
  readonly exitCode?: number;
}

export type DrawnToolContent =
  | { readonly type: 'block'; readonly block: DrawnBlock }
  | DrawnDiff
  | DrawnTerminal;

export interface DrawnLocation extends FileLocation {
  readonly label: string;
  /** Index among all locations of the call, some of which aren't drawn. */
  readonly index: number;
}

export interface DrawnToolCall extends Shortened {
  readonly kind: 'toolCall';
  readonly title: string;
  readonly name?: string;
  readonly toolKind: ToolKind;
  readonly status: ToolCallState;
  readonly content: readonly DrawnToolContent[];
  readonly locations: readonly DrawnLocation[];
  /** The to-do list that the call set. */
  readonly todos?: readonly PlanItem[];
  readonly rawInput?: DrawnRaw;
  /** Absent if it only repeats what `content` shows. */
  readonly rawOutput?: DrawnRaw;
  readonly dropped?: true;
}

export interface DrawnPlan {
  readonly kind: 'plan';
  readonly items: readonly PlanItem[];
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
  /** In full: what the user decides about is never cut without saying so. */
  readonly toolCall: DrawnToolCall;
  /** Index of the call's own entry, with which this is drawn. */
  readonly call?: number;
  /** The command that the call would run, if its input has one. */
  readonly command?: DrawnText;
  readonly options: readonly PermissionOption[];
  readonly state: PermissionState;
  readonly own?: OwnAsk;
}

export interface DrawnElicitation extends Shortened {
  readonly kind: 'elicitation';
  readonly requestId: number;
  readonly message: string;
  readonly ask: ElicitationAsk;
  readonly state: ElicitationState;
}

export interface DrawnTurn {
  readonly kind: 'turn';
  readonly outcome: TurnOutcome;
}

/** Stands for an entry that isn't sent. */
export interface DrawnUnshown {
  readonly kind: 'unshown';
  /** `large`: the rows around it fill what a page may hold; it is sent on request. `broken`: it can't be drawn. */
  readonly reason: 'large' | 'broken';
}
