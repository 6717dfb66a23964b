/**
 * The protocol's vocabulary after normalization, shared by host and webview. All values have been
 * validated; values of an unknown type have become `unknown`.
 */

/**
 * A content block (CO-1 to CO-8). Text is Markdown according to the protocol, and always treated as
 * data.
 */
export type Block =
  /** `skills`: the names of skills that the text of a prompt has as words after a `/`, and that are sent by their names. */
  | { readonly type: 'text'; readonly text: string; readonly skills?: readonly string[] }
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
      /** The size in bytes. */
      readonly size?: number;
    }
  | {
      readonly type: 'resource';
      readonly uri: string;
      readonly mimeType?: string;
      /** Absent for a binary resource, of which only the size is kept. */
      readonly text?: string;
      /** Size of a binary resource in bytes, estimated from its base64. */
      readonly size?: number;
    }
  | {
      readonly type: 'unknown';
      /** The agent's name for it. */
      readonly label: string;
      /** The block as JSON, cut if it is long; absent if it isn't there any more. */
      readonly raw?: string;
    };

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

/** The statuses reported by agents (TO-4); `paused` and `cancelled` only by those of version 2. */
export const toolStatuses = [
  'pending',
  'in_progress',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const;
export type ToolStatus = (typeof toolStatuses)[number];

/** Whether a call, or a compaction, with this status may still continue. */
export function isUnfinished(status: string): boolean {
  return status === 'pending' || status === 'in_progress' || status === 'paused';
}

export interface FileLocation {
  readonly path: string;
  /** 1-based (TR-12). */
  readonly line?: number;
}

/** A tool call's change to a file. */
export interface Diff {
  readonly type: 'diff';
  readonly path: string;
  /** `null` for a new file. */
  readonly oldText: string | null;
  readonly newText: string;
}

/**
 * A tool call's change to a file that texts alone don't tell: the file is deleted, moved or copied, it is no text, or
 * the agent gives no text. What is known of its texts follows as `Diff`s with the same path.
 */
export interface FileChange {
  readonly type: 'fileChange';
  /** `other`: an operation that this client doesn't know. */
  readonly operation: 'add' | 'delete' | 'modify' | 'move' | 'copy' | 'other';
  readonly path: string;
  /** The path where a moved or copied file was. */
  readonly oldPath?: string;
  /** Absent if the agent doesn't say, or says something that this client doesn't know. */
  readonly fileType?: 'text' | 'binary' | 'directory' | 'symlink';
}

export type ToolContent =
  | { readonly type: 'content'; readonly block: Block }
  | Diff
  | FileChange
  | { readonly type: 'terminal'; readonly terminalId: string };

export function diffsIn(content: readonly ToolContent[]): readonly Diff[] {
  return content.filter((item) => item.type === 'diff');
}

export function fileChangesIn(content: readonly ToolContent[]): readonly FileChange[] {
  return content.filter((item) => item.type === 'fileChange');
}

/** The files that the changes in a call's content change: the source of a copy is only read. */
export function filesChangedIn(content: readonly ToolContent[]): readonly string[] {
  return content.flatMap((item) => {
    switch (item.type) {
      case 'diff':
        return [item.path];
      case 'fileChange':
        return item.operation === 'move' && item.oldPath !== undefined
          ? [item.path, item.oldPath]
          : [item.path];
      default:
        return [];
    }
  });
}

/** Kinds of tools whose results are text from elsewhere: files, matches, a command's output. */
const printingKinds: ReadonlySet<ToolKind> = new Set<ToolKind>(['read', 'search', 'execute']);
const fence = /^\s*(?:```|~~~)/;

/**
 * Whether a tool call's text is raw output rather than Markdown. The protocol defines it as
 * Markdown, but only some agents fence raw output (TO-5).
 */
export function isPrinted(text: string, toolKind: ToolKind): boolean {
  return printingKinds.has(toolKind) ? !fence.test(text) : isJson(text);
}

/** Maximum length in UTF-16 units; longer texts aren't parsed. */
const maxJsonLength = 100_000;

/** Whether a text is a JSON object or array, which shouldn't be rendered as Markdown. */
export function isJson(text: string): boolean {
  if (text.length > maxJsonLength || !/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text)) {
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
  /** By which an agent changes the item alone, if it does. */
  readonly id?: string;
  readonly content: string;
  readonly priority: 'high' | 'medium' | 'low';
  /** `cancelled` only from agents of version 2. */
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
}
