import * as l10n from '@vscode/l10n';
import type { GitFailure } from '../../../model/git/gitProcess';
import { cleanText } from '../../../model/text/titles';
import { UserError } from '../../../shared/failure';

/** Why something couldn't be done with a worktree. */
export type WorktreeProblem =
  | 'noGit'
  | 'cancelled'
  | 'timeout'
  | 'noDisk'
  | 'notBegun'
  | 'untrusted'
  | 'noRepository'
  | 'noCommits'
  | 'noWorktree'
  | 'noBranch'
  | 'noBase'
  | 'noWorkspace'
  | 'locked'
  | 'lockedWorktree'
  | 'branchExists'
  | 'branchInUse'
  | 'folderExists'
  | 'registered'
  | 'changedMeanwhile'
  | 'otherRepository'
  | 'noPullRequest'
  | 'noPullRequests'
  | 'inWorktree'
  | 'notMoved'
  | 'failed';

const maxComplaintLength = 600;

/** The message is for the user. */
export class WorktreeTrouble extends UserError {
  override readonly name = 'WorktreeTrouble';

  /** `about`: what the problem is about: a branch, a folder, git's own words. */
  constructor(
    readonly problem: WorktreeProblem,
    about: string = '',
  ) {
    const title = getMessage(problem, cleanText(about, maxComplaintLength));
    super({ code: 'told', title, detail: '', actions: [] });
  }

  /** What git said, which is in English, in the words of this window where it is known. */
  static said(command: string, complaint: string): WorktreeTrouble {
    for (const [pattern, problem] of known) {
      const match = pattern.exec(complaint);
      if (match !== null) {
        return new WorktreeTrouble(problem, match[1] ?? '');
      }
    }
    const words = complaint.replace(/^(?:fatal|error): /gm, '').trim();
    return new WorktreeTrouble('failed', `git ${command}: ${words}`);
  }
}

/** What git prints, with the thing that it is about. */
const known: readonly (readonly [RegExp, WorktreeProblem])[] = [
  [/Unable to create '([^'\n]+\.lock)': File exists/, 'locked'],
  [/not a git repository/, 'noRepository'],
  [/a branch named '([^'\n]+)' already exists/i, 'branchExists'],
  [/'[^'\n]+' is already (?:checked out|used by worktree) at '([^'\n]+)'/, 'branchInUse'],
  [/'([^'\n]+)' is a missing but (?:already registered|locked) worktree/, 'registered'],
  [/'([^'\n]+)' already exists/, 'folderExists'],
];

export function getTrouble(
  { problem, message }: GitFailure,
  command: string,
  limitMs: number,
): WorktreeTrouble {
  switch (problem) {
    case 'missing':
      return new WorktreeTrouble('noGit');
    case 'timeout':
      return new WorktreeTrouble('timeout', `git ${command} (${Math.round(limitMs / 1000)} s)`);
    case 'cancelled':
      return new WorktreeTrouble('cancelled');
    case 'tooMuch':
      return new WorktreeTrouble('failed', `git ${command} printed too much`);
    case 'exit':
      return new WorktreeTrouble('failed', message);
  }
}

function getMessage(problem: WorktreeProblem, about: string): string {
  switch (problem) {
    case 'noGit':
      return l10n.t('Git wasn’t found. Install it, or set its path in the setting “git.path”.');
    case 'cancelled':
      return l10n.t('Canceled. Nothing was left behind.');
    case 'timeout':
      return l10n.t(
        'Git took too long and was stopped: {0}. The disk may be slow or on another machine.',
        about,
      );
    case 'noDisk':
      return l10n.t('The disk doesn’t answer: {0}. It may be on another machine.', about);
    case 'notBegun':
      return l10n.t('The worktree is there, but no session was begun: {0}', about);
    case 'untrusted':
      return l10n.t('Worktrees are only made, changed and removed in trusted workspaces.');
    case 'noRepository':
      return l10n.t('This folder isn’t in a Git repository, so there can’t be worktrees of it.');
    case 'noCommits':
      return l10n.t(
        'This repository has no commits yet, and a worktree begins at a commit. Commit something first.',
      );
    case 'noWorktree':
      return l10n.t(
        'The folder of this session isn’t a worktree beside the main one of its repository.',
      );
    case 'noBranch':
      return l10n.t(
        'This worktree is on no branch, so there is none to push. “git switch -c <name>” in a terminal makes one.',
      );
    case 'noBase':
      return l10n.t(
        'This worktree and the branch that it began with have nothing in common, so they can’t be compared.',
      );
    case 'noWorkspace':
      return l10n.t(
        'No folder of this window is another worktree of the same repository. Open the one that should get the changes.',
      );
    case 'locked':
    case 'lockedWorktree':
    case 'branchExists':
    case 'branchInUse':
    case 'folderExists':
    case 'registered':
      return takenMessage(problem, about);
    case 'changedMeanwhile':
      return l10n.t('{0} has changed in the meantime, so nothing was removed. Try again.', about);
    case 'otherRepository':
    case 'noPullRequest':
    case 'noPullRequests':
      return pullRequestMessage(problem, about);
    case 'inWorktree':
      return l10n.t('This session works in a worktree of its own already.');
    case 'notMoved':
      return l10n.t('Nothing was moved, because the new worktree can’t have it. {0}', about);
    case 'failed':
      return l10n.t('Git couldn’t do this. It says: {0}', about);
  }
}

/** A repository, branch or place that something else has. */
function takenMessage(
  problem:
    | 'locked'
    | 'lockedWorktree'
    | 'branchExists'
    | 'branchInUse'
    | 'folderExists'
    | 'registered',
  about: string,
): string {
  switch (problem) {
    case 'locked':
      return l10n.t(
        'Another Git command is working in this repository, or was interrupted there: {0} exists. Try again when it has finished; if none is running, delete that file.',
        about,
      );
    case 'lockedWorktree':
      return l10n.t(
        'Somebody has locked this worktree: {0}. “git worktree unlock” allows it to be removed.',
        about,
      );
    case 'branchExists':
      return l10n.t('There is already a branch “{0}”.', about);
    case 'branchInUse':
      return l10n.t(
        'This branch is checked out in {0}, and a branch can only be in one worktree.',
        about,
      );
    case 'folderExists':
      return l10n.t('{0} exists already and isn’t empty. Choose another name.', about);
    case 'registered':
      return l10n.t(
        'Git has a worktree in {0}, although that folder is gone. “git worktree prune” forgets it, if it isn’t on a disk that is away.',
        about,
      );
  }
}

/** A pull request that can't be fetched. */
function pullRequestMessage(
  problem: 'otherRepository' | 'noPullRequest' | 'noPullRequests',
  about: string,
): string {
  switch (problem) {
    case 'otherRepository':
      return l10n.t(
        '{0} isn’t a pull request of a remote of this repository. “git remote add” adds one.',
        about,
      );
    case 'noPullRequest':
      return l10n.t('The remote has no pull request {0}, or none that Git can fetch.', about);
    case 'noPullRequests':
      return l10n.t(
        'Git can’t fetch pull requests from {0}. Fetch the branch of the pull request, and begin there.',
        about,
      );
  }
}
