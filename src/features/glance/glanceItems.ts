import * as l10n from '@vscode/l10n';
import type { Agent, SessionRow } from '../../model/agent';
import { agentNames } from '../../model/agents/whose';
import type { KnownReview } from '../../model/changes/reviews';
import { getTitle } from '../../model/list/promptTitles';
import { sessionKey } from '../../model/list/sessionInfo';
import type { Session } from '../../model/session/session';
import { findTimestamp } from '../../model/text/timestamps';
import { cleanText, getLabel } from '../../model/text/titles';
import { type GlanceGroup, type GlanceItem, glanceGroups } from '../../shared/glance/glance';
import { optionIcons } from '../../shared/requests/optionIcons';
import { getRef, type SessionRef } from '../../shared/sessionRef';
import { askerName } from '../../shared/transcript/askerName';
import { getProgress } from '../../shared/transcript/checklist';
import type { PlanItem } from '../../shared/transcript/content';
import type { PermissionEntry } from '../../shared/transcript/entries';
import { silentText } from '../../shared/transcript/silentText';
import { askedLine, askedLines } from '../../views/attention/asked';
import { getStanding, type Standing } from '../../views/attention/standing';
import { describeWork, findLastLine, getLastTurn, type LastTurn } from './lastTurn';

/** The parts of a session that its item is made of. */
export type GlancedSession = Pick<
  Session,
  'agent' | 'info' | 'title' | 'phase' | 'turns' | 'requests' | 'transcript'
>;

export interface GlanceSources {
  /** The open sessions. */
  readonly sessions: readonly GlancedSession[];
  /** Listed sessions that the user hasn't read, or that their agents say are at work. */
  readonly rows: readonly SessionRow[];
  readonly reviews: readonly Pick<KnownReview, 'agentId' | 'sessionId' | 'pending' | 'turns'>[];
  isUnread(session: GlancedSession): boolean;
  findAgent(agentId: string): Pick<Agent, 'title' | 'isOnly'> | undefined;
  /** The user's own name for a session. */
  findAlias(session: SessionRef): string | undefined;
  /** What a session that isn't open any more has said last, if it was open here. */
  findLastTurn(key: string): LastTurn | undefined;
  /** What is known of a session that may not be open. */
  toInfo(session: SessionRef): SessionRow['info'] | undefined;
}

/** An item, and the session that it stands for. */
export interface Glanced {
  readonly ref: SessionRef;
  readonly item: GlanceItem;
  /** The request of the item, if there is one that can be answered. */
  readonly entry?: PermissionEntry;
}

/** A user can't oversee more; whatever needs an answer comes first. */
const maxItems = 100;
const maxAnswers = 6;
const maxBranchLength = 40;
const maxAskerLength = 300;
const maxStepLength = 200;

/** Every session that concerns the user now, in the order in which they are shown. */
export function glanceItems(sources: GlanceSources): readonly Glanced[] {
  const pending = new Map(
    sources.reviews
      .filter((review) => review.pending.length > 0)
      .map((review) => [sessionKey(review.agentId, review.sessionId), review]),
  );
  const all = new Map<string, Glanced>();
  const add = (ref: SessionRef, describe: (toReview: number) => Described | undefined): void => {
    const key = sessionKey(ref.agentId, ref.sessionId);
    const toReview = pending.get(key)?.pending.length ?? 0;
    const described = all.has(key) ? undefined : describe(toReview);
    if (described !== undefined) {
      const { name, info, entry, ...rest } = described;
      const title = sources.findAlias(ref) ?? name;
      const where = describePlace(sources.findAgent(ref.agentId), info);
      const item = { key, title, where, toReview, ...rest };
      all.set(key, { ref, item, ...(entry && { entry }) });
    }
  };
  for (const session of sources.sessions) {
    add(getRef(session), (toReview) => openItem(session, sources.isUnread(session), toReview));
  }
  for (const row of sources.rows) {
    const ref = { agentId: row.agentId, sessionId: row.info.sessionId };
    add(ref, () => listedItem(row, sources.findLastTurn(sessionKey(ref.agentId, ref.sessionId))));
  }
  for (const review of pending.values()) {
    add(review, () => {
      const info = sources.toInfo(review);
      const name = info ? getTitle(info) : getLabel(review.turns.at(-1)?.prompt);
      const lastTurn = sources.findLastTurn(sessionKey(review.agentId, review.sessionId));
      return { group: 'review', name, info, canStop: false, ...lastTurn };
    });
  }
  return [...all.values()].sort((a, b) => compare(a.item, b.item));
}

/** The items that are shown, and how many are left out. */
export function shownItems(all: readonly Glanced[]): {
  readonly items: readonly GlanceItem[];
  readonly left: number;
} {
  const items = all.slice(0, maxItems).map(({ item }) => item);
  return { items, left: all.length - items.length };
}

type Described = Omit<GlanceItem, 'key' | 'title' | 'where' | 'toReview'> & {
  readonly name: string;
  readonly info: SessionRow['info'] | undefined;
} & Pick<Glanced, 'entry'>;

function openItem(
  session: GlancedSession,
  isUnread: boolean,
  toReview: number,
): Described | undefined {
  const { title: name, info, turns, transcript } = session;
  const group = findGroup(getStanding(session, isUnread), isUnread, toReview);
  if (group === undefined) {
    return undefined;
  }
  const { entries } = transcript;
  const turn = turns.current;
  const asked = group === 'needsAnswer' && askedIn(session);
  if (turn.kind === 'idle') {
    const { phase } = session;
    const failed = phase.kind === 'failed' && { doing: phase.failure.title };
    return { group, name, info, canStop: false, ...getLastTurn(entries), ...failed, ...asked };
  }
  const said = findLastLine(entries);
  const isStopping = turn.kind === 'running' && turn.cancelling;
  const doing = isStopping
    ? l10n.t('Stopping…')
    : turn.waits
      ? l10n.t('Waiting for an answer elsewhere')
      : turn.silentSince !== undefined
        ? silentText(session.agent.title, turn.silentSince)
        : describeWork(entries);
  return {
    ...{ group, name, info, canStop: !isStopping, doing },
    ...(turn.began !== undefined && { since: turn.began }),
    ...(said !== undefined && { said }),
    ...progressOf(transcript.checklist),
    ...asked,
  };
}

function progressOf(list: readonly PlanItem[] | undefined): Pick<GlanceItem, 'progress'> {
  if (list === undefined) {
    return {};
  }
  const { now, ...counts } = getProgress(list);
  return {
    progress: { ...counts, ...(now !== undefined && { now: cleanText(now, maxStepLength) }) },
  };
}

function findGroup(
  standing: Standing,
  isUnread: boolean,
  toReview: number,
): GlanceGroup | undefined {
  switch (standing) {
    case 'needsYou':
      return 'needsAnswer';
    case 'running':
    case 'asksElsewhere':
      return 'running';
    case 'unread':
      return 'done';
    case 'failed':
    case 'loading':
    case 'open':
    case 'idle':
      return isUnread ? 'done' : toReview > 0 ? 'review' : undefined;
  }
}

/** The request that waits longest, with its answers if everything that they are about can be shown. */
function askedIn({
  agent,
  requests,
  transcript,
}: GlancedSession): Pick<GlanceItem, 'asker' | 'asked' | 'request'> & Pick<Glanced, 'entry'> {
  const entry = transcript.entries[requests.waiting[0] ?? -1];
  if (entry?.kind !== 'permission' && entry?.kind !== 'elicitation') {
    return { asked: askedLine(entry) };
  }
  const asker = entry.from && {
    asker: cleanText(askerName(entry.from, agent.title), maxAskerLength),
  };
  const lines = entry.kind === 'permission' ? askedLines(entry) : undefined;
  if (entry.kind !== 'permission' || lines === undefined || entry.options.length > maxAnswers) {
    return { ...asker, asked: askedLine(entry) };
  }
  return {
    ...asker,
    asked: lines.join('\n'),
    request: { requestId: entry.requestId, answers: getAnswers(entry) },
    entry,
  };
}

function getAnswers({ options }: PermissionEntry): NonNullable<GlanceItem['request']>['answers'] {
  const main = options.find(({ kind }) => kind === 'allow_once');
  return options.map((option) => ({
    optionId: option.optionId,
    name: cleanText(option.name, 120),
    icon: optionIcons[option.kind],
    isMain: option === main,
  }));
}

function listedItem(
  { info, title, updatedAt }: SessionRow,
  lastTurn: LastTurn | undefined,
): Described {
  const since = findTimestamp(info.lastTurnEndedAt) ?? updatedAt;
  const common = { name: title, info, canStop: false };
  switch (info.state) {
    case 'requires_action':
      return { ...common, group: 'needsAnswer', asked: l10n.t('Asks where it was started.') };
    case 'running':
      return { ...common, group: 'running', doing: l10n.t('Runs elsewhere') };
    default:
      return { ...common, group: 'done', ...(since !== undefined && { since }), ...lastTurn };
  }
}

function describePlace(
  agent: Pick<Agent, 'title' | 'isOnly'> | undefined,
  info: SessionRow['info'] | undefined,
): string {
  const name = agent === undefined ? '' : agentNames([agent]);
  const branch = cleanText(info?.gitBranch ?? '', maxBranchLength);
  return [name, branch].filter((part) => part !== '').join(' · ');
}

/** Compares by group; what waits or runs longest comes first, and what was done last. Ties keep their order. */
function compare(a: GlanceItem, b: GlanceItem): number {
  const groups = glanceGroups.indexOf(a.group) - glanceGroups.indexOf(b.group);
  if (groups !== 0) {
    return groups;
  }
  const requests = (a.request?.requestId ?? Infinity) - (b.request?.requestId ?? Infinity);
  if (requests !== 0 && !Number.isNaN(requests)) {
    return requests;
  }
  const times = (a.since ?? 0) - (b.since ?? 0);
  return a.group === 'running' || a.group === 'needsAnswer' ? times : -times;
}
