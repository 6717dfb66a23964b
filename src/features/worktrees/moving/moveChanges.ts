import * as l10n from '@vscode/l10n';
import { mayEnd } from '../../../commands/agents/endWork';
import { withViewProgress } from '../../../commands/session/newSession';
import {
  type CommandTarget,
  findOpenSession,
  findTarget,
} from '../../../commands/session/sessionTarget';
import { isStartedHere } from '../../../model/agent';
import { sessionTitle } from '../../../model/agents/whose';
import { findRepository, type Repository } from '../../../model/places/repository';
import { untilSession } from '../../../model/session/askInSession';
import type { Session } from '../../../model/session/session';
import { fileCount } from '../../../model/text/fileCount';
import { cleanText } from '../../../model/text/titles';
import {
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../../platform/ui/messages';
import { withCancel } from '../../../platform/ui/withCancel';
import type { ReviewFiles } from '../../review/model/reviewFiles';
import { leftSentences } from '../applying/leftTexts';
import { askForBranch } from '../making/askForWorktree';
import { makeWorktree } from '../making/beginning';
import type { Plan } from '../making/planning';
import { mayPrepare } from '../making/preparing';
import { freeName, proposedBranch } from '../model/branchNames';
import {
  carryOver,
  findSettled,
  type MovedFile,
  planMove,
  readUncommitted,
  takeBack,
  type Uncommitted,
} from '../model/movedChanges';
import { discardWorktree, worktreeFolder } from '../model/newWorktree';
import { type RepositoryFacts, readRepository } from '../model/repositoryFacts';
import { WorktreeTrouble } from '../model/trouble';
import type { LeftChange, WorktreeChange } from '../model/worktreeChanges';
import { newWorktreeFolder, newWorktreeScript } from '../settings';
import { gitFor, type WorktreeServices, withFiles, withTrouble } from '../worktreeServices';
import { type Moved, tellMoved } from './afterMove';
import { ownFiles, pickChanges } from './pickChanges';

/**
 * "Move Changes to Worktree…": what a session has changed in its folder, and isn't committed, goes to a new worktree; in
 * the folder the files become what the last commit has. The session stays where it is, and can be continued there.
 */
export function moveChanges(services: WorktreeServices, argument: unknown): Promise<void> {
  return withTrouble(services, async () => {
    const target = findTarget(services, argument);
    if (target === undefined) {
      return;
    }
    if (!isStartedHere(target.agent)) {
      const name = cleanText(target.agent.title, 60);
      void showWarningMessage(
        l10n.t('{0} runs on another machine, so its files can’t be moved here.', name),
      );
      return;
    }
    const facts = await withViewProgress(() => readFacts(services, target));
    if (await isStopped(findOpenSession(services, target))) {
      const moved = await withFiles(services, (files) =>
        chooseAndMove(services, files, target, facts),
      );
      await (moved && tellMoved(services, target, moved));
    }
  });
}

/** Rejects with `WorktreeTrouble` if the session works in another worktree, or in no repository. */
async function readFacts(
  { places, worktrees, realPath }: WorktreeServices,
  { agent, info }: CommandTarget,
): Promise<RepositoryFacts> {
  const { cwd } = places.placed(agent.id, info);
  const git = gitFor(new AbortController().signal);
  const place = await git.disk(findRepository(cwd, realPath), cwd);
  if (place !== undefined && worktrees.at(place.top) !== undefined) {
    throw new WorktreeTrouble('inWorktree');
  }
  const facts = await readRepository(cwd, git, realPath);
  if (facts.head === undefined) {
    throw new WorktreeTrouble('noCommits');
  }
  return facts;
}

/** Files that an agent is changing aren't moved: asks to stop it, and waits until it has stopped. */
async function isStopped(session: Session | undefined): Promise<boolean> {
  if (session === undefined || !session.isBusy) {
    return true;
  }
  const question = l10n.t('The agent is still working with these files. Stop it first?');
  if (!(await mayEnd([session], question, l10n.t('Stop'), sessionTitle))) {
    return false;
  }
  session.turns.cancel();
  await withCancel(l10n.t('Stopping…'), (signal) =>
    untilSession(session, signal, () => !session.isBusy),
  );
  return !session.isBusy;
}

async function chooseAndMove(
  services: WorktreeServices,
  files: ReviewFiles,
  target: CommandTarget,
  facts: RepositoryFacts,
): Promise<Moved | undefined> {
  const chosen = await choose(services, target, facts);
  const plan = chosen && (await planWorktree(target, facts));
  if (chosen === undefined || plan === undefined) {
    return undefined;
  }
  const git = gitFor(new AbortController().signal);
  const { files: moved, left } = await withViewProgress(() => planMove(git, facts, chosen, files));
  if (left.length > 0) {
    sayNotMoved(left);
    return undefined;
  }
  return (await mayMove(plan, moved)) ? move(services, files, plan, moved) : undefined;
}

function sayNotMoved(left: readonly LeftChange[]): void {
  void showErrorMessage([l10n.t('Nothing was moved.'), ...leftSentences(left)].join(' '));
}

/** `undefined`: there is nothing, or the user cancels. */
async function choose(
  services: WorktreeServices,
  target: CommandTarget,
  { head, ...place }: RepositoryFacts,
): Promise<readonly WorktreeChange[] | undefined> {
  const git = gitFor(new AbortController().signal);
  const found = await withViewProgress(() => readUncommitted(git, place, head?.commit ?? ''));
  if (found.changes.length === 0) {
    sayNothing(place, found);
    return undefined;
  }
  const picked = await pickChanges(found, ownFiles(services, target), place.top);
  return picked === undefined || picked.length === 0 ? undefined : picked;
}

function sayNothing({ top }: Repository, { left }: Uncommitted): void {
  const nothing = l10n.t('There is nothing uncommitted in {0} to move.', cleanText(top, 200));
  void showInformationMessage([nothing, ...leftSentences(left)].join(' '));
}

/** Asks for the branch, which begins at the last commit, and whether the script runs. */
async function planWorktree(
  { title }: CommandTarget,
  facts: RepositoryFacts,
): Promise<Plan | undefined> {
  const isTaken = (name: string): boolean =>
    facts.branches.some((other) => other.name === name || other.name.startsWith(`${name}/`));
  const folder = newWorktreeFolder();
  const branch = await askForBranch({
    title: l10n.t('Move Changes to Worktree'),
    prompt: l10n.t('Name of the branch of the new worktree.'),
    proposal: proposedBranch(title, isTaken) || freeName('session', isTaken),
    git: gitFor(new AbortController().signal),
    ...{ facts, folder, endings: [''], isNew: true },
  });
  const setting = newWorktreeScript();
  const prepares =
    branch === undefined ? undefined : setting !== '' && (await mayPrepare(setting, false));
  if (branch === undefined || prepares === undefined || facts.head === undefined) {
    return undefined;
  }
  const { commit, branch: current } = facts.head;
  const base = { commit, ref: current && `refs/heads/${current}` };
  const { name } = branch;
  const worktree = { branch: name, folder: worktreeFolder(facts, name, folder), base };
  return { facts, worktree, script: prepares ? setting : undefined };
}

async function mayMove({ facts, worktree }: Plan, moved: readonly MovedFile[]): Promise<boolean> {
  const yes = l10n.t('Move');
  const detail = l10n.t(
    'The worktree is made in {0} and gets these files as they are now, with everything in them that isn’t committed. In {1} they become what the last commit has, and new files are deleted. The session stays in that folder; you can continue it in the worktree.',
    cleanText(worktree.folder, 300),
    cleanText(facts.top, 300),
  );
  const question = l10n.t(
    'Move {0} to the new worktree “{1}”?',
    fileCount(moved.length),
    cleanText(worktree.branch, 100),
  );
  return (await showInformationMessage(question, { modal: true, detail }, yes)) === yes;
}

/**
 * Makes the worktree with the files, all of them or none, and only then takes them back in the folder. `undefined`: they
 * are committed, for instance, by now.
 */
async function move(
  services: WorktreeServices,
  files: ReviewFiles,
  plan: Plan,
  moved: readonly MovedFile[],
): Promise<Moved | undefined> {
  const { facts, worktree } = plan;
  const { folder } = await makeWorktree(services, plan, new AbortController().signal);
  const git = gitFor(new AbortController().signal);
  const discard = async (): Promise<void> => {
    await discardWorktree(git.in(facts.top), worktree);
    await services.worktrees.refresh();
  };
  try {
    await carryOver(moved, (await services.realPath(worktree.folder)) ?? worktree.folder);
    const settled = await findSettled(git, facts, facts.head?.commit ?? '', moved);
    if (settled.length > 0) {
      await discard();
      sayNotMoved(settled);
      return undefined;
    }
  } catch (error) {
    await discard();
    throw error;
  }
  const left = await takeBack(moved, files);
  return { place: facts, worktree, folder: folder.path, moved, left };
}
