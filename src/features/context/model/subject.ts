import type { Attachment } from '../../../shared/transcript/prompt';

/** What a user asks an agent about. */
export interface Subject {
  /** The beginning of a question. */
  readonly ask: string;
  /** The wish to have it explained, as a sentence. */
  readonly explain: string;
  readonly attachments: readonly Attachment[];
}
