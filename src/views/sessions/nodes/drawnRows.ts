import * as l10n from '@vscode/l10n';
import type { Agent, SessionRow } from '../../../model/agent';
import type { ProvidedReviews } from '../../../model/changes/providedReviews';
import { unreviewedChanges } from '../../../model/changes/unreviewedChanges';
import type { KnownCheck, ProvidedChecks } from '../../../model/checks/providedChecks';
import type {
  ProvidedWorktreeStates,
  WorktreeState,
} from '../../../model/places/providedWorktreeStates';
import type { WorkspaceFolder } from '../../../model/ports';
import type { Session } from '../../../model/session/session';
import { cleanText } from '../../../model/text/titles';
import type { SessionRef } from '../../../shared/sessionRef';
import type { Event } from '../../../util/emitter';
import type { Attention } from '../../attention/attention';
import { getStanding, type Standing } from '../../attention/standing';
import type { TranscriptTab } from '../../tabs/tabs';
import { type Appearance, type AppearanceContext, getAppearance } from './appearance';
import type { Arrangement } from './arrangement';
import { type FolderFacts, folderFacts } from './folderFacts';
import { hasAgentRow } from './listHeads';
import type { AgentNode, SessionNode, SessionsNode, SubagentNode } from './nodes';
import type { RowFacts } from './rowFacts';
import type { FilterState, RowDetail } from './sessionChoices';
import { findTooltip } from './tooltips';

/** What rows show besides what their lists have. */
export interface RowSources {
  readonly sessions: { find(agentId: string, sessionId: string): Session | undefined };
  readonly attention: Pick<Attention, 'isUnread'>;
  readonly arrangement: Pick<
    Arrangement,
    'choices' | 'getFacts' | 'getPlace' | 'groupOf' | 'findAlias' | 'relativesOf'
  >;
  readonly tabs: {
    find(agentId: string, sessionId: string): Pick<TranscriptTab, 'viewColumn'> | undefined;
  };
  readonly reviews: Pick<ProvidedReviews, 'of'>;
  readonly checks: Pick<ProvidedChecks, 'of' | 'onDidChange'>;
  readonly worktreeStates: ProvidedWorktreeStates;
  /** What the registry has of agents. */
  readonly registry: Readonly<Record<'newerVersions' | 'icons', AgentFacts>>;
}

interface AgentFacts {
  of(config: Agent['config']): string | undefined;
  readonly onDidChange: Event<void>;
}

/** What a row shows of the tree around it. */
export interface RowSurroundings {
  readonly folders: readonly WorkspaceFolder[];
  readonly onlyAgent: Agent | undefined;
  agentTitle(id: string): string | undefined;
  sessionNodes(agentId: string, sessionId: string): readonly SessionNode[];
  subagentsBelow(node: SessionNode | SubagentNode): readonly SubagentNode[];
}

/** The words for states, as listed in the filter's row. */
const stateWords: Readonly<Record<FilterState, string>> = {
  open: l10n.t('open'),
  unread: l10n.t('unread'),
  review: l10n.t('to review'),
  pinned: l10n.t('pinned'),
  worktree: l10n.t('in worktrees'),
  archived: l10n.t('archived'),
};

/** How rows look now, and which of them look otherwise than when they were drawn. */
export class DrawnRows implements AppearanceContext {
  readonly #sources: RowSources;
  readonly #tree: RowSurroundings;
  readonly #clock: () => number;
  /** The look of each node when it was last drawn. */
  readonly #drawn = new WeakMap<SessionsNode, string>();

  constructor(sources: RowSources, tree: RowSurroundings, now: () => number) {
    this.#sources = sources;
    this.#tree = tree;
    this.#clock = now;
  }

  /** The look of a node that is drawn so now. */
  draw(node: SessionsNode): Appearance {
    const appearance = getAppearance(node, this);
    this.#drawn.set(node, this.#getLook(node, appearance));
    return appearance;
  }

  /** Whether the node was drawn and would be drawn differently now. */
  isOld(node: SessionsNode): boolean {
    const drawn = this.#drawn.get(node);
    return drawn !== undefined && drawn !== this.#getLook(node);
  }

  tooltip(node: SessionsNode): string | undefined {
    if (node.kind !== 'session') {
      return findTooltip(node, { worktree: this.#worktreeState(node) });
    }
    const { arrangement } = this.#sources;
    const session = this.#findSession(node.row);
    const turn = session?.turns.current;
    return findTooltip(node, {
      alias: arrangement.getFacts(node.row).alias,
      group: arrangement.groupOf(node.row)?.name,
      relatives: this.#relatives(node.row),
      place: arrangement.getPlace(node.row),
      toReview: this.toReview(node),
      check: this.check(node),
      worktree: this.#worktreeState(node),
      isBusy: session?.isBusy === true,
      silentSince: turn === undefined || turn.kind === 'idle' ? undefined : turn.silentSince,
    });
  }

  /** Reads what the tooltip says, if it isn't known yet. `undefined`: there is nothing to wait for. */
  ready(node: SessionsNode): Promise<void> | undefined {
    const folder = this.#findWorktree(node);
    return folder === undefined ? undefined : this.#sources.worktreeStates.ready(folder);
  }

  get now(): number {
    return this.#clock();
  }

  standing({ row }: SessionNode): Standing {
    const session = this.#findSession(row);
    return getStanding(session, session !== undefined && this.#sources.attention.isUnread(session));
  }

  getFacts(row: SessionRow): RowFacts {
    return this.#sources.arrangement.getFacts(row);
  }

  getFolder(node: SessionNode): FolderFacts {
    const place = this.#sources.arrangement.getPlace(node.row);
    const isMerged = this.#worktreeState(node)?.isMerged === true;
    return folderFacts(node, this.#tree.folders, { ...place, isMerged });
  }

  hasSubagents(node: SessionNode | SubagentNode): boolean {
    return this.#tree.subagentsBelow(node).length > 0;
  }

  get filter(): string {
    const { agents, states, text } = this.#sources.arrangement.choices.filter;
    const titles = agents.flatMap((id) => this.#tree.agentTitle(id) ?? []);
    return [
      ...states.map((state) => stateWords[state]),
      ...titles.map((title) => cleanText(title, 40)),
      ...(text === '' ? [] : [`“${cleanText(text, 40)}”`]),
    ].join(', ');
  }

  /** Counts changed files only while the session is idle: each change would gather all files again. */
  changedFiles({ row }: SessionNode): number {
    const session = this.#findSession(row);
    const isAtRest = session?.phase.kind !== 'loading' && session?.turns.current.kind === 'idle';
    const review = this.#sources.reviews.of(row.agentId, row.info.sessionId);
    return session !== undefined && isAtRest ? unreviewedChanges(session, review).length : 0;
  }

  toReview({ row: { agentId, info } }: SessionNode): number | undefined {
    const review = this.#sources.reviews.of(agentId, info.sessionId);
    return review === undefined || review.turns.length === 0 ? undefined : review.pending.length;
  }

  check({ row: { agentId, info } }: SessionNode): KnownCheck | undefined {
    return this.#sources.checks.of(agentId, info.sessionId);
  }

  newerVersion({ agent }: Pick<AgentNode, 'agent'>): string | undefined {
    return this.#sources.registry.newerVersions.of(agent.config);
  }

  /** Whether there is something to say about an agent that works, beside its name and its account. */
  isMarked(agent: Agent): boolean {
    const { state, signInNeeded, limit, changesLater } = agent;
    const isSaid =
      limit !== undefined || changesLater || this.newerVersion({ agent }) !== undefined;
    return state.kind === 'ready' && signInNeeded === undefined && isSaid;
  }

  findIcon({ config }: Agent): string | undefined {
    return this.#sources.registry.icons.of(config);
  }

  findAgent({ parent, list }: SessionNode): Agent | undefined {
    const around = parent?.kind === 'group' ? parent.parent : parent;
    return this.#tree.onlyAgent !== undefined || hasAgentRow(around) ? undefined : list.agent;
  }

  get details(): readonly RowDetail[] {
    return this.#sources.arrangement.choices.details;
  }

  /** The folder of the worktree, beside the main one, that the row is or has its session in. */
  #findWorktree(node: SessionsNode): string | undefined {
    if (node.kind === 'worktree') {
      return node.worktree.isMain ? undefined : node.worktree.path;
    }
    const place =
      node.kind === 'session' ? this.#sources.arrangement.getPlace(node.row) : undefined;
    return place?.worktree && place.cwd;
  }

  #worktreeState(node: SessionsNode): WorktreeState | undefined {
    const folder = this.#findWorktree(node);
    return folder === undefined ? undefined : this.#sources.worktreeStates.of(folder);
  }

  /** The sessions that it is linked with, as far as their names are known. */
  #relatives({ agentId, info }: SessionRow): readonly string[] {
    const { arrangement } = this.#sources;
    const { origin, continued } = arrangement.relativesOf(agentId, info.sessionId);
    const nameOf = (named: SessionRef): string => {
      const row = this.#tree.sessionNodes(named.agentId, named.sessionId)[0]?.row;
      const title =
        row === undefined
          ? l10n.t('a session that isn’t listed')
          : `“${cleanText(arrangement.findAlias(row) ?? row.title, 120)}”`;
      const agentTitle = this.#tree.agentTitle(named.agentId) ?? named.agentId;
      return `${title} (${cleanText(agentTitle, 60)})`;
    };
    return [
      ...(origin ? [l10n.t('Continued from {0}', nameOf(origin))] : []),
      ...continued.map((named) => l10n.t('Continued with {0}', nameOf(named))),
    ];
  }

  #findSession({ agentId, info }: SessionRow): Session | undefined {
    return this.#sources.sessions.find(agentId, info.sessionId);
  }

  /** Everything that a row shows and opens, as text to compare. */
  #getLook(node: SessionsNode, appearance = getAppearance(node, this)): string {
    return JSON.stringify([appearance, this.#getColumn(node), this.#getChildren(node)]);
  }

  #getColumn(node: SessionsNode): unknown {
    return node.kind === 'session'
      ? this.#sources.tabs.find(node.row.agentId, node.row.info.sessionId)?.viewColumn
      : undefined;
  }

  /** What the subagents' rows below a row show; they are redrawn whenever it is. */
  #getChildren(node: SessionsNode): readonly unknown[] {
    return node.kind === 'session' || node.kind === 'subagent'
      ? this.#tree
          .subagentsBelow(node)
          .map((below) => [getAppearance(below, this), this.#getChildren(below)])
      : [];
  }
}
