import * as l10n from '@vscode/l10n';
import type { SessionRow } from '../../../model/agent';
import type { KnownCheck } from '../../../model/checks/providedChecks';
import type { Repository } from '../../../model/places/repository';
import type { Session } from '../../../model/session/session';
import { plainLine } from '../../../model/text/plainLine';
import { findTimestamp } from '../../../model/text/timestamps';
import { cleanText } from '../../../model/text/titles';
import type {
  ComparedFile,
  ComparedLines,
  ComparedSession,
  ToComparison,
} from '../../../shared/comparison/comparison';
import type { Entry } from '../../../shared/transcript/entries';
import { getStanding, type Standing } from '../../../views/attention/standing';
import { checkResult } from '../../../views/checkWords';
import { exactTime } from '../../../views/dates';

/** A worktree that is compared, with its session if one is open. */
export interface ComparedTree {
  readonly key: string;
  readonly place: Repository;
  readonly branch: string;
  readonly session?: Pick<
    Session,
    'title' | 'phase' | 'turns' | 'requests' | 'transcript' | 'facts'
  > & { readonly agent: { readonly title: string } };
  /** The session that was in it last, if none is open. */
  readonly closed?: {
    readonly agent: { readonly title: string };
    readonly info: Pick<SessionRow['info'], 'title' | 'state' | 'updatedAt'>;
  };
  readonly check?: KnownCheck;
  /** Its files that differ from the base; `undefined` until they are known. */
  readonly changes?: ReadonlyMap<string, ComparedLines>;
  /** Why they aren't known. */
  readonly trouble?: string;
}

const maxTitle = 200;
const maxSaid = 500;
const maxName = 300;
/** Files that are listed, those that most have changed first. */
const maxFiles = 500;
/** Entries that are looked through for the last words. */
const maxEntries = 2_000;
/** UTF-16 units at the end of a message that are looked at. */
const maxTail = 2_000;

/** What the page shows of them, in their order. */
export function comparedSessions(trees: readonly ComparedTree[]): ToComparison {
  const names = [...new Set(trees.flatMap(({ changes }) => [...(changes?.keys() ?? [])]))];
  const files = names
    .map(
      (name): ComparedFile => ({
        name,
        cells: trees.map(({ changes }) => changes?.get(name) ?? null),
      }),
    )
    .sort((a, b) => countCells(b) - countCells(a) || (a.name < b.name ? -1 : 1));
  const shown = files.slice(0, maxFiles);
  return {
    type: 'compared',
    tops: trees.map(({ place }) => place.top),
    sessions: trees.map(describe),
    files: shown,
    left: files.length - shown.length,
  };
}

function countCells({ cells }: ComparedFile): number {
  return cells.filter((cell) => cell !== null).length;
}

function describe({
  key,
  branch,
  session,
  closed,
  check,
  changes,
  trouble,
}: ComparedTree): ComparedSession {
  const said = session && lastWords(session.transcript.entries);
  const took = session && workingTime(session.transcript.entries);
  const cost = session?.facts.usage?.cost;
  const { agent } = session ?? closed ?? {};
  const last = closed && findTimestamp(closed.info.updatedAt);
  return {
    key,
    title: cleanText(session?.title ?? (closed?.info.title || branch), maxTitle),
    ...(agent && { agent: cleanText(agent.title, maxTitle) }),
    branch: cleanText(branch, maxName),
    ...(session === undefined
      ? { state: closedText(closed), mark: 'atRest' }
      : describeStanding(getStanding(session, false))),
    isRunning: session !== undefined && session.turns.current.kind !== 'idle',
    ...(took !== undefined && { took }),
    ...(cost && { cost: { amount: cost.amount, currency: cleanText(cost.currency, 20) } }),
    ...(check && {
      check: { state: check.state, isStale: check.isStale, text: checkResult(check) },
    }),
    ...(said !== undefined && { said }),
    ...(session === undefined && { unknown: unknownText(closed) }),
    ...(last !== undefined && { last: exactTime(last) }),
    hasSession: agent !== undefined,
    ...(changes && { files: changes.size, lines: sumLines(changes) }),
    ...(trouble !== undefined && { trouble: cleanText(trouble, maxSaid) }),
  };
}

/** What a session does that isn't open here, as far as its agent has told. */
function closedText(closed: ComparedTree['closed']): string {
  switch (closed?.info.state) {
    case 'running':
      return l10n.t('Runs elsewhere');
    case 'requires_action':
      return l10n.t('Needs an answer elsewhere');
    default:
      return l10n.t('Not open');
  }
}

/** What can't be said of it. */
function unknownText(closed: ComparedTree['closed']): string {
  return closed === undefined
    ? l10n.t('No session of this worktree is known here.')
    : l10n.t('Its time, its cost and its last words are known once it is open.');
}

function describeStanding(standing: Standing): Pick<ComparedSession, 'state' | 'mark'> {
  switch (standing) {
    case 'idle':
      return { state: l10n.t('Not open'), mark: 'atRest' };
    case 'loading':
      return { state: l10n.t('Loading…'), mark: 'running' };
    case 'running':
      return { state: l10n.t('Running'), mark: 'running' };
    case 'needsYou':
    case 'asksElsewhere':
      return { state: l10n.t('Needs an answer'), mark: 'needsYou' };
    case 'failed':
      return { state: l10n.t('Failed'), mark: 'failed' };
    case 'open':
    case 'unread':
      return { state: l10n.t('At rest'), mark: 'atRest' };
  }
}

function sumLines(changes: ReadonlyMap<string, ComparedLines>): ComparedLines {
  const all = [...changes.values()];
  return {
    added: all.reduce((sum, { added }) => sum + added, 0),
    removed: all.reduce((sum, { removed }) => sum + removed, 0),
  };
}

/** How long the turns took that were prompted here and have ended, in ms. */
function workingTime(entries: readonly Entry[]): number | undefined {
  const times = entries
    .slice(-maxEntries)
    .flatMap((entry) =>
      entry.kind === 'user' && entry.turn?.ended !== undefined
        ? [entry.turn.ended - entry.turn.began]
        : [],
    );
  return times.length === 0 ? undefined : times.reduce((sum, time) => sum + Math.max(0, time), 0);
}

/** The end of what the agent has said last, as one line of plain text. */
function lastWords(entries: readonly Entry[]): string | undefined {
  const last = entries.slice(-maxEntries).findLast(({ kind }) => kind === 'agent');
  const block =
    last?.kind === 'agent' ? last.blocks.findLast(({ type }) => type === 'text') : undefined;
  const tail = block?.type === 'text' ? block.text.trimEnd().slice(-maxTail) : '';
  const lines = (tail.split(/\n\s*\n/).at(-1) ?? '').split('\n');
  return cleanText(lines.map((line) => plainLine(line, maxSaid)).join(' '), maxSaid) || undefined;
}
