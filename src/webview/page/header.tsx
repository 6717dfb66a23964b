import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { Phase } from '../../shared/transcript/webviewMessages';
import { Icon, IconButton } from '../render/icon';
import { useTranscript } from '../state/context';
import { usePopup } from '../usePopup';
import { updateCount } from '../words/counts';
import { ChangedFilesButton, ChangedFilesList } from './changedFiles';

const isMac = /Mac/.test(navigator.userAgent);

interface HeaderProps {
  readonly onFind: () => void;
}

/** The session's title, agent and folder, and its loading progress. */
export function PageHeader({ onFind }: HeaderProps): VNode | null {
  const { state } = useTranscript();
  const changes = usePopup();
  const header = state.header.value;
  if (!header) {
    return null;
  }
  return (
    <header class="header">
      <div class="header-content">
        <div class="header-row">
          <div class="header-text">
            <h1 title={header.title}>{header.title}</h1>
            <div class="header-facts">
              <span class="header-fact">
                <Icon name="hubot" />
                <span class="one-line">{header.agentTitle}</span>
              </span>
              <span class="header-fact header-folder" title={header.cwd}>
                <Icon name="folder" />
                <span class="one-line">{header.folder}</span>
              </span>
              <Loading agentTitle={header.agentTitle} />
            </div>
          </div>
          <div class="header-actions">
            <ChangedFilesButton changes={changes} />
            <IconButton
              icon="search"
              label={l10n.t('Find in Session ({0})', isMac ? '⌘F' : 'Ctrl+F')}
              onClick={onFind}
            />
            <IconButton
              icon="collapse-all"
              label={l10n.t('Fold All')}
              onClick={() => state.folds.setAll('all', false)}
            />
          </div>
        </div>
      </div>
      <ChangedFilesList changes={changes} />
      {state.phase.value?.kind === 'loading' && (
        <div class="progress" role="progressbar" aria-label={l10n.t('Loading the session')} />
      )}
    </header>
  );
}

function loadingText(
  { received, prints }: Extract<Phase, { kind: 'loading' }>,
  agentTitle: string,
): string {
  if (prints !== undefined) {
    return l10n.t('{0} prints something that isn’t ACP: “{1}”', agentTitle, prints);
  }
  return received === 0
    ? l10n.t('Waiting for the agent…')
    : l10n.t('Loading… {0}', updateCount(received));
}

/** Part of the facts line, so that nothing below moves when it disappears. */
function Loading({ agentTitle }: { readonly agentTitle: string }): VNode | null {
  const { state, post } = useTranscript();
  const phase = state.phase.value;
  if (phase?.kind !== 'loading') {
    return null;
  }
  return (
    <div class="loading">
      <span class="one-line">{loadingText(phase, agentTitle)}</span>
      <button type="button" class="text-button" onClick={() => post({ type: 'cancelLoad' })}>
        {l10n.t('Cancel')}
      </button>
    </div>
  );
}
