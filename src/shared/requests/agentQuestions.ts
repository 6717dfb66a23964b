/** Validated requests from an agent to the user. */

export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  /** `other`: an unknown kind (PE-2). */
  readonly kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'other';
}

/** A rule that would allow a request like this one from now on (PE-5). */
export type OfferedRule =
  /** The words that commands begin with. */
  | { readonly command: readonly string[] }
  /** A file, relative to the folders of a session. */
  | { readonly path: string };

export const answerers = ['person', 'rule', 'extension'] as const;
/** Who has answered a permission request: the extension only allows its own tools to read. */
type Answerer = (typeof answerers)[number];

export type PermissionState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'selected'; readonly optionId: string; readonly by: Answerer }
  | { readonly kind: 'cancelled' };

interface FieldBase {
  readonly name: string;
  /** The title as shown; the name if the agent sent no title. */
  readonly title: string;
  readonly description?: string;
  readonly required: boolean;
}

export type FormField =
  | (FieldBase & {
      readonly type: 'string';
      /** The format as sent by the agent; an unknown one is accepted (EL-9). */
      readonly format?: string;
      readonly minLength?: number;
      readonly maxLength?: number;
      /** The agent's regular expression, only to be run with a time limit (EL-8). */
      readonly pattern?: string;
      readonly initial?: string;
    })
  | (FieldBase & {
      readonly type: 'number' | 'integer';
      readonly minimum?: number;
      readonly maximum?: number;
      readonly initial?: number;
    })
  | (FieldBase & { readonly type: 'boolean'; readonly initial?: boolean })
  | (FieldBase & {
      readonly type: 'select';
      readonly choices: readonly { readonly value: string; readonly title: string }[];
      readonly initial?: string;
    })
  | (FieldBase & {
      readonly type: 'multiselect';
      readonly choices: readonly { readonly value: string; readonly title: string }[];
      readonly minItems?: number;
      readonly maxItems?: number;
      readonly initial?: readonly string[];
    })
  /** Displayed, but can't be filled in (EL-7). */
  | (FieldBase & { readonly type: 'unknown' });

export type FieldValue = string | number | boolean | readonly string[];
/** Values by field name; fields that were left empty are absent (EL-18). */
export type FormValues = Readonly<Record<string, FieldValue>>;
/** Error messages by field name. */
export type FormErrors = Readonly<Record<string, string>>;

export type ElicitationAsk =
  | { readonly mode: 'form'; readonly fields: readonly FormField[] }
  | {
      readonly mode: 'url';
      readonly url: string;
      readonly elicitationId: string;
    };

export type ElicitationState =
  | { readonly kind: 'waiting' }
  /** `values` doesn't contain probable secrets (EL-17). */
  | { readonly kind: 'accepted'; readonly values: FormValues }
  /**
   * The address was opened with the user's consent; `completed`: the agent has reported completion
   * (EL-14).
   */
  | { readonly kind: 'opened'; readonly completed: boolean }
  | { readonly kind: 'declined' }
  | { readonly kind: 'cancelled' };

export type ElicitationAction = 'accept' | 'decline' | 'cancel';
