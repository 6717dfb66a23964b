import * as l10n from '@vscode/l10n';
import { withViewProgress } from '../../commands/session/newSession';
import type { WorkspaceFolder } from '../../model/ports';
import { showErrorMessage } from '../../platform/ui/messages';
import { withCancel } from '../../platform/ui/withCancel';
import type { Draft } from '../../shared/transcript/prompt';
import { askForBase, askForBranch } from './askForWorktree';
import { proposedBranch } from './model/branchNames';
import { type Base, type NewWorktree, worktreeFolder } from './model/newWorktree';
import { type RepositoryFacts, readRepository } from './model/repositoryFacts';
import { WorktreeTrouble } from './model/trouble';
import { mayPrepare } from './preparing';
import { newWorktreeFolder, newWorktreeScript } from './settings';
import { gitFor, type WorktreeServices } from './worktreeServices';

/** A worktree that the user wants. */
export interface Plan {
  readonly facts: RepositoryFacts;
  readonly worktree: NewWorktree;
  /** The script that prepares it. */
  readonly script: string | undefined;
}

interface Wanted {
  readonly title: string;
  readonly draft: Draft | undefined;
  /** The last parts of the branches' names, after a `/`, for several worktrees. */
  readonly parts?: readonly string[];
}

/** Asks for branch, base and preparation. Rejects with `WorktreeTrouble` if there can be no worktree. */
export async function planWorktrees(
  services: WorktreeServices,
  folder: WorkspaceFolder,
  { title, draft, parts }: Wanted,
): Promise<readonly Plan[] | undefined> {
  const { realPath } = services;
  const git = gitFor(new AbortController().signal);
  const read = (): Promise<RepositoryFacts> =>
    withViewProgress(() => readRepository(folder.path, git, realPath));
  const facts = await read();
  const endings = parts?.map((part) => `/${part}`) ?? [''];
  const isTaken = (name: string): boolean =>
    facts.branches.some((branch) => branch.name === name || branch.name.startsWith(`${name}/`));
  const proposal = proposedBranch(draft?.text ?? '', isTaken);
  const setting = newWorktreeFolder();
  const branch = await askForBranch({ title, proposal, git, facts, folder: setting, endings });
  const base = branch && (branch.isNew ? await findBase(services, title, facts, read) : 'none');
  if (branch === undefined || base === undefined) {
    return undefined;
  }
  const script = newWorktreeScript();
  const prepares = script !== '' && (await mayPrepare(script));
  return prepares === undefined
    ? undefined
    : endings.map((ending) => ({
        facts,
        worktree: {
          branch: `${branch.name}${ending}`,
          folder: worktreeFolder(facts, `${branch.name}${ending}`, setting),
          base: base === 'none' ? undefined : base,
        },
        script: prepares ? script : undefined,
      }));
}

/** Fetches only if the user chooses that, and asks again afterward, whether or not it worked. */
export async function findBase(
  services: Pick<WorktreeServices, 'log'>,
  title: string,
  facts: RepositoryFacts,
  read: () => Promise<RepositoryFacts>,
): Promise<Base | undefined> {
  const answer = await askForBase(title, facts);
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
