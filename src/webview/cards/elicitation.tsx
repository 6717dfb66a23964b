import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { literal } from '../../shared/literal';
import type { FieldValue, FormField, FormValues } from '../../shared/requests/agentQuestions';
import { askerName } from '../../shared/transcript/askerName';
import type { DrawnElicitation } from '../../shared/transcript/drawn';
import { useTranscript } from '../state/context';
import { AddressAsked, AddressLine } from './addressCard';
import { Card, Outcome } from './card';
import { Form } from './form';

interface ElicitationProps {
  readonly elicitation: DrawnElicitation;
}

/** EL-1 to EL-17: an agent's question, and its outcome once it is answered. */
export function Elicitation({ elicitation }: ElicitationProps): VNode {
  return elicitation.state.kind === 'waiting' ? (
    <Asked elicitation={elicitation} />
  ) : (
    <Answered elicitation={elicitation} />
  );
}

function Asked({ elicitation: { requestId, message, ask, from } }: ElicitationProps): VNode {
  const { state } = useTranscript();
  const agentTitle = askerName(from, state.agentTitle.value);
  const isForm = ask.mode === 'form';
  return (
    <Card
      icon={isForm ? 'question' : 'link-external'}
      title={
        isForm
          ? l10n.t('{0} has a question', agentTitle)
          : l10n.t('{0} asks you to open a web page', agentTitle)
      }
      subject={message}
    >
      <Message message={message} ask={ask} />
      {isForm ? (
        <Form requestId={requestId} fields={ask.fields} />
      ) : (
        <AddressAsked requestId={requestId} url={ask.url} omitted={ask.omitted} />
      )}
    </Card>
  );
}

/** What is asked; nothing if a field says the same. */
function Message({ message, ask }: Pick<DrawnElicitation, 'message' | 'ask'>): VNode | null {
  const isSaid = ask.mode === 'form' && ask.fields.some(({ title }) => title === message);
  return isSaid ? null : <p class="card-message">{literal(message)}</p>;
}

function Answered({ elicitation }: ElicitationProps): VNode {
  const { state: transcript } = useTranscript();
  const { requestId, message, ask, state } = elicitation;
  useEffect(() => transcript.forms.forget(requestId), [transcript, requestId]);
  const { icon, text } = getOutcome(elicitation);
  return (
    <>
      <Outcome icon={icon} text={text} subject={message}>
        {() => (
          <>
            <Message message={message} ask={ask} />
            {ask.mode === 'form' && state.kind === 'accepted' && (
              <Values fields={ask.fields} values={state.values} />
            )}
            {ask.mode === 'url' && <AddressLine url={ask.url} omitted={ask.omitted} />}
          </>
        )}
      </Outcome>
      {ask.mode === 'url' && state.kind === 'opened' && !state.completed && (
        <OpenAgain url={ask.url} />
      )}
    </>
  );
}

function getOutcome({ state }: DrawnElicitation): { readonly icon: string; readonly text: string } {
  switch (state.kind) {
    case 'opened':
      return state.completed
        ? { icon: 'check', text: l10n.t('Finished in the browser') }
        : { icon: 'link-external', text: l10n.t('Waiting for you to finish in the browser') };
    case 'declined':
      return { icon: 'circle-slash', text: l10n.t('Declined by you') };
    case 'cancelled':
      return { icon: 'circle-slash', text: l10n.t('Canceled') };
    case 'accepted':
    case 'waiting':
      return { icon: 'check', text: l10n.t('Answered by you') };
  }
}

/** EL-15: the user may have closed the page too early. The host checks the address again. */
function OpenAgain({ url }: { readonly url: string }): VNode {
  const { post } = useTranscript();
  return (
    <div class="entry outcome-actions">
      <button
        type="button"
        class="text-button"
        onClick={() => post({ type: 'openLink', href: url })}
      >
        {l10n.t('Open Again')}
      </button>
    </div>
  );
}

interface ValuesProps {
  readonly fields: readonly FormField[];
  readonly values: FormValues;
}

/** The answers, without probable secrets (EL-17). */
function Values({ fields, values }: ValuesProps): VNode {
  return (
    <dl class="card-values">
      {fields.map((field): ComponentChildren => {
        const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
        return (
          value !== undefined && (
            <div key={field.name}>
              <dt>{literal(field.title)}</dt>
              <dd>{literal(valueText(field, value))}</dd>
            </div>
          )
        );
      })}
    </dl>
  );
}

function valueText(field: FormField, value: FieldValue): string {
  const getTitle = (item: string): string =>
    ('choices' in field && field.choices.find((choice) => choice.value === item)?.title) || item;
  switch (typeof value) {
    case 'boolean':
      return value ? l10n.t('Yes') : l10n.t('No');
    case 'number':
      return String(value);
    case 'string':
      return getTitle(value);
    default:
      return value.map(getTitle).join(', ');
  }
}
