/** Something that is sent with a prompt's text. */
export type Attachment =
  | {
      readonly type: 'file';
      /** `file:` URI of a file or folder. */
      readonly uri: string;
      readonly name: string;
    }
  | {
      readonly type: 'selection';
      readonly uri: string;
      readonly name: string;
      /** 1-based, both included. */
      readonly startLine: number;
      readonly endLine: number;
      readonly text: string;
    }
  | {
      readonly type: 'image';
      readonly name: string;
      readonly mimeType: string;
      /** Base64. */
      readonly data: string;
    };

/** What the user is writing, or has written and not sent yet. */
export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** A prompt that waits for the current turn to end. */
export interface QueuedPrompt {
  readonly id: number;
  readonly draft: Draft;
  /** Set when the turn that it waited for is gone: it is sent only if the user sends it. */
  readonly held?: true;
}

export const emptyDraft: Draft = { text: '', attachments: [] };

export function isEmptyDraft({ text, attachments }: Draft): boolean {
  return text === '' && attachments.length === 0;
}

/** The state of the turn. A session has at most one at a time (PR-5). */
export type Turn =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'running';
      /** The user has asked to stop (CA-1). */
      readonly cancelling: boolean;
      /** The agent hasn't answered the cancellation for so long that the user may end the turn here (CA-11). */
      readonly canForce: boolean;
      /** When its prompt was sent, in ms since the epoch; absent before that. */
      readonly began?: number;
    };
