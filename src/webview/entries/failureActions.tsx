import type { VNode } from 'preact';
import { type FailureAction, failureActions } from '../../shared/failure';
import { useTranscript } from '../state/context';

interface FailureActionsProps {
  readonly actions: readonly FailureAction[];
  /** Whether another primary button precedes these. */
  readonly secondary?: boolean;
  /** Label of the `retry` action, where nothing has failed. */
  readonly retry?: string;
}

/** Buttons for the actions a failure offers. */
export function FailureActions({
  actions,
  secondary = false,
  retry = failureActions.retry.label,
}: FailureActionsProps): VNode {
  const { post } = useTranscript();
  return (
    <>
      {actions.map((action, at) => (
        <button
          key={action}
          type="button"
          class={at === 0 && !secondary ? 'button' : 'button button-secondary'}
          onClick={() => post({ type: 'action', action })}
        >
          {action === 'retry' ? retry : failureActions[action].label}
        </button>
      ))}
    </>
  );
}
