import * as l10n from '@vscode/l10n';
import type { RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type {
  ElicitationAction,
  FormErrors,
  FormField,
} from '../../shared/requests/agentQuestions';
import { useMany } from '../parts/many';
import { useTranscript } from '../state/context';
import { getValues, tooLong } from '../state/formDrafts';
import { DeclineAndCancel } from './addressCard';
import { Field } from './field';
import { usePlace } from './place';
import { useReady } from './useReady';

interface FormProps {
  readonly requestId: number;
  readonly fields: readonly FormField[];
}

const noErrors: FormErrors = {};

/** EL-2, EL-6: the agent's form. The host validates the answers, of which it takes none that is too long. */
export function Form({ requestId, fields }: FormProps): VNode {
  const { state, ask } = useTranscript();
  const [shown, more] = useMany(fields);
  const form = useRef<HTMLFormElement>(null);
  const isFirst = usePlace().position === 1;
  const ready = useReady(form, isFirst);
  const draft = state.forms.of(requestId, fields);
  const errors = state.formErrors.value.get(requestId) ?? noErrors;
  const isSubmitted = useErrorFocus(form, errors);
  const answer = (action: ElicitationAction): void => {
    isSubmitted.current = action === 'accept';
    const values = action === 'accept' ? getValues(fields, draft.peek()) : {};
    const errors = tooLong(values);
    if (errors === undefined) {
      void state.answer(ask, { type: 'answerElicitation', requestId, action, values });
    } else {
      state.setFormErrors(requestId, errors);
    }
  };
  return (
    <form
      ref={form}
      class="card-form"
      noValidate
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) {
          answer('accept');
        }
      }}
    >
      {shown.map((field, at) => (
        <Field
          key={field.name}
          id={`field-${requestId}-${at}`}
          field={field}
          value={draft.value.get(field.name) ?? ''}
          error={Object.hasOwn(errors, field.name) ? errors[field.name] : undefined}
          onChange={(value) => {
            draft.value = new Map(draft.peek()).set(field.name, value);
            state.forgetFormError(requestId, field.name);
          }}
        />
      ))}
      {more}
      <div class="card-choices">
        <button type="submit" class="button" aria-disabled={!ready}>
          {l10n.t('Submit')}
        </button>
        <DeclineAndCancel ready={ready} onAnswer={answer} />
      </div>
    </form>
  );
}

/** Moves the focus to the first field with an error after a submission, which sets the result. */
function useErrorFocus(
  form: RefObject<HTMLFormElement | null>,
  errors: FormErrors,
): { current: boolean } {
  const isSubmitted = useRef(false);
  useLayoutEffect(() => {
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (isSubmitted.current && wrong) {
      isSubmitted.current = false;
      (wrong.matches('fieldset') ? wrong.querySelector('input') : wrong)?.focus();
    }
  }, [errors]);
  return isSubmitted;
}
