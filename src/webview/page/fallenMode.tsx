import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { literal } from '../../shared/literal';
import { Icon } from '../parts/icon';
import { useSessionPart, useTranscript } from '../state/context';

/** Says that the session has come back in a mode that is less careful; prompts wait for the decision. */
export function FallenModeBanner(): VNode | null {
  const { post, state } = useTranscript();
  const fallen = useSessionPart('fallenMode');
  if (fallen === undefined) {
    return null;
  }
  const { from } = fallen;
  const [before, now] = [literal(from.name), literal(fallen.now)];
  return (
    <div class="notices" role="status">
      <div class="notices-content">
        <div class="banner">
          <Icon name="warning" class="notice-icon" />
          <div class="notice-text">
            <p class="notice-title">
              {l10n.t('This session was in “{0}” and is now in “{1}”', before, now)}
            </p>
            <p class="notice-detail">
              {l10n.t(
                '{0} didn’t keep the mode. Your next prompt waits until you choose.',
                state.agentTitle.value,
              )}
            </p>
          </div>
          <div class="notice-actions">
            <button
              type="button"
              class="button"
              onClick={() =>
                post(
                  from.option === undefined
                    ? { type: 'setMode', modeId: from.value }
                    : { type: 'setConfigOption', configId: from.option, value: from.value },
                )
              }
            >
              {l10n.t('Set to {0}', before)}
            </button>
            <button
              type="button"
              class="button button-secondary"
              onClick={() => post({ type: 'goOnInMode' })}
            >
              {l10n.t('Continue in {0}', now)}
            </button>
          </div>
        </div>
      </div>
    </div>
  );
}
