import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sessionTitle } from '../../../model/agents/whose';
import type { FolderSize } from '../../../model/files/folderSize';
import type { WorktreeState } from '../../../model/places/providedWorktreeStates';
import type { Repository } from '../../../model/places/repository';
import { cleanText } from '../../../model/text/titles';
import { byteSize } from '../../../shared/byteSize';
import { relativeTime } from '../../../views/dates';
import { worktreeMark } from '../../../views/worktreeWords';
import { isLossy, type Losses } from '../model/removeWorktree';
import type { TitledSession } from '../worktreeTarget';
import { getDetail } from './removing';

const maxNameLength = 100;
/** Sessions of a worktree that its row names. */
const maxTitles = 3;

/** A worktree that may be removed. */
export interface Candidate {
  readonly place: Repository;
  /** Its branch, otherwise its folder. */
  readonly name: string;
  /** Its sessions, open or not, as far as they are known. */
  readonly sessions: readonly TitledSession[];
  /** Whether one of them is at work. */
  readonly isBusy: boolean;
}

/** What is found out about a worktree while the list is open. */
export interface CandidateFacts {
  readonly state?: WorktreeState;
  readonly losses?: Losses;
  readonly size?: FolderSize;
  /** Why its state can't be read. */
  readonly trouble?: string;
}

/** A row: a worktree to remove, or a session to archive. */
export interface CleanUpRow extends vscode.QuickPickItem {
  /** The same as long as the list is open. */
  readonly key: string;
  readonly removes?: Candidate;
  readonly archives?: TitledSession;
}

/** Whether all that the worktree has is elsewhere, too, and nobody works in it. */
export function isDone({ isBusy }: Candidate, { state, losses }: CandidateFacts): boolean {
  return (
    !isBusy &&
    state?.isMerged === true &&
    losses !== undefined &&
    losses.locked === undefined &&
    !isLossy(losses, false)
  );
}

/** The worktrees, and below them the sessions of those that are merged. */
export function cleanUpRows(
  candidates: readonly Candidate[],
  facts: ReadonlyMap<Candidate, CandidateFacts>,
  now: number,
): readonly CleanUpRow[] {
  const merged = candidates.filter((candidate) => facts.get(candidate)?.state?.isMerged === true);
  const archived = merged.flatMap(({ name, sessions }) =>
    sessions
      .filter(({ isArchived }) => !isArchived)
      .map((session) => ({
        key: JSON.stringify([session.agent.id, session.info.sessionId]),
        label: sessionTitle(session),
        description: cleanText(name, maxNameLength),
        archives: session,
      })),
  );
  const heading = (label: string): CleanUpRow => ({
    key: label,
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  return [
    heading(l10n.t('Worktrees to remove')),
    ...candidates.map((candidate) => toRow(candidate, facts.get(candidate) ?? {}, now)),
    ...(archived.length === 0
      ? []
      : [heading(l10n.t('Sessions of merged branches to archive')), ...archived]),
  ];
}

function toRow(candidate: Candidate, facts: CandidateFacts, now: number): CleanUpRow {
  const { place, name, sessions, isBusy } = candidate;
  const { state, losses, size, trouble } = facts;
  const titles = sessions.slice(0, maxTitles).map(({ title }) => cleanText(title, 60));
  const more = sessions.length - titles.length;
  const description = [
    ...(state === undefined ? [] : [worktreeMark(state)]),
    ...(isBusy ? [l10n.t('at work')] : []),
    ...(losses?.locked === undefined ? [] : [l10n.t('locked')]),
    ...(size === undefined ? [l10n.t('size…')] : sizeWords(size, now)),
  ];
  // What would be lost isn't cut, however long the titles are.
  const detail = [
    trouble === undefined ? losses && getDetail(losses, false) : cleanText(trouble, 300),
    [...titles, ...(more > 0 ? [l10n.t('and {0} more', more)] : [])].join(', '),
  ];
  return {
    key: place.top,
    label: cleanText(name, maxNameLength),
    description: description.filter(Boolean).join(' · '),
    detail: detail.filter(Boolean).join(' – '),
    removes: candidate,
  };
}

function sizeWords({ bytes, changedAt, isWhole }: FolderSize, now: number): readonly string[] {
  return [
    isWhole ? byteSize(bytes) : l10n.t('> {0}', byteSize(bytes)),
    ...(changedAt === 0 ? [] : [relativeTime(changedAt, now)]),
  ];
}
