import * as l10n from '@vscode/l10n';
import type { Agent, SessionList, SessionRow } from '../../../model/agent';
import { accountText } from '../../../model/agents/accountWords';
import type { KnownCheck } from '../../../model/checks/providedChecks';
import { isTitledByPrompt } from '../../../model/list/promptTitles';
import type { WorktreeState } from '../../../model/places/providedWorktreeStates';
import { openElsewhereWords } from '../../../model/session/openElsewhere';
import { findTimestamp } from '../../../model/text/timestamps';
import { cleanText, getFullTitle } from '../../../model/text/titles';
import type { Failure } from '../../../shared/failure';
import { language } from '../../../shared/language';
import { silentText } from '../../../shared/transcript/silentText';
import { limitText } from '../../../shared/transcript/usageLimit';
import { checkText } from '../../checkWords';
import { exactTime } from '../../dates';
import { worktreeLines } from '../../worktreeWords';
import { canOpen, isForgetful, isOpenElsewhere } from './appearance';
import { folderTooltip } from './folderAppearance';
import type { RowPlace } from './folderFacts';
import type { AgentNode, ListMessage, SessionNode, SessionsNode } from './nodes';

/** Maximum length of a `_meta` value in a tooltip, and maximum number of them. */
const maxFactLength = 200;
const maxFacts = 8;

const amounts = new Intl.NumberFormat(language, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

const titledByPrompt = l10n.t('Title from your first prompt');

/** What a session's tooltip tells besides what its agent lists. */
export interface TooltipFacts {
  readonly alias?: string | undefined;
  /** The name of the user's group that it is in. */
  readonly group?: string | undefined;
  /** The session that it continues, and those that continue it, as lines. */
  readonly relatives?: readonly string[];
  readonly place?: RowPlace;
  /** The number of files whose changes wait for a decision. */
  readonly toReview?: number | undefined;
  /** How the last check of its folder went. */
  readonly check?: KnownCheck | undefined;
  /** How far the branch of its worktree is. */
  readonly worktree?: WorktreeState | undefined;
  /** Whether a turn runs. */
  readonly isBusy?: boolean;
  /** Since when its agent has said nothing, see `Turn`. */
  readonly silentSince?: number | undefined;
}

/** The text shown on hover: plain text of bounded length. */
export function findTooltip(node: SessionsNode, facts: TooltipFacts = {}): string | undefined {
  switch (node.kind) {
    case 'session':
      return sessionTooltip(node, facts);
    case 'folder':
    case 'worktree':
    case 'moved':
      return [folderTooltip(node), ...worktreeText(facts)].join('\n');
    case 'agent':
      return agentTooltip(node);
    case 'older':
      return l10n.t('Expand to load one more page of sessions');
    case 'problem':
      return l10n.t(
        '{0}\nThis entry of the setting acpSessions.agents is not used. Click to see what can be done.',
        node.problem.reason,
      );
    case 'filter':
      return l10n.t('Sessions are left out. Click to show all of them again.');
    case 'message':
      return messageTooltip(node.message, node.list);
    case 'group':
    case 'subagent':
      return undefined;
  }
}

function agentTooltip({ agent }: AgentNode): string {
  const { remote, command: program } = agent.config;
  const command = remote
    ? l10n.t('Address: {0}', remote.url.replace(/[?].*$/, '').slice(0, maxFactLength))
    : program && l10n.t('Command: {0}', cleanText(program, maxFactLength));
  switch (agent.state.kind) {
    case 'stopped':
      return l10n.t('Starts when it is needed\n{0}', command);
    case 'starting':
      if (agent.state.waits === true) {
        return `${waitingWords()}\n${command}`;
      }
      return agent.state.fetches === true
        ? `${fetchingWords()}\n${command}`
        : l10n.t('Starting…\n{0}', command);
    case 'ready':
      if (agent.signInNeeded !== undefined) {
        return `${agent.signInNeeded.title}\n${agent.signInNeeded.detail}\n${command}`;
      }
      return [l10n.t('Running\n{0}', command), accountLine(agent), limitLine(agent)]
        .filter(Boolean)
        .join('\n');
    case 'failed':
      return `${agent.state.failure.title}\n${agent.state.failure.detail}\n${command}`;
  }
}

function accountLine(agent: Agent): string | undefined {
  const account = accountText(agent);
  return account && l10n.t('Account: {0}', account);
}

function limitLine({ limit }: Agent): string | undefined {
  return limit && limitText(limit, Date.now());
}

function fetchingWords(): string {
  return l10n.t(
    'Its program is being downloaded, which can take some minutes the first time. Stop Agent cancels it.',
  );
}

function waitingWords(): string {
  return l10n.t(
    'It starts once another start, in this or another window, has downloaded the same program. Stop Agent cancels it.',
  );
}

function messageTooltip(message: ListMessage, list: SessionList): string | undefined {
  switch (message.kind) {
    case 'failed':
      return list.rows.length > 0
        ? readBefore(message.failure)
        : `${message.failure.title}\n${message.failure.detail}`;
    case 'signIn':
      return `${message.failure.title}\n${message.failure.detail}`;
    case 'notAcp':
      return l10n.t(
        '{0} is starting and printed “{1}”, which isn’t a message of the Agent Client Protocol. If this continues, check its command in the settings: many agents need an argument such as --acp or --experimental-acp.',
        list.agent.title,
        message.line,
      );
    case 'stale':
    case 'moreFailed':
      return readBefore(message.failure);
    case 'moreStopped':
      return message.reason;
    case 'unsupported':
    case 'knownHere':
      return knownHereTooltip(list);
    case 'noGroups':
      return l10n.t('Groups are yours: put any sessions into them, of all agents and folders.');
    case 'notStarted':
      return l10n.t('Its sessions aren’t listed before it is started. Click to start it.');
    case 'noneShown':
      return message.filtered
        ? l10n.t(
            'The filter of this view leaves out all sessions that were read. Click to show them all.',
          )
        : l10n.t('Click to choose what is shown.');
    case 'hidden':
      return l10n.t('By the setting acpSessions.hiddenSessions.');
    case 'empty':
      return l10n.t('Sessions appear here as soon as the agent has some for this folder.');
    case 'waiting':
      return waitingWords();
    case 'fetching':
      return fetchingWords();
    case 'starting':
    case 'loading':
    case 'stopped':
      return undefined;
  }
}

function readBefore({ title, detail }: Failure): string {
  return l10n.t('{0}\n{1}\nThe sessions shown were read before.', title, detail);
}

function knownHereTooltip(list: SessionList): string {
  const agent = list.agent.title;
  return isForgetful(list)
    ? l10n.t(
        '{0} works, but can neither list its sessions nor reopen them: they are shown here as long as they are open.',
        agent,
      )
    : l10n.t(
        '{0} works, but can’t list its sessions. Those that you start or open in this workspace are remembered here.',
        agent,
      );
}

function sessionTooltip(node: SessionNode, facts: TooltipFacts): string {
  const { alias, group } = facts;
  const { info, updatedAt } = node.row;
  const lines = [
    getFullTitle(isTitledByPrompt(info) ? info.promptTitle : info.title),
    ...(isTitledByPrompt(info) ? [titledByPrompt] : []),
    ...(alias === undefined ? [] : [l10n.t('Local name: {0}', alias)]),
    ...(group === undefined ? [] : [l10n.t('Group: {0}', group)]),
    ...(facts.relatives ?? []),
    '',
    l10n.t('Agent: {0}', node.list.agent.title),
    l10n.t('Folder: {0}', cleanText(info.cwd, 1000)),
    ...info.additionalDirectories
      .slice(0, maxFacts)
      .map((root) => l10n.t('Also: {0}', cleanText(root, 1000))),
    ...(updatedAt === undefined ? [] : [l10n.t('Last change: {0}', exactTime(updatedAt))]),
    ...toldLines(info),
    l10n.t('Session: {0}', cleanText(info.sessionId, maxFactLength)),
    ...metaLines(info._meta),
  ];
  if (node.row.unlisted === 'remembered') {
    lines.push('', l10n.t('From memory: {0} hasn’t listed it again yet.', node.list.agent.title));
  }
  if (isOpenElsewhere(node)) {
    lines.push('', openElsewhereWords(node.list.agent.title));
  }
  if (!canOpen(node)) {
    lines.push('', l10n.t('{0} lists this session, but can’t load it.', node.list.agent.title));
  }
  const { silentSince } = facts;
  if (silentSince !== undefined) {
    lines.push('', silentText(node.list.agent.title, silentSince));
  }
  return [
    ...lines,
    ...placeLines(facts),
    ...reviewLines(facts),
    ...(facts.check ? [checkText(facts.check)] : []),
    ...worktreeText(facts),
    ...workLines(facts),
  ].join('\n');
}

/** Describes the place of a folder that isn't at the path that its agent has. */
function placeLines({ place }: TooltipFacts): string[] {
  const folder = cleanText(place?.cwd ?? '', 1000);
  if (place?.gone === true) {
    const gone = l10n.t(
      'The folder {0} is gone. Use “Locate Folder…” to choose its new location.',
      folder,
    );
    return ['', gone];
  }
  return place?.moved === true
    ? ['', l10n.t('Opens in {0}, where its folder is now.', folder)]
    : [];
}

function worktreeText({ worktree }: TooltipFacts): readonly string[] {
  return worktree === undefined ? [] : ['', ...worktreeLines(worktree)];
}

function reviewLines({ toReview = 0 }: TooltipFacts): string[] {
  if (toReview === 0) {
    return [];
  }
  return [toReview === 1 ? l10n.t('1 file to review') : l10n.t('{0} files to review', toReview)];
}

/** A window reload can't be prevented, so the tooltip warns of the interruption. */
function workLines({ isBusy = false }: TooltipFacts): string[] {
  return isBusy
    ? ['', l10n.t('Continues without its tab. Reloading or closing the window interrupts it.')]
    : [];
}

/** What only some agents say about a session. */
function toldLines({ lastTurnEndedAt, gitBranch, cost }: SessionRow['info']): string[] {
  const ended = findTimestamp(lastTurnEndedAt);
  const branch = cleanText(gitBranch ?? '', maxFactLength);
  const unit = cleanText(cost?.currency ?? '', maxFactLength);
  return [
    ...(ended === undefined ? [] : [l10n.t('Last turn ended: {0}', exactTime(ended))]),
    ...(branch === '' ? [] : [l10n.t('Branch: {0}', branch)]),
    ...(cost ? [l10n.t('Cost: {0}', `${amounts.format(cost.amount)} ${unit}`.trim())] : []),
  ];
}

/** The entries of a session's `_meta` that are strings, numbers or booleans, as lines of text. */
export function metaLines(meta: Readonly<Record<string, unknown>> | undefined): string[] {
  return Object.entries(meta ?? {})
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .slice(0, maxFacts)
    .map(([name, value]) => `${cleanText(name, 60)}: ${cleanText(String(value), maxFactLength)}`);
}
