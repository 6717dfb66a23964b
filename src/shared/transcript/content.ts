/**
 * The protocol's vocabulary after normalising: what the host and the webview both understand.
 * Every value here has been checked; a value of an unknown type has become an `unknown` one.
 */

/** One content block (CO-1 to CO-8). Text is Markdown by the protocol, and never more than data. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'audio';
      readonly mimeType: string;
      /** Base64, as sent. */
      readonly data: string;
      readonly uri?: string;
    }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
      /** Bytes. */
      readonly size?: number;
    }
  | {
      readonly type: 'resource';
      readonly uri: string;
      readonly mimeType?: string;
      /** Absent for a binary resource, of which only the size is kept. */
      readonly text?: string;
      /** Bytes of a binary resource, estimated from its base64. */
      readonly size?: number;
    }
  | { readonly type: 'unknown' /** What the agent called it. */; readonly label: string };

export const toolKinds = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
] as const;
export type ToolKind = (typeof toolKinds)[number];

/** The statuses that an agent reports (TO-4). */
export const toolStatuses = ['pending', 'in_progress', 'completed', 'failed'] as const;
export type ToolStatus = (typeof toolStatuses)[number];

export interface FileLocation {
  readonly path: string;
  /** 1-based (TR-12). */
  readonly line?: number;
}

/** A tool call's change of a file. */
export interface Diff {
  readonly type: 'diff';
  readonly path: string;
  /** `null`: the file is new. */
  readonly oldText: string | null;
  readonly newText: string;
}

export type ToolContent =
  | { readonly type: 'content'; readonly block: Block }
  | Diff
  | { readonly type: 'terminal'; readonly terminalId: string };

export function diffsIn(content: readonly ToolContent[]): readonly Diff[] {
  return content.filter((item) => item.type === 'diff');
}

/** Kinds of tools that return text which something else wrote: files, matches, a command's output. */
const printingKinds: ReadonlySet<ToolKind> = new Set<ToolKind>(['read', 'search', 'execute']);
const fence = /^\s*(?:```|~~~)/;

/**
 * Whether a text of a tool call is what the tool printed rather than Markdown. The protocol calls it Markdown, but
 * only some agents fence what a tool printed (TO-5).
 */
export function isPrinted(text: string, toolKind: ToolKind): boolean {
  return printingKinds.has(toolKind) ? !fence.test(text) : isJson(text);
}

/** In characters; a longer text isn't parsed to find out. */
const longestJson = 100_000;

/** Whether a text is a JSON object or array, which shouldn't be drawn as Markdown. */
export function isJson(text: string): boolean {
  if (text.length > longestJson || !/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text)) {
    return false;
  }
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export interface PlanItem {
  readonly content: string;
  readonly priority: 'high' | 'medium' | 'low';
  readonly status: 'pending' | 'in_progress' | 'completed';
}
