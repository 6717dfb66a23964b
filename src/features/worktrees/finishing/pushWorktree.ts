import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { withViewProgress } from '../../../commands/session/newSession';
import type { Repository } from '../../../model/places/repository';
import { readOwnBranch } from '../../../model/places/worktrees';
import { cleanText } from '../../../model/text/titles';
import { pushByEditor } from '../../../platform/gitRepositories';
import { openInBrowser } from '../../../platform/openers';
import { showInformationMessage, showWarningMessage } from '../../../platform/ui/messages';
import { readBaseBranch } from '../model/branchState';
import { pullRequestAddress, type Remote, readRemotes } from '../model/remotes';
import { pushHooks } from '../model/runByGit';
import { WorktreeTrouble } from '../model/trouble';
import { openTerminal } from '../openTerminal';
import { gitFor, type WorktreeServices } from '../worktreeServices';
import { hooksText, mayRun, readRuns } from './commitWorktree';

/** The command of the extension "GitHub Pull Requests". */
const createOnGitHub = 'pr.create';

interface Pushed {
  readonly remote: Remote;
  readonly branch: string;
}

/**
 * "Push…": the branch to a remote, by VS Code's Git, after the user has seen where. Returns where it is now; `undefined`
 * if it isn't pushed. `skips`: nothing is asked or pushed if the remote has all of it already.
 */
export async function pushWorktree(
  services: WorktreeServices,
  place: Repository,
  name: string,
  skips = false,
): Promise<Pushed | undefined> {
  const branch = await readOwnBranch(place);
  if (branch === undefined) {
    throw new WorktreeTrouble('noBranch');
  }
  const git = gitFor(new AbortController().signal);
  const remotes = await withViewProgress(() => readRemotes(git, place, branch));
  const remote = await pickRemote(remotes, name);
  if (remote === undefined || (skips && remote.hasAll)) {
    return remote && { remote, branch };
  }
  const runs = await readRuns(services, place, pushHooks);
  if (!(await mayRun(place, name, runs))) {
    return undefined;
  }
  const push = l10n.t('Push');
  const answer = await showInformationMessage(
    l10n.t('Push the branch “{0}” to “{1}”?', name, remote.name),
    {
      modal: true,
      detail: `${l10n.t('It goes to {0}.', cleanText(remote.address, 500))}${hooksText(runs)}`,
    },
    push,
  );
  if (answer !== push) {
    return undefined;
  }
  const ref = `refs/heads/${branch}`;
  const isDone = await withViewProgress(() =>
    pushByEditor(place.top, remote.name, `${ref}:${ref}`).catch((error: unknown) => {
      throw WorktreeTrouble.said('push', wordsOf(error));
    }),
  );
  if (!isDone) {
    await offerTerminal(place, name);
    return undefined;
  }
  void showInformationMessage(l10n.t('Pushed “{0}” to “{1}”.', name, remote.name));
  return { remote, branch };
}

/** "Create Pull Request…": by the extension for GitHub, or on the page of the remote's host. Pushes first if need be. */
export async function createPullRequest(
  services: WorktreeServices,
  place: Repository,
  name: string,
): Promise<void> {
  const pushed = await pushWorktree(services, place, name, true);
  if (pushed === undefined) {
    return;
  }
  const { remote, branch } = pushed;
  const isGitHub = pullRequestAddress(remote.address, undefined, branch)?.includes('//github.com/');
  const commands = await vscode.commands.getCommands(true);
  if (isGitHub === true && commands.includes(createOnGitHub)) {
    const wanted = { repoPath: place.top, compareBranch: branch };
    await vscode.commands.executeCommand(createOnGitHub, wanted);
    return;
  }
  const base = await readBaseBranch(gitFor(new AbortController().signal), place);
  const into = base?.startsWith(`${remote.name}/`) ? base.slice(remote.name.length + 1) : base;
  const address = pullRequestAddress(remote.address, into, branch);
  if (address === undefined) {
    void showWarningMessage(
      l10n.t(
        'Where {0} begins a pull request isn’t known. The branch “{1}” is pushed: create the pull request on its pages.',
        cleanText(remote.address, 300),
        name,
      ),
    );
    return;
  }
  const open = l10n.t('Open in Browser');
  const question = l10n.t('Create the pull request of “{0}” on this page?', name);
  if ((await showInformationMessage(question, { modal: true, detail: address }, open)) === open) {
    await openInBrowser(address);
  }
}

async function pickRemote(remotes: readonly Remote[], name: string): Promise<Remote | undefined> {
  if (remotes.length === 0) {
    void showWarningMessage(
      l10n.t(
        'This repository has no remote to push to. Add one, for example with “git remote add”.',
      ),
    );
    return undefined;
  }
  const items = remotes.map((remote) => ({
    label: remote.name,
    description: cleanText(remote.address, 300),
    remote,
  }));
  const picked =
    items.length === 1
      ? items[0]
      : await vscode.window.showQuickPick(items, {
          title: l10n.t('Push “{0}”', name),
          placeHolder: l10n.t('To which remote?'),
          ignoreFocusOut: true,
        });
  return picked?.remote;
}

async function offerTerminal({ top }: Repository, name: string): Promise<void> {
  const terminal = l10n.t('Open Terminal');
  const answer = await showWarningMessage(
    l10n.t(
      'VS Code’s Git, which pushes and asks for passwords, isn’t there or can’t open this worktree. Push in a terminal.',
    ),
    terminal,
  );
  if (answer === terminal) {
    openTerminal(top, name);
  }
}

/** What Git said, which VS Code's own errors have beside a message without content. */
function wordsOf(error: unknown): string {
  const said = (error as { readonly stderr?: unknown }).stderr;
  return typeof said === 'string' && said.trim() !== '' ? said : String(error);
}
