import type { ComponentChildren, VNode } from 'preact';
import { useSessionPart, useTranscript } from '../context';
import { Icon } from '../render/icon';

/** What the agent is at, and what it waits for, in one quiet line that screen readers are told of. */
export function TurnStatus(): VNode {
  return (
    <div class="turn-status" role="status">
      <Status />
    </div>
  );
}

function Status(): ComponentChildren {
  const { state, post } = useTranscript();
  const turn = useSessionPart('turn');
  const request = useSessionPart('waiting')?.[0];
  const agentTitle = state.header.value?.agentTitle ?? 'The agent';
  if (turn?.kind === 'running' && turn.canForce) {
    return (
      <p class="turn-line">
        <Icon name="warning" />
        <span>
          {agentTitle} doesn't answer the request to stop. You can end the turn here; what it still
          sends is shown.
        </span>
        <button
          type="button"
          class="button button-secondary"
          onClick={() => post({ type: 'forceFinish' })}
        >
          End Turn Here
        </button>
      </p>
    );
  }
  if (turn?.kind === 'running' && turn.cancelling) {
    return <Working>Stopping…</Working>;
  }
  if (request !== undefined) {
    return (
      <p class="turn-line">
        <Icon name="bell-dot" />
        <span>{agentTitle} needs your answer</span>
        <button type="button" class="text-button" onClick={() => state.show(request, 'entry')}>
          Go to Request
        </button>
      </p>
    );
  }
  return turn?.kind === 'running' ? <Working>{agentTitle} is working…</Working> : null;
}

function Working({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <p class="turn-line">
      <Icon name="loading" spin />
      <span>{children}</span>
    </p>
  );
}
