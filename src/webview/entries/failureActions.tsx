import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { FailureAction } from '../../shared/failure';
import { useTranscript } from '../state/context';

const labels: Readonly<Record<FailureAction, string>> = {
  retry: l10n.t('Retry'),
  showLog: l10n.t('Show Log'),
  editAgents: l10n.t('Edit Agents'),
  manageTrust: l10n.t('Manage Workspace Trust'),
  diagnose: l10n.t('Diagnose'),
  signIn: l10n.t('Sign In…'),
  locateFolder: l10n.t('Locate Folder…'),
  forgetSession: l10n.t('Forget Session…'),
};

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
  retry = labels.retry,
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
          {action === 'retry' ? retry : labels[action]}
        </button>
      ))}
    </>
  );
}
