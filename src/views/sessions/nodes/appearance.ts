import * as l10n from '@vscode/l10n';
import {
  type Agent,
  isStartedHere,
  type SessionList,
  type SessionRow,
  type StartingState,
} from '../../../model/agent';
import { accountLabel } from '../../../model/agents/accountWords';
import type { KnownCheck } from '../../../model/checks/providedChecks';
import type { OwnGroup } from '../../../model/marks/ownGroups';
import { fileCount } from '../../../model/text/fileCount';
import { cleanText } from '../../../model/text/titles';
import { type NodeWord, nodeWords } from '../../../platform/ids';
import { type Failure, type FailureAction, isOfGuide, isOfSession } from '../../../shared/failure';
import { limitText } from '../../../shared/transcript/usageLimit';
import type { Standing } from '../../attention/standing';
import { checkMark, checkText } from '../../checkWords';
import { briefTime, relativeTime } from '../../dates';
import { initialsIcon } from './agentInitials';
import { folderAppearance } from './folderAppearance';
import type { FolderFacts } from './folderFacts';
import { needsGroup } from './needs';
import type {
  AgentNode,
  GroupNode,
  ListMessage,
  MessageNode,
  SessionNode,
  SessionsNode,
  SubagentNode,
} from './nodes';
import type { RowFacts } from './rowFacts';
import type { RowDetail } from './sessionChoices';
import {
  busyIcon,
  errorIcon,
  getLook,
  gitMark,
  type Icon,
  type Look,
  markWords,
  rowLabel,
  sessionIcons,
  sessionWords,
  shownStates,
  spokenStates,
  warningIcon,
} from './sessionRow';
import { subagentAppearance } from './subagentAppearance';

/** How a node looks, independent of VS Code: the view makes a TreeItem of it. */
export interface Appearance {
  readonly label: string;
  readonly description?: string;
  readonly icon?: Icon;
  /** Words of the `contextValue`. */
  readonly words: readonly NodeWord[];
  readonly expandable: boolean;
  /** What a screen reader announces instead of label and description. */
  readonly spoken?: string;
  /** The action on a click or Enter. */
  readonly click?:
    | 'open'
    | 'newSession'
    | 'retry'
    | 'explain'
    | 'manageTrust'
    | 'signIn'
    | 'filter'
    | 'newGroup'
    | 'clearFilter'
    | 'showHidden'
    | 'hideHidden';
}

export interface AppearanceContext {
  /** ms since the epoch. */
  readonly now: number;
  standing(node: SessionNode): Standing;
  getFacts(row: SessionRow): RowFacts;
  getFolder(node: SessionNode): FolderFacts;
  /** Whether subagents are at work that the session, or this subagent, has started. */
  hasSubagents(node: SessionNode | SubagentNode): boolean;
  /** The active filter in words. */
  readonly filter: string;
  /** The number of files that the session has changed; 0 if unknown. */
  changedFiles(node: SessionNode): number;
  /** The number of files whose changes wait for a decision; `undefined` without a record of changes. */
  toReview(node: SessionNode): number | undefined;
  /** How the last check of the session's folder went. */
  check(node: SessionNode): KnownCheck | undefined;
  /** The version of the registry that is newer than that of the agent. */
  newerVersion(node: AgentNode): string | undefined;
  /** The icon that the registry has for the agent. */
  findIcon(agent: Agent): string | undefined;
  /** The agent of a session that nothing around its row names. */
  findAgent(node: SessionNode): Agent | undefined;
  /** What rows say after the title. */
  readonly details: readonly RowDetail[];
}

const note: Icon = { id: 'info' };
/** An agent's title beside that of its session, in characters. */
const maxAgentLength = 16;

export function getAppearance(node: SessionsNode, context: AppearanceContext): Appearance {
  switch (node.kind) {
    case 'agent':
      return agentAppearance(node, context);
    case 'folder':
    case 'worktree':
    case 'moved':
      return folderAppearance(node);
    case 'group':
      return groupAppearance(node);
    case 'session':
      return sessionAppearance(node, context);
    case 'subagent':
      return subagentAppearance(node, context.hasSubagents(node));
    case 'older':
      return node.list.older.kind === 'loading'
        ? {
            label: l10n.t('Loading older sessions…'),
            icon: busyIcon,
            words: [nodeWords.older],
            expandable: false,
          }
        : { label: l10n.t('Older sessions'), words: [nodeWords.older], expandable: true };
    case 'problem':
      return {
        label: `${cleanText(node.problem.id, 60)}: ${node.problem.reason}`,
        icon: warningIcon,
        words: [nodeWords.problem, nodeWords.editAgents],
        expandable: false,
        click: 'explain',
      };
    case 'filter':
      return {
        label: l10n.t('Only {0}', context.filter),
        description: l10n.t('Clear Filter'),
        icon: { id: 'filter' },
        words: [nodeWords.message],
        expandable: false,
        click: 'clearFilter',
      };
    case 'message':
      return messageAppearance(node);
  }
}

function agentAppearance(node: AgentNode, context: AppearanceContext): Appearance {
  const { agent, isLine } = node;
  const { state } = agent;
  if (agent.config.removed) {
    const words = [nodeWords.removed];
    const icon = { id: 'history' };
    return { label: agent.title, description: l10n.t('removed'), icon, words, expandable: true };
  }
  const newer = context.newerVersion(node);
  const own = context.findIcon(agent);
  const update = newer && l10n.t('update: {0}', cleanText(newer, 60));
  const change = agent.changesLater ? l10n.t('restarts when done') : update;
  const limit = agent.limit && limitText(agent.limit, Date.now());
  const mark = [limit ?? accountLabel(agent), change].filter(Boolean).join(' · ');
  const words: readonly [NodeWord, boolean][] = [
    [nodeWords.agent, true],
    [nodeWords.running, state.kind === 'ready' || state.kind === 'starting'],
    [nodeWords.signIn, state.kind === 'ready' && state.connection.authMethods.length > 0],
    [nodeWords.signOut, agent.supports('logout')],
    [nodeWords.outdated, newer !== undefined],
    [nodeWords.trace, agent.config.ofWindow === true],
    [nodeWords.startedHere, isStartedHere(agent)],
  ];
  const common = {
    label: agent.title,
    words: words.flatMap(([word, holds]) => (holds ? [word] : [])),
    expandable: isLine !== true,
  };
  switch (state.kind) {
    case 'stopped':
    case 'ready':
      if (agent.signInNeeded !== undefined) {
        return {
          ...common,
          words: [...new Set([...common.words, nodeWords.signIn])],
          icon: warningIcon,
          description: l10n.t('sign in needed'),
          click: 'signIn',
        };
      }
      return {
        ...common,
        ...(mark && { description: mark }),
        icon: { id: 'hubot', ...(own && { own }) },
      };
    case 'starting':
      return {
        ...common,
        icon: busyIcon,
        description: startingWords(state),
      };
    case 'failed':
      return {
        ...common,
        icon: errorIcon,
        description: [l10n.t('not running'), update].filter((part) => part).join(' · '),
      };
  }
}

function startingWords({ waits, fetches }: StartingState): string {
  if (waits === true) {
    return l10n.t('waiting for another start…');
  }
  return fetches === true ? l10n.t('downloading…') : l10n.t('starting…');
}

function groupAppearance({ group }: GroupNode): Appearance {
  return {
    label: group.label,
    ...(group.icon !== undefined && { icon: { id: group.icon, ...groupColor(group.own) } }),
    words: group.own === undefined ? [nodeWords.group] : [nodeWords.group, nodeWords.ownGroup],
    expandable: true,
  };
}

/** The color of the icon of one of the user's groups. */
export function groupColor(own: Pick<OwnGroup, 'color'> | undefined): Pick<Icon, 'color'> {
  return own?.color === undefined ? {} : { color: `charts.${own.color}` };
}

/** Whether another client of the agent has the session open, which only a running agent tells. */
export function isOpenElsewhere({ row, list }: SessionNode): boolean {
  return list.agent.state.kind === 'ready' && row.info.openElsewhere === true;
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

function sessionAppearance(node: SessionNode, context: AppearanceContext): Appearance {
  const { row } = node;
  const facts = context.getFacts(row);
  const state = context.standing(node);
  const look = getLook(state, facts, row.info.state);
  const title = facts.alias ?? row.title;
  const archived = facts.archived ? l10n.t('archived') : undefined;
  const elsewhere = isOpenElsewhere(node) ? l10n.t('open elsewhere') : undefined;
  const time = row.updatedAt === undefined ? undefined : relativeTime(row.updatedAt, context.now);
  const shows = (detail: RowDetail): boolean => context.details.includes(detail);
  const openable = state !== 'idle' || canOpen(node);
  const { agent } = node.list;
  const may = { open: openable, delete: agent.supports('delete') || isRemembered(node.list) };
  const folder = context.getFolder(node);
  const changes = findChanges(context, node);
  const check = context.check(node);
  const branch = facts.origin && l10n.t('from turn {0}', facts.origin.turn);
  // What Git itself says of a worktree is newer than the agent's list.
  const git = folder.words.includes(nodeWords.worktree) ? undefined : gitMark(row);
  const shared = context.findAgent(node);
  const mark = shared && agentMark(shared, look, context);
  const brief = joined([
    // The icon says what the session does, and not whose it is.
    ...[shared && mark === undefined ? cleanText(shared.title, maxAgentLength) : undefined],
    ...[branch && `↳ ${branch}`, shownState(node, look), elsewhere, archived, folder.warning],
    ...[
      check && checkMark(check),
      shows('changes') ? changes : undefined,
      shows('time') ? shownTime(node, look, context) : undefined,
    ],
  ]);
  // Last, as these can be of any length, and the row is cut at its end: titles leave no room for them.
  const place = shows('folder') ? joined([folder.mark, git && `⎇ ${git}`]) : '';
  const description = joined([brief, place]);
  const pinned = facts.pinned ? l10n.t('pinned') : undefined;
  const gitBranch = git && l10n.t('branch {0}', git);
  const spoken = [
    ...[title, shared?.title, branch, folder.spoken, gitBranch, time],
    ...[check && checkText(check), changes, pinned, archived],
    ...[spokenStates[look], elsewhere],
  ];
  return {
    label: rowLabel(title, brief),
    ...(description !== '' && { description }),
    icon: mark ?? sessionIcons[look],
    words: [
      ...sessionWords(agent, state, may),
      ...markWords(facts),
      ...(isInOwnGroup(node) ? [nodeWords.grouped] : []),
      ...(check ? [nodeWords.checked] : []),
      ...folder.words,
    ],
    expandable: context.hasSubagents(node),
    spoken: spoken.filter((part) => part).join(', '),
    ...(openable && { click: 'open' as const }),
  };
}

/** Whether the row stands in one of the user's groups. */
function isInOwnGroup({ parent }: SessionNode): boolean {
  return parent?.kind === 'group' && parent.group.own !== undefined;
}

/** The icon of an agent, where its session's state has nothing to tell. */
function agentMark(agent: Agent, look: Look, context: AppearanceContext): Icon | undefined {
  const own = context.findIcon(agent) ?? initialsIcon(agent.title);
  return (look === 'idle' || look === 'open') && own !== undefined
    ? { id: 'hubot', own }
    : undefined;
}

/** What the session does in words, unless its icon says it below what needs the user. */
function shownState({ parent }: SessionNode, look: Look): string | undefined {
  const isSaid = parent?.kind === 'group' && parent.group.key === needsGroup.key;
  return isSaid && (look === 'needsYou' || look === 'running') ? undefined : shownStates[look];
}

/** The time, unless that is now, or the group says all of it. */
function shownTime(
  { row, parent }: SessionNode,
  look: Look,
  { now }: AppearanceContext,
): string | undefined {
  const isSaid = parent?.kind === 'group' && parent.group.key === 'yesterday';
  const isNow = look === 'needsYou' || look === 'running';
  return isNow || row.updatedAt === undefined || isSaid ? undefined : briefTime(row.updatedAt, now);
}

/** What waits for review of a session's changes; otherwise those that no record has. */
function findChanges(context: AppearanceContext, node: SessionNode): string | undefined {
  const toReview = context.toReview(node);
  if (toReview !== undefined && toReview > 0) {
    return l10n.t('{0} to review', toReview);
  }
  const files = context.changedFiles(node);
  return files === 0 ? undefined : fileCount(files);
}

/** Whether only this window lists the sessions: they can be removed here whatever the agent supports. */
export function isRemembered({ agent, state }: SessionList): boolean {
  return state.kind === 'unsupported' && (canLoad(agent) || agent.supports('resume'));
}

/** Whether the row can be opened: true unless the running agent can't load sessions (LOAD-1, LIST-18). */
export function canOpen({ list }: SessionNode): boolean {
  return canLoad(list.agent);
}

function canLoad(agent: Agent): boolean {
  return agent.state.kind !== 'ready' || agent.supports('load');
}

const retryLabels = {
  stale: l10n.t('Couldn’t refresh. Retry'),
  moreFailed: l10n.t('Couldn’t load more. Retry'),
};

function busyLabel(kind: 'starting' | 'waiting' | 'fetching' | 'loading', agent: string): string {
  switch (kind) {
    case 'starting':
      return l10n.t('Starting {0}…', agent);
    case 'waiting':
      return l10n.t('{0} waits for another start…', agent);
    case 'fetching':
      return l10n.t('Downloading {0}…', agent);
    case 'loading':
      return l10n.t('Reading sessions…');
  }
}

/** A line that doesn't name its agent does so among those of others. */
function messageAppearance(node: MessageNode): Appearance {
  const { list, message, isShared } = node;
  const { kind } = message;
  const appearance = lineAppearance(node);
  const isNameless =
    kind === 'loading' || kind === 'stale' || kind === 'moreFailed' || kind === 'moreStopped';
  return isShared && isNameless
    ? { ...appearance, label: `${list.agent.title}: ${appearance.label}` }
    : appearance;
}

function lineAppearance({ list, message }: MessageNode): Appearance {
  const agent = list.agent.title;
  const common = { words: [nodeWords.message], expandable: false };
  switch (message.kind) {
    case 'starting':
    case 'waiting':
    case 'fetching':
    case 'loading':
      return { ...common, label: busyLabel(message.kind, agent), icon: busyIcon };
    case 'notStarted':
    case 'stopped':
      return { ...common, ...stoppedAppearance(message.kind, agent) };
    case 'noGroups':
      return {
        ...common,
        label: l10n.t('No groups yet. New Group…'),
        icon: { id: 'tag' },
        click: 'newGroup',
      };
    case 'empty':
      return { ...common, label: emptyLabel(list), icon: note };
    case 'noneShown':
    case 'hidden':
      return { ...common, ...unshownAppearance(message) };
    case 'unsupported':
    case 'knownHere':
      return { ...common, ...knownHereAppearance(list, message.kind) };
    case 'failed':
    case 'signIn':
      return {
        ...common,
        label: message.failure.title,
        ...describeFailure(message.failure),
        icon: failureIcon(message, list),
        ...answers(message.failure.actions),
      };
    case 'notAcp':
      return notAcpAppearance(agent, message.line);
    case 'stale':
    case 'moreFailed':
      return {
        ...common,
        label: retryLabels[message.kind],
        description: message.failure.title,
        icon: warningIcon,
        ...retry,
      };
    case 'moreStopped':
      return {
        ...common,
        ...retry,
        label: l10n.t('Load more'),
        description: message.reason,
        icon: note,
      };
  }
}

function stoppedAppearance(
  kind: 'notStarted' | 'stopped',
  agent: string,
): Pick<Appearance, 'label' | 'description' | 'icon' | 'words' | 'click'> {
  return kind === 'stopped'
    ? { ...retry, label: l10n.t('{0} is stopped', agent), icon: { id: 'debug-stop' } }
    : { ...retry, label: agent, description: l10n.t('not started'), icon: { id: 'debug-start' } };
}

function notAcpAppearance(agent: string, line: string): Appearance {
  return {
    label: l10n.t('{0} printed something that isn’t ACP', agent),
    description: `“${line}”`,
    icon: warningIcon,
    expandable: false,
    ...answers(['editAgents', 'diagnose', 'showLog']),
  };
}

function failureIcon({ kind }: ListMessage, { agent }: SessionList): Icon {
  if (kind === 'signIn') {
    return warningIcon;
  }
  return agent.config.removed ? note : errorIcon;
}

/** The message in a list without sessions. */
function emptyLabel({ folder }: SessionList): string {
  return folder === undefined
    ? l10n.t('No sessions yet')
    : l10n.t('No sessions in this folder yet');
}

/** Whether the agent can neither list sessions nor open them again. */
export function isForgetful({ agent }: SessionList): boolean {
  return agent.state.kind === 'ready' && !agent.supports('load') && !agent.supports('resume');
}

/** The agent's own words on a failure. */
function describeFailure({ said }: Failure): Pick<Appearance, 'description'> {
  return said === undefined ? {} : { description: said };
}

/** The row of an agent that can't list sessions: why there are no others, and how to start a new one. */
function knownHereAppearance(
  list: SessionList,
  kind: 'unsupported' | 'knownHere',
): Pick<Appearance, 'label' | 'description' | 'icon' | 'words' | 'click'> {
  const common = { icon: note, words: [nodeWords.message, nodeWords.newSession] };
  if (kind === 'unsupported') {
    return {
      ...common,
      label: l10n.t('{0} can’t list its sessions', list.agent.title),
      description: l10n.t('New Session'),
      click: 'newSession',
    };
  }
  const label = isForgetful(list)
    ? l10n.t('Only sessions that are open are listed')
    : l10n.t('Only sessions opened here are listed');
  return { ...common, label };
}

/** The row of rows that exist but aren't shown, with the action that shows them. */
function unshownAppearance(
  message: Extract<ListMessage, { kind: 'noneShown' | 'hidden' }>,
): Pick<Appearance, 'label' | 'icon' | 'click'> {
  if (message.kind === 'hidden') {
    return message.shown
      ? {
          label: l10n.t('Hide {0} again', message.count),
          icon: { id: 'eye-closed' },
          click: 'hideHidden',
        }
      : {
          label: l10n.t('{0} hidden. Show', message.count),
          icon: { id: 'eye' },
          click: 'showHidden',
        };
  }
  return message.filtered
    ? {
        label: l10n.t('No session matches the filter. Clear Filter'),
        icon: { id: 'filter' },
        click: 'clearFilter',
      }
    : {
        label: l10n.t('All sessions here are archived. Filter…'),
        icon: { id: 'archive' },
        click: 'filter',
      };
}

const retry = {
  words: [nodeWords.message, nodeWords.retry, nodeWords.showLog],
  click: 'retry',
} as const;

function answers(actions: readonly FailureAction[]): Pick<Appearance, 'words' | 'click'> {
  const here = actions
    .filter((action) => !isOfSession(action))
    .filter((action) => !isOfGuide(action));
  const words = here.flatMap((action) => (action === 'manageTrust' ? [] : [nodeWords[action]]));
  const click = here.find((action) => action !== 'showLog' && action !== 'diagnose');
  return {
    words: [nodeWords.message, ...words],
    // A click on the message must not open the settings: it shows an explanation with a button for that.
    ...(click !== undefined && { click: click === 'editAgents' ? 'explain' : click }),
  };
}
