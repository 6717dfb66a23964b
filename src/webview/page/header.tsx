import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { Held, ShownOrigin } from '../../shared/transcript/branches';
import type { Header, HeaderFact, Phase } from '../../shared/transcript/webviewMessages';
import { ChangedFilesButton, ChangedFilesList } from '../entries/changedFiles';
import { isMac } from '../keys/isMac';
import { Icon, IconButton } from '../parts/icon';
import { useSessionPart, useTranscript } from '../state/context';
import { usePopup } from '../usePopup';
import { updateCount } from '../words/counts';

/** Sessions that continue this one that are named at most. */
const maxContinued = 3;

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
              <Place {...header} />
              {header.systemPrompt && <SystemPrompt {...header.systemPrompt} />}
              {header.facts?.map((fact) => (
                <Fact key={fact.text} {...fact} />
              ))}
              <Loading agentTitle={header.agentTitle} />
            </div>
            <Origin />
            <Continued />
          </div>
          <div class="header-actions">
            <ChangedFilesButton changes={changes} />
            <IconButton
              icon="search"
              label={l10n.t('Find in Transcript ({0})', isMac ? '⌘F' : 'Ctrl+F')}
              onClick={onFind}
            />
            <IconButton
              icon="collapse-all"
              label={l10n.t('Collapse All')}
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

/** Whose session it is, and where it works: the branch of a worktree says more than its path. */
function Place({ agentTitle, cwd, folder, branch }: Header): VNode {
  return (
    <>
      <span class="header-fact header-agent" title={agentTitle}>
        <Icon name="hubot" />
        <span class="one-line">{agentTitle}</span>
      </span>
      {branch === undefined ? (
        <span class="header-fact header-folder" title={cwd}>
          <Icon name="folder" />
          <span class="one-line">{folder}</span>
        </span>
      ) : (
        <span
          class="header-fact header-branch"
          title={`${l10n.t('Worktree on branch {0}', branch)}\n${cwd}`}
        >
          <Icon name="git-branch" />
          <span class="one-line">{branch}</span>
        </span>
      )}
    </>
  );
}

function Fact({ icon, text, title, opens }: HeaderFact): VNode {
  const { post } = useTranscript();
  return (
    <span class="header-fact" title={title}>
      <Icon name={icon} spin={icon === 'loading'} class={`header-fact-${icon}`} />
      {opens === undefined ? (
        <span class="one-line">{text}</span>
      ) : (
        <button
          type="button"
          class="text-button one-line"
          onClick={() => post({ type: 'openFact', opens })}
        >
          {text}
        </button>
      )}
    </span>
  );
}

/** The user's text for the agent's system prompt, in words; all of its beginning is in the tooltip. */
function SystemPrompt({ kind, text }: NonNullable<Header['systemPrompt']>): VNode {
  return (
    <span class="header-fact" title={text}>
      <Icon name={kind === 'refused' ? 'warning' : 'note'} />
      <span class="one-line">{systemPromptText(kind)}</span>
    </span>
  );
}

function systemPromptText(kind: NonNullable<Header['systemPrompt']>['kind']): string {
  switch (kind) {
    case 'append':
      return l10n.t('With your system prompt');
    case 'override':
      return l10n.t('With your system prompt only');
    case 'refused':
      return l10n.t('Without your system prompt: the agent doesn’t take it');
  }
}

function loadingText(
  { received, prints }: Extract<Phase, { kind: 'loading' }>,
  agentTitle: string,
  isCached = false,
): string {
  if (prints !== undefined) {
    return l10n.t('{0} prints something that isn’t ACP: “{1}”', agentTitle, prints);
  }
  if (isCached) {
    return received === 0
      ? l10n.t('Cached transcript. Waiting for the agent…')
      : l10n.t('Cached transcript. Loading… {0}', updateCount(received));
  }
  return received === 0
    ? l10n.t('Waiting for the agent…')
    : l10n.t('Loading… {0}', updateCount(received));
}

/** Part of the facts line, so that nothing below moves when it disappears. */
function Loading({ agentTitle }: { readonly agentTitle: string }): VNode | null {
  const { state, post } = useTranscript();
  const phase = state.phase.value;
  const isCached = useSessionPart('isCached');
  if (phase?.kind !== 'loading') {
    return null;
  }
  return (
    <div class="loading">
      <span class="one-line">{loadingText(phase, agentTitle, isCached)}</span>
      <button type="button" class="text-button" onClick={() => post({ type: 'cancelLoad' })}>
        {l10n.t('Cancel')}
      </button>
    </div>
  );
}

/** The session's origin, and what the session holds of that. */
function Origin(): VNode | null {
  const { state, post } = useTranscript();
  const origin = state.session.value?.branches?.origin;
  return origin === undefined ? null : (
    <div class="header-facts header-origin">
      <span class="header-fact">
        <Icon name={origin.agentTitle === undefined ? 'git-branch' : 'arrow-swap'} />
        <button type="button" class="text-button" onClick={() => post({ type: 'openOrigin' })}>
          {originText(origin)}
        </button>
      </span>
      {origin.agentTitle === undefined && <span>{heldText(origin.held)}</span>}
    </div>
  );
}

function originText({ title, turn, agentTitle }: ShownOrigin): string {
  return agentTitle === undefined
    ? l10n.t('Forked from “{0}”, before turn {1}', title, turn)
    : l10n.t('Continued from “{0}” ({1}), after turn {2}', title, agentTitle, turn);
}

/** The sessions that continue this one; the latest ones if there are many. */
function Continued(): VNode | null {
  const { state, post } = useTranscript();
  const continued = state.session.value?.branches?.continued ?? [];
  return continued.length === 0 ? null : (
    <div class="header-facts header-origin">
      {continued.slice(-maxContinued).map(({ agentId, sessionId, title, agentTitle }) => (
        <span key={`${agentId} ${sessionId}`} class="header-fact">
          <Icon name="arrow-swap" />
          <button
            type="button"
            class="text-button"
            onClick={() => post({ type: 'openFork', agentId, sessionId })}
          >
            {l10n.t('Continued with {0}: “{1}”', agentTitle, title)}
          </button>
        </span>
      ))}
      {continued.length > maxContinued && (
        <span>{l10n.t('and {0} more', continued.length - maxContinued)}</span>
      )}
    </div>
  );
}

function heldText(held: Held): string {
  switch (held) {
    case 'before':
      return l10n.t('Holds the conversation up to there.');
    case 'turn':
      return l10n.t(
        'Holds the conversation to the end of that turn: the agent doesn’t fork within it.',
      );
    case 'whole':
      return l10n.t('Holds the whole history: the agent doesn’t fork at messages.');
    case 'less':
      return l10n.t('Holds less than what comes before that turn.');
    case 'other':
      return l10n.t('What it holds differs from there. Compare the two before you continue.');
    case 'unknown':
      return l10n.t('The agent hasn’t shown what it holds.');
    case 'text':
      return l10n.t('Began with that conversation as an attached text: the agent can’t fork.');
  }
}
