import type { FileLocation, PlanItem, ToolKind } from './content';
import type {
  MessageKind,
  OwnAsk,
  TerminalState,
  ToolCallState,
  TurnOutcome,
  TurnTimes,
} from './entries';
import type {
  ElicitationAsk,
  ElicitationState,
  PermissionOption,
  PermissionState,
} from './requests';

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

/** Parts of an entry that no text says of itself are left out; all of it opens in an editor. */
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
      /** A thing that is named, not shown: audio, a binary resource, an image too large or of a foreign type. */
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

/** Numbers of a line in its file, before and after the change; a side of which they aren't known is absent. */
export interface LineNumbers {
  readonly old?: number;
  readonly new?: number;
}

export interface DrawnDiff {
  readonly type: 'diff';
  readonly path: string;
  /** Short form of `path` for reading, relative to the session's cwd where it lies inside. */
  readonly label: string;
  readonly isNew: boolean;
  readonly added: number;
  readonly removed: number;
  /** Bounded; empty when the change is too large to show inline. */
  readonly lines: readonly DrawnDiffLine[];
  /** Of the first line of each stretch of lines between gaps; absent where it isn't known where in a file they are. */
  readonly numbers?: readonly LineNumbers[];
  /** More lines exist than are in `lines`. */
  readonly cut: boolean;
}

export interface DrawnTerminal {
  readonly type: 'terminal';
  readonly terminalId: string;
  /**
   * Raw output with its ANSI sequences; absent when the client never had any (TE-9). Of a long one the
   * end: `omitted` counts what is missing at the start.
   */
  readonly output?: DrawnText;
  /** Its call hasn't ended: more output may come. */
  readonly waits?: true;
  /** Set for terminals of ours, which also open as a terminal of VS Code's. */
  readonly state?: TerminalState;
  /** Of a command that the agent ran, where it is worth a word: it isn't zero. */
  readonly exitCode?: number;
}

export type DrawnToolContent =
  | { readonly type: 'block'; readonly block: DrawnBlock }
  | DrawnDiff
  | DrawnTerminal;

export interface DrawnLocation extends FileLocation {
  readonly label: string;
  /** Its place among all that the call names: some of them aren't drawn. */
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
  /** The to-do list that the call has set. */
  readonly todos?: readonly PlanItem[];
  readonly rawInput?: DrawnRaw;
  /** Absent where it only says again what `content` shows. */
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
  /** In full: nothing that is decided about is cut without saying so. */
  readonly toolCall: DrawnToolCall;
  /** Index of the entry of the call itself, with which this is drawn. */
  readonly call?: number;
  /** The command that the call would run, where its input has one. */
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
  /** `large`: the rows around it fill what a page may hold; it is sent when a person asks. `broken`: it can't be drawn. */
  readonly reason: 'large' | 'broken';
}
