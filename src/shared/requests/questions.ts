/** What an agent asks the user, checked. */

export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  /** `other`: an unknown kind (PE-2). */
  readonly kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'other';
}

export type PermissionState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'selected'; readonly optionId: string; readonly by: 'person' | 'rule' }
  | { readonly kind: 'cancelled' };

interface FieldBase {
  readonly name: string;
  /** To display; the name if the agent gives no title. */
  readonly title: string;
  readonly description?: string;
  readonly required: boolean;
}

export type FormField =
  | (FieldBase & {
      readonly type: 'string';
      /** As the agent sent it; an unknown one is no reason to refuse (EL-9). */
      readonly format?: string;
      readonly minLength?: number;
      readonly maxLength?: number;
      /** The agent's regular expression; it may only be run with a time limit (EL-8). */
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
  /** Shown, but can't be filled in (EL-7). */
  | (FieldBase & { readonly type: 'unknown' });

export type FieldValue = string | number | boolean | readonly string[];
/** Values by field name; a field that was left empty is absent (EL-18). */
export type FormValues = Readonly<Record<string, FieldValue>>;
/** What is wrong, in words, by field name. */
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
  /** `values` without what looks like a secret (EL-17). */
  | { readonly kind: 'accepted'; readonly values: FormValues }
  /** The address was opened with the user's consent; `completed`: the agent has said so (EL-14). */
  | { readonly kind: 'opened'; readonly completed: boolean }
  | { readonly kind: 'declined' }
  | { readonly kind: 'cancelled' };

export type ElicitationAction = 'accept' | 'decline' | 'cancel';
