import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { mayEnd } from '../../../commands/agents/endWork';
import { named } from '../../../commands/named';
import { archiveTargets } from '../../../commands/session/bulk/archiveSessions';
import { withViewProgress } from '../../../commands/session/newSession';
import { sessionTitle } from '../../../model/agents/whose';
import { findRepository } from '../../../model/places/repository';
import { readOwnBranch, readWorktrees } from '../../../model/places/worktrees';
import type { Session } from '../../../model/session/session';
import { cleanText } from '../../../model/text/titles';
import {
  plainMessage,
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../../platform/ui/messages';
import { withCancel } from '../../../platform/ui/withCancel';
import { mapAtOnce } from '../../../util/async';
import { isLossy, type Losses } from '../model/removeWorktree';
import { WorktreeTrouble } from '../model/trouble';
import { type WorktreeServices, withTrouble } from '../worktreeServices';
import { sessionsIn, titledSessions } from '../worktreeTarget';
import type { Candidate } from './cleanUpRows';
import { pickWorktrees } from './pickWorktrees';
import { getDetail, getList, lostFiles, readShownLosses, removeNow } from './removing';

const readAtOnce = 4;
const maxNameLength = 100;
/** Worktrees with something that would be lost that one question can name. */
const maxLossy = 10;

/** A worktree that the user has chosen, with what would be lost. */
interface Chosen {
  readonly candidate: Candidate;
  readonly losses: Losses;
  readonly name: string;
}

/**
 * "Clean Up Worktrees…": removes several of the other worktrees of the window's repositories, and archives the sessions
 * of those that are merged, as the user chooses.
 */
export function cleanUpWorktrees(services: WorktreeServices): Promise<void> {
  return withTrouble(services, async () => {
    const candidates = await withViewProgress(() => findCandidates(services));
    if (candidates.length === 0) {
      void showInformationMessage(
        l10n.t('The repositories of this window have no other worktrees that could be removed.'),
      );
      return;
    }
    const chosen = await pickWorktrees(services, candidates);
    if (chosen !== undefined && (await removeAll(services, chosen.worktrees))) {
      await archiveTargets(services, chosen.sessions);
    }
  });
}

/** The linked worktrees that no folder of the window is in. */
async function findCandidates(services: WorktreeServices): Promise<readonly Candidate[]> {
  const { workspace, realPath } = services;
  const folders = workspace.folders.map((folder) => folder.path);
  const lists = await mapAtOnce(folders, readAtOnce, (folder) => readWorktrees(folder, realPath));
  const linked = lists.flat().filter(({ isMain }) => !isMain);
  const find = (folder: string) => findRepository(folder, realPath);
  const own = await mapAtOnce(folders, readAtOnce, find);
  const places = await mapAtOnce(
    linked.map((tree) => tree.path),
    readAtOnce,
    find,
  );
  const byTop = new Map(
    places.flatMap((place) => (place === undefined ? [] : [[place.top, place] as const])),
  );
  for (const place of own) {
    byTop.delete(place?.top ?? '');
  }
  const sessions = await titledSessions(services, [...byTop.keys()]);
  return mapAtOnce([...byTop.values()], readAtOnce, async (place) => ({
    place,
    name: (await readOwnBranch(place)) ?? path.basename(place.top),
    sessions: sessions.get(place.top) ?? [],
    isBusy: (await sessionsIn(services, place.top)).some(({ isBusy }) => isBusy),
  }));
}

/** Returns whether the user agrees; tells what couldn't be removed. */
async function removeAll(
  services: WorktreeServices,
  candidates: readonly Candidate[],
): Promise<boolean> {
  if (candidates.length === 0) {
    return true;
  }
  const failed: string[] = [];
  const chosen = await withViewProgress(() => readChosen(services, candidates, failed));
  const agreed = chosen.length === 0 ? undefined : await agree(services, chosen);
  if (agreed === undefined) {
    sayFailed(failed);
    return false;
  }
  let done = 0;
  try {
    await withCancel(l10n.t('Removing worktrees'), async (signal, report) => {
      for (const one of chosen) {
        if (signal.aborted) {
          return;
        }
        report(one.name, 100 / chosen.length);
        try {
          await removeOne(services, one, agreed);
          done++;
        } catch (error) {
          failed.push(`${one.name}: ${reasonOf(error)}`);
        }
      }
    });
  } finally {
    sayFailed(failed);
  }
  void showInformationMessage(l10n.t('Worktrees removed: {0} of {1}.', done, candidates.length));
  return true;
}

/** Adds what can't be read to `failed`. */
async function readChosen(
  services: WorktreeServices,
  candidates: readonly Candidate[],
  failed: string[],
): Promise<readonly Chosen[]> {
  const read = await mapAtOnce(candidates, readAtOnce, async (candidate) => {
    const name = cleanText(candidate.name, maxNameLength);
    try {
      const losses = await readShownLosses(services, candidate.place);
      if (losses.locked !== undefined) {
        throw new WorktreeTrouble('lockedWorktree', losses.locked || candidate.place.top);
      }
      return [{ candidate, name, losses }];
    } catch (error) {
      failed.push(`${name}: ${reasonOf(error)}`);
      return [];
    }
  });
  return read.flat();
}

interface Agreed {
  /** Whether branches go, too, of which another branch has all commits. */
  readonly withBranches: boolean;
  /** The sessions that may be stopped at work. */
  readonly busy: ReadonlySet<Session>;
}

/** One question names everything that would be lost; what is lost has to be typed. */
async function agree(
  services: WorktreeServices,
  chosen: readonly Chosen[],
): Promise<Agreed | undefined> {
  const lossy = chosen.filter(({ losses }) => isLossy(losses, false));
  if (lossy.length > maxLossy) {
    void showWarningMessage(
      l10n.t(
        'In {0} of these worktrees something would be lost, which one question can’t name. Choose at most {1} of them at once.',
        lossy.length,
        maxLossy,
      ),
    );
    return undefined;
  }
  const remove = l10n.t('Remove');
  const both = l10n.t('Remove with Branches');
  const answer = await showWarningMessage(
    chosen.length === 1
      ? l10n.t('Remove 1 worktree?')
      : l10n.t('Remove {0} worktrees?', chosen.length),
    { modal: true, detail: detailOf(chosen, lossy) },
    remove,
    ...(chosen.some(({ losses }) => hasSpareBranch(losses)) ? [both] : []),
  );
  if (answer === undefined || !(await confirmed(lossy.map(({ name }) => name)))) {
    return undefined;
  }
  const tops = chosen.map(({ candidate }) => candidate.place.top);
  const sessions = (await mapAtOnce(tops, readAtOnce, (top) => sessionsIn(services, top))).flat();
  const busy = new Set(sessions.filter(({ isBusy }) => isBusy));
  const question = l10n.t('Sessions are still working in these worktrees. Stop them?');
  return (await mayEnd([...busy], question, l10n.t('Stop and Remove'), sessionTitle))
    ? { withBranches: answer === both, busy }
    : undefined;
}

function detailOf(chosen: readonly Chosen[], lossy: readonly Chosen[]): string {
  const lines = lossy.map(({ name, losses }) => {
    const files = lostFiles(losses);
    const list = files.length === 0 ? '' : ` (${getList(files)})`;
    return `${name}: ${getDetail(losses, false)}${list}`;
  });
  const others = chosen.filter((one) => !lossy.includes(one)).map(({ name }) => name);
  return [
    ...lines,
    ...(others.length === 0 ? [] : [l10n.t('Nothing is lost of: {0}.', named(others).join(', '))]),
    l10n.t('Their sessions in this window are closed first.'),
    ...(chosen.some(({ losses }) => hasSpareBranch(losses))
      ? [l10n.t('Only branches whose commits another branch has are removed, too.')]
      : []),
  ].join('\n\n');
}

/** Whether another branch has all commits of the worktree's own. */
function hasSpareBranch({ branch, unmerged }: Losses): boolean {
  return branch !== undefined && unmerged === 0;
}

/** The user types the name of what has something that would be lost, or how many of these there are. */
async function confirmed(names: readonly string[]): Promise<boolean> {
  const [name] = names;
  if (name === undefined) {
    return true;
  }
  const wanted = names.length === 1 ? name : l10n.t('{0} worktrees', names.length);
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Clean Up Worktrees'),
    prompt: plainMessage(
      l10n.t(
        'Lost is what only these have: {0}. Type “{1}” to remove them.',
        named(names).join(', '),
        wanted,
      ),
    ),
    ignoreFocusOut: true,
    validateInput: (value) =>
      wanted.startsWith(value) ? undefined : l10n.t('This isn’t “{0}”.', wanted),
  });
  return typed === wanted;
}

async function removeOne(
  services: WorktreeServices,
  { candidate, losses }: Chosen,
  { withBranches, busy }: Agreed,
): Promise<void> {
  const { place } = candidate;
  const sessions = await sessionsIn(services, place.top);
  if (sessions.some((session) => session.isBusy && !busy.has(session))) {
    throw new WorktreeTrouble('changedMeanwhile', place.top);
  }
  // The other branch that had the commits may have gone with the worktree before.
  const withBranch = withBranches && hasSpareBranch(await readShownLosses(services, place));
  await removeNow(services, place, losses, withBranch);
}

function sayFailed(failed: readonly string[]): void {
  if (failed.length > 0) {
    void showErrorMessage(l10n.t('Not removed: {0}', named(failed).join('; ')));
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof WorktreeTrouble) {
    return error.message;
  }
  throw error;
}
