import type { SessionRow } from '../../model/agent';
import { cleanText, fullTitleOf } from '../../model/titles';
import { type NodeWord, nodeWords } from '../../platform/ids';
import type { FailureAction } from '../../shared/failure';
import type { Standing } from '../standing';
import type { RowFacts } from './arrange';
import { exactTime, relativeTime } from './dates';
import { folderAppearance, folderTooltip } from './folderAppearance';
import { emptyAppearance, type FolderFacts } from './folderGroups';
import type {
  AgentNode,
  GroupNode,
  ListMessage,
  MessageNode,
  SessionNode,
  SessionsNode,
} from './nodes';

/** How a node looks, without VS Code: `treeItems.ts` makes a TreeItem of it. */
export interface Appearance {
  readonly label: string;
  readonly description?: string;
  readonly icon?: Icon;
  /** Words of the `contextValue`. */
  readonly words: readonly NodeWord[];
  readonly expandable: boolean;
  /** What a screen reader says instead of label and description. */
  readonly spoken?: string;
  /** What a click or Enter does. */
  readonly click?:
    | 'open'
    | 'retry'
    | 'editAgents'
    | 'manageTrust'
    | 'signIn'
    | 'filter'
    | 'clearFilter'
    | 'showHidden'
    | 'hideHidden';
}

interface Icon {
  /** Of VS Code's own set. */
  readonly id: string;
  /** A theme colour. */
  readonly color?: string;
}

export interface AppearanceContext {
  /** ms since the epoch. */
  readonly now: number;
  standing(node: SessionNode): Standing;
  factsOf(row: SessionRow): RowFacts;
  folderOf(node: SessionNode): FolderFacts;
}

const warning: Icon = { id: 'warning', color: 'list.warningForeground' };
const error: Icon = { id: 'error', color: 'list.errorForeground' };
const busy: Icon = { id: 'loading~spin' };
const note: Icon = { id: 'info' };

export function appearanceOf(node: SessionsNode, context: AppearanceContext): Appearance {
  switch (node.kind) {
    case 'agent':
      return agentAppearance(node);
    case 'folder':
    case 'worktree':
    case 'moved':
      return folderAppearance(node);
    case 'group':
      return groupAppearance(node);
    case 'session':
      return sessionAppearance(node, context);
    case 'older':
      return node.list.more.kind === 'loading'
        ? {
            label: 'Loading older sessions…',
            icon: busy,
            words: [nodeWords.older],
            expandable: false,
          }
        : { label: 'Older sessions', words: [nodeWords.older], expandable: true };
    case 'problem':
      return {
        label: `${cleanText(node.problem.id, 60)}: ${node.problem.reason}`,
        icon: warning,
        words: [nodeWords.problem, nodeWords.editAgents],
        expandable: false,
        click: 'editAgents',
      };
    case 'message':
      return messageAppearance(node);
  }
}

function agentAppearance({ agent }: AgentNode): Appearance {
  const { state } = agent;
  const words: readonly [NodeWord, boolean][] = [
    [nodeWords.agent, true],
    [nodeWords.running, state.kind === 'ready' || state.kind === 'starting'],
    [nodeWords.signIn, state.kind === 'ready' && state.connection.authMethods.length > 0],
    [nodeWords.signOut, agent.supports('logout')],
  ];
  const common = {
    label: agent.title,
    words: words.flatMap(([word, holds]) => (holds ? [word] : [])),
    expandable: true,
  };
  switch (agent.state.kind) {
    case 'stopped':
      return { ...common, icon: { id: 'hubot' } };
    case 'starting':
      return { ...common, icon: busy, description: 'starting…' };
    case 'ready':
      return { ...common, icon: { id: 'hubot' } };
    case 'failed':
      return { ...common, icon: error, description: 'not running' };
  }
}

function groupAppearance({ group }: GroupNode): Appearance {
  return {
    label: group.label,
    ...(group.icon !== undefined && { icon: { id: group.icon } }),
    words: [nodeWords.group],
    expandable: true,
  };
}

const sessionIcons: Readonly<Record<Standing, Icon>> = {
  idle: { id: 'comment' },
  loading: busy,
  open: { id: 'comment-discussion', color: 'textLink.foreground' },
  running: busy,
  needsYou: { id: 'bell-dot', color: 'list.warningForeground' },
  unread: { id: 'circle-filled', color: 'textLink.foreground' },
  failed: error,
};
const spokenStates: Readonly<Record<Standing, string>> = {
  idle: '',
  loading: 'loading',
  open: 'open',
  running: 'running',
  needsYou: 'needs your answer',
  unread: 'not read yet',
  failed: "couldn't be opened",
};
/** What a row says of its state besides the icon. */
const shownStates: Partial<Readonly<Record<Standing, string>>> = {
  running: 'running',
  needsYou: 'needs you',
};

function sessionAppearance(node: SessionNode, context: AppearanceContext): Appearance {
  const { row } = node;
  const facts = context.factsOf(row);
  const state = context.standing(node);
  const look = facts.unread && (state === 'idle' || state === 'open') ? 'unread' : state;
  const label = facts.alias ?? row.title;
  const archived = facts.archived ? 'archived' : undefined;
  const time = row.updatedAt === undefined ? undefined : relativeTime(row.updatedAt, context.now);
  const openable = state !== 'idle' || canOpen(node);
  const { mark: folder, words: folderWords } = context.folderOf(node);
  const description = [shownStates[look], archived, folder, time]
    .filter((part) => part !== undefined)
    .join(' · ');
  const pinned = facts.pinned ? 'pinned' : undefined;
  const spoken = [label, folder, time, pinned, archived, spokenStates[look]].filter((part) => part);
  return {
    label,
    ...(description !== '' && { description }),
    icon: sessionIcons[look],
    words: [...sessionWords(node, state, openable), ...markWords(facts), ...folderWords],
    expandable: false,
    spoken: spoken.join(', '),
    ...(openable && { click: 'open' as const }),
  };
}

/** What can be done with a row, as far as its running agent says so (LOAD-1, RES-1, DEL-1). */
function sessionWords(
  { list: { agent } }: SessionNode,
  state: Standing,
  openable: boolean,
): readonly NodeWord[] {
  const words: readonly [NodeWord, boolean][] = [
    [nodeWords.session, true],
    [nodeWords.openable, openable],
    [nodeWords.resumable, state === 'idle' && agent.supports('resume')],
    [nodeWords.forkable, agent.supports('fork')],
    [nodeWords.renamable, agent.supports('title')],
    [nodeWords.deletable, agent.supports('delete')],
    [nodeWords.closable, state !== 'idle'],
    [nodeWords.stoppable, state === 'running' || state === 'needsYou'],
  ];
  return words.flatMap(([word, holds]) => (holds ? [word] : []));
}

/** What can be done with a row, whatever its agent can. */
function markWords({ pinned, archived, alias, unread }: RowFacts): readonly NodeWord[] {
  return [
    pinned ? nodeWords.pinned : nodeWords.pinnable,
    archived ? nodeWords.archived : nodeWords.archivable,
    unread ? nodeWords.unread : nodeWords.readable,
    ...(alias === undefined ? [] : [nodeWords.named]),
  ];
}

/** Whether the row can be opened: yes until the running agent says that it can't load (LOAD-1, LIST-18). */
function canOpen({ list }: SessionNode): boolean {
  return list.agent.state.kind !== 'ready' || list.agent.supports('load');
}

function messageAppearance({ list, message }: MessageNode): Appearance {
  const agent = list.agent.title;
  const common = { words: [nodeWords.message], expandable: false };
  switch (message.kind) {
    case 'starting':
      return { ...common, label: `Starting ${agent}…`, icon: busy };
    case 'loading':
      return { ...common, label: 'Reading sessions…', icon: busy };
    case 'empty':
      return { ...common, ...emptyAppearance(list) };
    case 'noneShown':
    case 'hidden':
      return { ...common, ...unshownAppearance(message) };
    case 'unsupported':
      return { ...common, label: `${agent} can't list its sessions`, icon: note };
    case 'stopped':
      return { ...common, ...retry, label: `${agent} is stopped`, icon: { id: 'debug-stop' } };
    case 'failed':
      return {
        ...common,
        label: message.failure.title,
        icon: error,
        ...answers(message.failure.actions),
      };
    case 'stale':
      return {
        ...common,
        label: "Couldn't refresh. Retry",
        description: message.failure.title,
        icon: warning,
        ...retry,
      };
    case 'moreFailed':
      return {
        ...common,
        label: "Couldn't load more. Retry",
        description: message.failure.title,
        icon: warning,
        ...retry,
      };
    case 'moreStopped':
      return { ...common, ...retry, label: 'Load more', description: message.reason, icon: note };
  }
}

/** What is there and isn't shown, with the way to it. */
function unshownAppearance(
  message: Extract<ListMessage, { kind: 'noneShown' | 'hidden' }>,
): Pick<Appearance, 'label' | 'icon' | 'click'> {
  if (message.kind === 'hidden') {
    return message.shown
      ? { label: `Hide ${message.count} again`, icon: { id: 'eye-closed' }, click: 'hideHidden' }
      : { label: `${message.count} hidden. Show`, icon: { id: 'eye' }, click: 'showHidden' };
  }
  return message.filtered
    ? {
        label: 'No session matches the filter. Clear Filter',
        icon: { id: 'filter' },
        click: 'clearFilter',
      }
    : {
        label: 'All sessions here are archived. Filter…',
        icon: { id: 'archive' },
        click: 'filter',
      };
}

const retry = {
  words: [nodeWords.message, nodeWords.retry, nodeWords.showLog],
  click: 'retry',
} as const;

function answers(actions: readonly FailureAction[]): Pick<Appearance, 'words' | 'click'> {
  // No list is of a folder that a person could say the place of.
  const here = actions.filter((action) => action !== 'locateFolder');
  const words = here.flatMap((action) => (action === 'manageTrust' ? [] : [nodeWords[action]]));
  const click = here.find((action) => action !== 'showLog');
  return { words: [nodeWords.message, ...words], ...(click !== undefined && { click }) };
}

/** Longest value of a `_meta` fact in a tooltip, and the most facts. */
const maxFactLength = 200;
const maxFacts = 8;

/** The text that appears on hovering; plain text, bounded. */
export function tooltipOf(node: SessionsNode, alias?: string): string | undefined {
  switch (node.kind) {
    case 'session':
      return sessionTooltip(node, alias);
    case 'folder':
    case 'worktree':
    case 'moved':
      return folderTooltip(node);
    case 'agent':
      return agentTooltip(node);
    case 'older':
      return 'Expand to load one more page of sessions';
    case 'problem':
      return `${node.problem.reason}\nThis entry of the setting acpSessions.agents is not used. Click to edit the setting.`;
    case 'message':
      return messageTooltip(node.message, node.list.agent.title);
    case 'group':
      return undefined;
  }
}

function agentTooltip({ agent }: AgentNode): string {
  const command = `Command: ${cleanText(agent.config.command, maxFactLength)}`;
  switch (agent.state.kind) {
    case 'stopped':
      return `Starts when it is needed\n${command}`;
    case 'starting':
      return `Starting…\n${command}`;
    case 'ready':
      return `Running\n${command}`;
    case 'failed':
      return `${agent.state.failure.title}\n${agent.state.failure.detail}\n${command}`;
  }
}

function messageTooltip(message: ListMessage, agent: string): string | undefined {
  switch (message.kind) {
    case 'failed':
      return `${message.failure.title}\n${message.failure.detail}`;
    case 'stale':
    case 'moreFailed':
      return `${message.failure.title}\n${message.failure.detail}\nThe sessions shown were read before.`;
    case 'moreStopped':
      return message.reason;
    case 'unsupported':
      return `${agent} works, but has no way to say which sessions it remembers.`;
    case 'noneShown':
      return message.filtered
        ? 'The filter of this view leaves out all sessions that were read. Click to show them all.'
        : 'Click to choose what is shown.';
    case 'hidden':
      return 'By the setting acpSessions.hiddenSessions.';
    case 'empty':
      return 'Sessions appear here as soon as the agent has some for this folder.';
    case 'starting':
    case 'loading':
    case 'stopped':
      return undefined;
  }
}

function sessionTooltip(node: SessionNode, alias: string | undefined): string {
  const { info, updatedAt } = node.row;
  const lines = [
    fullTitleOf(info.title),
    ...(alias === undefined ? [] : [`Local name: ${alias}`]),
    '',
    `Agent: ${node.list.agent.title}`,
    `Folder: ${cleanText(info.cwd, 1000)}`,
    ...info.additionalDirectories
      .slice(0, maxFacts)
      .map((root) => `Also: ${cleanText(root, 1000)}`),
    ...(updatedAt === undefined ? [] : [`Last change: ${exactTime(updatedAt)}`]),
    `Session: ${cleanText(info.sessionId, maxFactLength)}`,
    ...factsOf(info._meta),
  ];
  if (!canOpen(node)) {
    lines.push('', `${node.list.agent.title} lists this session, but has no way to show it.`);
  }
  return lines.join('\n');
}

/** What agents add to a session, as far as it is a plain fact. */
export function factsOf(meta: Readonly<Record<string, unknown>> | undefined): string[] {
  return Object.entries(meta ?? {})
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .slice(0, maxFacts)
    .map(([name, value]) => `${cleanText(name, 60)}: ${cleanText(String(value), maxFactLength)}`);
}
