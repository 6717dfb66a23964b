import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Turn } from '../../../shared/transcript/prompt';
import { silentText } from '../../../shared/transcript/silentText';
import { Elapsed } from '../../parts/elapsed';
import { Icon } from '../../parts/icon';
import { useSessionPart, useTranscript } from '../../state/context';

/** What the agent is doing or waiting for, as a live region, and for how long. */
export function TurnStatus(): VNode {
  const { state } = useTranscript();
  const turn = useSessionPart('turn');
  const running = turn?.kind === 'running' ? turn : undefined;
  const began = turn?.kind === 'idle' ? undefined : turn?.began;
  const isSaidByCard = useIsRequestSeen() && running?.cancelling !== true;
  const { stopKey } = state;
  // Escape must not stop another turn than the one it was pressed for, nor one that is already stopping.
  useEffect(() => stopKey.disarm(), [stopKey, began, running?.cancelling]);
  return (
    <div class="turn-status">
      <div role="status">{!isSaidByCard && <Status />}</div>
      {began !== undefined && !isSaidByCard && <Elapsed began={began} />}
      {stopKey.armed.value && (
        <span class="turn-armed" aria-hidden="true">
          {l10n.t('Press Escape again to stop')}
        </span>
      )}
    </div>
  );
}

/** Whether the card of the request to answer next is on screen, and says all that the status would. */
function useIsRequestSeen(): boolean {
  const { seenRequest } = useTranscript().state;
  const request = useSessionPart('waiting')?.[0];
  return request !== undefined && seenRequest.value === request;
}

function Status(): ComponentChildren {
  const { state, post } = useTranscript();
  const turn = useSessionPart('turn');
  const request = useSessionPart('waiting')?.[0];
  const agentTitle = state.agentTitle.value;
  if (turn?.kind === 'running' && turn.canForce) {
    return (
      <p class="turn-line">
        <Icon name="warning" />
        <span>
          {l10n.t(
            '{0} hasn’t responded to the request to stop. You can end the turn here; anything it still sends is shown.',
            agentTitle,
          )}
        </span>
        <button
          type="button"
          class="button button-secondary"
          onClick={() => post({ type: 'forceFinish' })}
        >
          {l10n.t('End Turn Here')}
        </button>
      </p>
    );
  }
  if (turn?.kind === 'running' && turn.cancelling) {
    return <Working>{l10n.t('Stopping…')}</Working>;
  }
  if (request !== undefined) {
    return (
      <p class="turn-line">
        <Icon name="bell-dot" />
        <span>{l10n.t('{0} needs your answer', agentTitle)}</span>
        <button type="button" class="text-button" onClick={() => state.show(request, 'entry')}>
          {l10n.t('Go to Request')}
        </button>
      </p>
    );
  }
  return turn && <Doing turn={turn} />;
}

/** What the agent does while nothing is asked of the user. */
function Doing({ turn }: { readonly turn: Turn }): VNode | null {
  const { agentTitle } = useTranscript().state;
  switch (turn.kind) {
    case 'idle':
      return null;
    case 'background':
    case 'running':
      if (turn.waits) {
        return (
          <p class="turn-line">
            <Icon name="bell" />
            <span class="one-line">{l10n.t('Waiting for an answer elsewhere')}</span>
          </p>
        );
      }
      if (turn.silentSince !== undefined && !(turn.kind === 'running' && turn.cancelling)) {
        return <Silent since={turn.silentSince} />;
      }
      return (
        <Working>
          {turn.kind === 'running'
            ? l10n.t('{0} is working…', agentTitle.value)
            : l10n.t('{0} is working in the background…', agentTitle.value)}
        </Working>
      );
  }
}

/** The agent may think, wait for its model, or hang: only the user can tell. */
function Silent({ since }: { readonly since: number }): VNode {
  const { state, post } = useTranscript();
  return (
    <p class="turn-line">
      <Icon name="watch" />
      <span>{silentText(state.agentTitle.value, since)}</span>
      <button type="button" class="text-button" onClick={() => post({ type: 'cancelTurn' })}>
        {l10n.t('Stop')}
      </button>
    </p>
  );
}

function Working({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <p class="turn-line">
      <Icon name="loading" spin />
      <span class="one-line">{children}</span>
    </p>
  );
}
