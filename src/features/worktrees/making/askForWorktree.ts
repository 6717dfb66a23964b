import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { cleanText } from '../../../model/text/titles';
import { plainMessage, showErrorMessage } from '../../../platform/ui/messages';
import type { Base } from '../model/base';
import { type BranchCheck, checkBranchName } from '../model/branchNames';
import { isFree, worktreeFolder } from '../model/newWorktree';
import type { BranchFacts, RepositoryFacts } from '../model/repositoryFacts';
import { WorktreeTrouble } from '../model/trouble';
import type { WorktreeGit } from '../model/worktreeGit';

export interface BranchQuestion {
  readonly title: string;
  /** By default about a session that begins. */
  readonly prompt?: string;
  readonly proposal: string;
  readonly git: WorktreeGit;
  readonly facts: RepositoryFacts;
  /** The setting with the folder of new worktrees. */
  readonly folder: string;
  /** Whether it can't be a branch that exists. */
  readonly isNew?: boolean;
  /** What is added to the name for each of several branches; otherwise one empty text. */
  readonly endings: readonly string[];
}

export interface ChosenBranch {
  /** The name, without the endings. */
  readonly name: string;
  readonly isNew: boolean;
}

/** Asks until the name can be used, and tells while it is typed why not. */
export async function askForBranch(question: BranchQuestion): Promise<ChosenBranch | undefined> {
  const { title, prompt, proposal, endings } = question;
  const name = await vscode.window.showInputBox({
    title,
    value: proposal,
    prompt:
      prompt ??
      (endings.length > 1
        ? l10n.t(
            'Name of the branches. Each agent gets one of its own, in a folder of its own: {0}.',
            cleanText(endings.map((ending) => `…${ending}`).join(', '), 200),
          )
        : l10n.t('Name of the branch. The session works on it, in a folder of its own.')),
    placeHolder: l10n.t('Branch name'),
    ignoreFocusOut: true,
    validateInput: (value) => validate(question, value.trim()),
  });
  const chosen = name?.trim() ?? '';
  if (chosen === '') {
    return undefined;
  }
  const said = await validate(question, chosen);
  if (said.severity === vscode.InputBoxValidationSeverity.Error) {
    void showErrorMessage(said.message);
    return undefined;
  }
  return {
    name: chosen,
    isNew: said.severity !== vscode.InputBoxValidationSeverity.Warning,
  };
}

/** A warning: the branch exists and is used as it is. */
async function validate(
  question: BranchQuestion,
  name: string,
): Promise<vscode.InputBoxValidationMessage> {
  if (name === '') {
    return error(l10n.t('Enter a name.'));
  }
  const { endings } = question;
  const all: vscode.InputBoxValidationMessage[] = [];
  for (const ending of endings) {
    all.push(await validateOne(question, `${name}${ending}`).catch(troubleSaid));
  }
  const severe = all.find(({ severity }) => severity === vscode.InputBoxValidationSeverity.Error);
  return severe ?? all[0] ?? error(l10n.t('Enter a name.'));
}

async function validateOne(
  { git, facts, folder, endings, isNew = endings.length > 1 }: BranchQuestion,
  name: string,
): Promise<vscode.InputBoxValidationMessage> {
  const check = await checkBranchName(git.in(facts.top), name, facts);
  const wrong = wrongWith(check);
  if (wrong !== undefined) {
    return error(wrong);
  }
  const place = worktreeFolder(facts, name, folder);
  const shown = cleanText(place, 300);
  if (!(await git.disk(isFree(place), place))) {
    return error(l10n.t('{0} exists already and isn’t empty. Choose another name.', shown));
  }
  if (check.kind === 'existing' && isNew) {
    return error(l10n.t('There is already a branch “{0}”.', cleanText(name, 200)));
  }
  return check.kind === 'existing'
    ? {
        message: plainMessage(l10n.t('This branch exists. It is checked out in {0}.', shown)),
        severity: vscode.InputBoxValidationSeverity.Warning,
      }
    : {
        message: plainMessage(l10n.t('In {0}', shown)),
        severity: vscode.InputBoxValidationSeverity.Info,
      };
}

/** Why the name couldn't be checked. */
function troubleSaid(trouble: unknown): vscode.InputBoxValidationMessage {
  if (!(trouble instanceof WorktreeTrouble)) {
    throw trouble;
  }
  return error(trouble.message);
}

function error(message: string): vscode.InputBoxValidationMessage {
  return { message: plainMessage(message), severity: vscode.InputBoxValidationSeverity.Error };
}

function wrongWith(check: BranchCheck): string | undefined {
  switch (check.kind) {
    case 'new':
    case 'existing':
      return undefined;
    case 'invalid':
      return l10n.t('Git doesn’t allow this as the name of a branch.');
    case 'inUse':
      return l10n.t(
        'This branch is checked out in {0}, and a branch can only be in one worktree.',
        cleanText(check.path, 300),
      );
    case 'inTheWay':
      return l10n.t(
        'There is a branch “{0}”, and Git can’t have both names: one would be a folder.',
        cleanText(check.branch, 200),
      );
  }
}

interface BaseItem extends vscode.QuickPickItem {
  readonly pick?: Base | 'other' | 'pullRequest' | 'fetch';
}

/**
 * `fetch`: the user wants the remotes' branches to be read first, and to be asked again. `pullRequest`: which one is
 * still to be asked.
 */
export async function askForBase(
  title: string,
  facts: RepositoryFacts,
): Promise<Base | 'pullRequest' | 'fetch' | undefined> {
  const { head, defaultBranch, branches, hasRemotes } = facts;
  const items: BaseItem[] = [];
  if (head !== undefined) {
    items.push({
      label: head.branch ?? head.commit.slice(0, 10),
      description:
        head.branch === undefined ? l10n.t('current commit, on no branch') : l10n.t('current'),
      iconPath: new vscode.ThemeIcon(head.branch === undefined ? 'git-commit' : 'git-branch'),
      pick: { commit: head.commit, ref: head.branch && `refs/heads/${head.branch}` },
    });
  }
  if (defaultBranch !== undefined && defaultBranch.name !== head?.branch) {
    items.push({ ...toItem(defaultBranch), description: l10n.t('default branch') });
  }
  const other = l10n.t('Another Branch…');
  items.push({ label: other, pick: 'other', iconPath: new vscode.ThemeIcon('list-unordered') });
  if (hasRemotes) {
    items.push({
      label: l10n.t('Pull Request…'),
      pick: 'pullRequest',
      iconPath: new vscode.ThemeIcon('git-pull-request'),
    });
    items.push({ label: '', kind: vscode.QuickPickItemKind.Separator });
    items.push({
      label: l10n.t('Fetch First'),
      description: l10n.t('reads the branches of the remotes, then asks again'),
      iconPath: new vscode.ThemeIcon('cloud-download'),
      pick: 'fetch',
    });
  }
  const placeHolder = l10n.t('Where does the branch begin?');
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder,
    ignoreFocusOut: true,
  });
  if (picked?.pick !== 'other') {
    return picked?.pick;
  }
  const all = branches.map(toItem);
  const branch = await vscode.window.showQuickPick(all, {
    title,
    placeHolder,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return branch?.pick;
}

function toItem({ name, ref, commit, isRemote }: BranchFacts): BaseItem & { readonly pick: Base } {
  return {
    label: cleanText(name, 200),
    description: commit.slice(0, 10),
    iconPath: new vscode.ThemeIcon(isRemote ? 'cloud' : 'git-branch'),
    pick: { commit, ref },
  };
}
