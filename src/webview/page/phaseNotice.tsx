import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { FailureAction } from '../../shared/failure';
import type { Phase, SessionState } from '../../shared/transcript/webviewMessages';
import { FailureActions } from '../entries/failureActions';
import { Icon } from '../parts/icon';
import { useTranscript } from '../state/context';
import { entryCount } from '../words/counts';

interface NoticeText {
  readonly icon: string;
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly FailureAction[];
  readonly retry?: string;
}

/**
 * Explains why a transcript is empty or incomplete, with the available actions; renders nothing
 * otherwise.
 */
export function PhaseNotice(): VNode | null {
  const { state } = useTranscript();
  const phase = state.phase.value;
  const count = state.count.value;
  const agentTitle = state.agentTitle.value;
  const text =
    phase &&
    (wentOn(phase, state.session.value, agentTitle) ??
      newSession(phase, state.session.value, count, agentTitle) ??
      noticeFor(phase, arrivedText(count, state.session.value?.isCached), agentTitle));
  if (!text) {
    return null;
  }
  return (
    <section class={count === 0 ? 'notice notice-whole' : 'notice'} aria-label={text.title}>
      <Icon name={text.icon} class="notice-icon" />
      <div class="notice-text">
        <p class="notice-title">{text.title}</p>
        <p class="notice-detail">{text.detail}</p>
      </div>
      <div class="notice-actions">
        <FailureActions actions={text.actions} {...(text.retry && { retry: text.retry })} />
      </div>
    </section>
  );
}

/** What is shown although the session couldn't be loaded. */
function arrivedText(count: number, isCached = false): string {
  if (isCached) {
    return l10n.t('This is the cached transcript.');
  }
  return count > 0 ? l10n.t('Showing what arrived: {0}.', entryCount(count)) : '';
}

function noticeFor(phase: Phase, arrived: string, agentTitle: string): NoticeText | undefined {
  switch (phase.kind) {
    case 'loading':
    case 'ready':
      return undefined;
    case 'resumed':
      return {
        icon: 'history',
        title: l10n.t('Continued without its history'),
        detail: l10n.t('{0} keeps the history of this session, but doesn’t show it.', agentTitle),
        actions: [],
      };
    case 'empty':
      return {
        icon: 'history',
        title: l10n.t('{0} sent no history', agentTitle),
        detail: l10n.t(
          '{0} knows this session, but replayed none of its messages. It may not have kept them.',
          agentTitle,
        ),
        actions: ['retry', 'showLog'],
      };
    case 'cancelled':
      return {
        icon: 'circle-slash',
        title: l10n.t('Loading was canceled'),
        detail: arrived || l10n.t('Nothing had arrived yet.'),
        actions: ['retry'],
      };
    case 'failed':
      return {
        icon: 'error',
        title: phase.failure.title,
        detail: `${phase.failure.detail} ${arrived}`.trim(),
        actions: phase.failure.actions,
      };
  }
}

/**
 * Says that the session was continued, only in the `ready` phase: the other notices say more and offer the same
 * action.
 */
function wentOn(
  phase: Phase,
  session: SessionState | undefined,
  agentTitle: string,
): NoticeText | undefined {
  if (phase.kind !== 'ready' || session?.wentOn === undefined) {
    return undefined;
  }
  const { canReload } = session.wentOn;
  return {
    icon: 'history',
    title: l10n.t('This session was continued elsewhere'),
    detail: canReload
      ? l10n.t(
          'Its new messages aren’t shown here yet. Reload the session to see them; what you’re writing stays.',
        )
      : l10n.t(
          'Its new messages aren’t shown here yet. To see them, restart {0}, then load the session again.',
          agentTitle,
        ),
    actions: canReload ? ['retry'] : [],
    retry: l10n.t('Reload'),
  };
}

/** Says where a session will work that has nothing to show yet. */
function newSession(
  phase: Phase,
  session: SessionState | undefined,
  count: number,
  agentTitle: string,
): NoticeText | undefined {
  if (phase.kind !== 'ready' || count > 0) {
    return undefined;
  }
  const { several, facts } = session?.first ?? {};
  const asked = several?.agents.map(({ name }) => name).join(', ');
  return {
    icon: 'comment',
    title: l10n.t('New session'),
    detail: asked
      ? l10n.t(
          'The prompt goes to {0}. Each works in a worktree of its own, which is made when you send it.',
          asked,
        )
      : facts
        ? l10n.t(
            'Tell {0} below what to do. It works in a worktree of its own, which is made when you send the prompt.',
            agentTitle,
          )
        : l10n.t('Tell {0} below what to do. It works in the folder shown above.', agentTitle),
    actions: [],
  };
}
