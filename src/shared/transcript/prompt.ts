/** An attachment of a prompt. */
export type Attachment = {
  /** The word of the prompt that stands for it, such as `@cart.ts`: without it, it isn't sent. */
  readonly mention?: string;
} & (
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
      /** 1-based, inclusive. */
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
    }
  | {
      readonly type: 'text';
      readonly uri: string;
      readonly name: string;
      readonly text: string;
      /** Where it is from, for people. */
      readonly detail?: string;
    }
  | {
      /** What is read when the prompt is sent. */
      readonly type: 'context';
      /** Who reads it, such as `problems`. */
      readonly source: string;
      /** What of it, in words that only its reader understands. */
      readonly about: string;
      readonly name: string;
      /** Where it is from, for people. */
      readonly detail?: string;
    }
);

/** A prompt that hasn't been sent. */
export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** A prompt waiting for the current turn to end. */
export interface QueuedPrompt {
  readonly id: number;
  readonly draft: Draft;
  /** Set when the turn that it was queued for is gone: it is only sent if the user sends it. */
  readonly held?: true;
  /** When it is sent without the user after all, as long as the window is open, in ms since the epoch. */
  readonly at?: number;
}

export const emptyDraft: Draft = { text: '', attachments: [] };

export function isEmptyDraft({ text, attachments }: Draft): boolean {
  return text === '' && attachments.length === 0;
}

/** Whether the user can ask the agent to stop (CA-1). */
export function canStop(turn: Turn): boolean {
  return turn.kind === 'background' || (turn.kind === 'running' && !turn.cancelling);
}

/** The state of the turn. A session has at most one turn at a time (PR-5). */
export type Turn =
  /** `background`: number of tasks that still run, if there are any. */
  | { readonly kind: 'idle'; readonly background?: number }
  /**
   * The agent works although no prompt of this client runs (T-40); `began` as below. `waits`: for an answer that isn't
   * asked for here. `silentSince`: as below.
   */
  | {
      readonly kind: 'background';
      readonly began: number;
      readonly waits?: true;
      readonly silentSince?: number;
    }
  | {
      readonly kind: 'running';
      /** Whether the user has asked to stop (CA-1). */
      readonly cancelling: boolean;
      /**
       * Whether the agent has left the cancellation unanswered for so long that the user may end
       * the turn here (CA-11).
       */
      readonly canForce: boolean;
      /** Whether it waits, as above. */
      readonly waits?: true;
      /** When the prompt was sent, in milliseconds since the epoch; absent before that. */
      readonly began?: number;
      /**
       * Since when the agent has said and asked nothing, in ms since the epoch, if that is long and it waits neither for
       * the user nor for a command that runs here.
       */
      readonly silentSince?: number;
    };
