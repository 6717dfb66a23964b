/** Something that goes along with a prompt's text. */
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

/** What a person is writing, or has written and not sent yet. */
export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** A prompt that waits for the turn before it to end. */
export interface QueuedPrompt {
  readonly id: number;
  readonly draft: Draft;
  /** What it waited for has gone: a person sends it, or it isn't sent. */
  readonly held?: true;
}

export const emptyDraft: Draft = { text: '', attachments: [] };

export function isEmptyDraft({ text, attachments }: Draft): boolean {
  return text === '' && attachments.length === 0;
}

/** Where the turn stands. At most one at a time in a session (PR-5). */
export type Turn =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'running';
      /** A person has asked to stop (CA-1). */
      readonly cancelling: boolean;
      /** The agent hasn't answered the cancel for so long that it may be ended here (CA-11). */
      readonly canForce: boolean;
      /** When its prompt was sent, in ms since the epoch; absent before that. */
      readonly began?: number;
    };
