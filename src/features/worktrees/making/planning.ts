import * as l10n from '@vscode/l10n';
import { showErrorMessage } from '../../../platform/ui/messages';
import { withCancel } from '../../../platform/ui/withCancel';
import type { Base } from '../model/base';
import type { NewWorktree } from '../model/newWorktree';
import type { RepositoryFacts } from '../model/repositoryFacts';
import { WorktreeTrouble } from '../model/trouble';
import { gitFor, type WorktreeServices } from '../worktreeServices';
import { askForPullRequest } from './askForPullRequest';
import { askForBase } from './askForWorktree';

/** A worktree that the user wants. */
export interface Plan {
  readonly facts: RepositoryFacts;
  readonly worktree: NewWorktree;
  /** The script that prepares it. */
  readonly script: string | undefined;
}

/** Fetches only if the user chooses that, and asks again afterward, whether or not it worked. */
export async function findBase(
  services: Pick<WorktreeServices, 'log'>,
  title: string,
  facts: RepositoryFacts,
  read: () => Promise<RepositoryFacts>,
): Promise<Base | undefined> {
  const answer = await askForBase(title, facts);
  if (answer === 'pullRequest') {
    return askForPullRequest(services, title, facts);
  }
  if (answer !== 'fetch') {
    return answer;
  }
  await fetchAll(services, facts.top);
  return findBase(services, title, await read(), read);
}

/** A worktree can begin without what couldn't be fetched, or took the user too long. */
async function fetchAll({ log }: Pick<WorktreeServices, 'log'>, top: string): Promise<void> {
  try {
    await withCancel(l10n.t('Fetching…'), (signal) =>
      gitFor(signal).in(top).work('fetch', '--all', '--quiet', '--no-recurse-submodules'),
    );
  } catch (error) {
    if (!(error instanceof WorktreeTrouble)) {
      throw error;
    }
    log.component('worktrees').warn(error.message);
    if (error.problem !== 'cancelled') {
      const said = l10n.t(
        'Not everything was fetched, but the branch can begin at what is here. {0}',
        error.message,
      );
      void showErrorMessage(said);
    }
  }
}
