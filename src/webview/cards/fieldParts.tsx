import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { literal } from '../../shared/literal';
import type { FormField } from '../../shared/requests/agentQuestions';

/** Attributes that connect a control with its description and error for screen readers. */
export interface ControlAttributes {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
}

/** A field's title, with a mark when it is required. */
export function Title({ field }: { readonly field: FormField }): VNode {
  return (
    <span>
      <bdi>{literal(field.title)}</bdi>
      {field.required && (
        <span class="field-required">
          <span aria-hidden="true"> *</span>
          <span class="sr-only"> {l10n.t('(required)')}</span>
        </span>
      )}
    </span>
  );
}
