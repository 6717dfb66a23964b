import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { cleanText } from '../../../model/text/titles';
import { plainMessage, showErrorMessage } from '../../../platform/ui/messages';
import { withCancel } from '../../../platform/ui/withCancel';
import type { Base } from '../model/base';
import {
  findPullRequest,
  findSources,
  readPullRequest,
  type WantedPullRequest,
} from '../model/pullRequests';
import { readSources, type Source } from '../model/remotes';
import type { RepositoryFacts } from '../model/repositoryFacts';
import { WorktreeTrouble } from '../model/trouble';
import { gitFor, type WorktreeServices } from '../worktreeServices';

/** The pull request that a branch begins at, which its remote has; says why there is none. */
export async function askForPullRequest(
  { log }: Pick<WorktreeServices, 'log'>,
  title: string,
  facts: Pick<RepositoryFacts, 'top'>,
): Promise<Base | undefined> {
  try {
    const sources = await readSources(gitFor(new AbortController().signal), facts);
    const wanted = await enter(title, sources);
    const source = wanted && (await pickSource(title, wanted));
    if (wanted === undefined || source === undefined) {
      return undefined;
    }
    const { number } = wanted;
    const name = cleanText(source.name, 60);
    return await withCancel(
      l10n.t('Looking for pull request {0} of “{1}”…', number, name),
      (signal) => findPullRequest(gitFor(signal).in(facts.top), source, number),
    );
  } catch (error) {
    if (!(error instanceof WorktreeTrouble)) {
      throw error;
    }
    if (error.problem !== 'cancelled') {
      log.component('worktrees').warn(error.message);
      void showErrorMessage(error.message);
    }
    return undefined;
  }
}

/** Rejects with `WorktreeTrouble` if no remote has what was entered. */
async function enter(
  title: string,
  sources: readonly Source[],
): Promise<WantedPullRequest | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: l10n.t(
      'Number or address of a pull or merge request. It is fetched when the worktree is made, without running any hook.',
    ),
    placeHolder: l10n.t('Number or address'),
    ignoreFocusOut: true,
    validateInput: (value) => validate(value, sources),
  });
  const named = readPullRequest(text ?? '');
  return named && findSources(named, sources);
}

function validate(value: string, sources: readonly Source[]): string | undefined {
  const named = readPullRequest(value);
  if (named === undefined) {
    return l10n.t('Enter a number, or the “https” address of a pull or merge request.');
  }
  try {
    findSources(named, sources);
    return undefined;
  } catch (error) {
    if (!(error instanceof WorktreeTrouble)) {
      throw error;
    }
    return plainMessage(error.message);
  }
}

async function pickSource(
  title: string,
  { number, sources }: WantedPullRequest,
): Promise<Source | undefined> {
  const items = sources.map((source) => ({
    label: cleanText(source.name, 100),
    description: cleanText(source.addresses.at(-1) ?? '', 300),
    source,
  }));
  const picked =
    items.length === 1
      ? items[0]
      : await vscode.window.showQuickPick(items, {
          title,
          placeHolder: l10n.t('Which remote has pull request {0}?', number),
          ignoreFocusOut: true,
        });
  return picked?.source;
}
