import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { withViewProgress } from '../../../commands/session/newSession';
import type { Repository } from '../../../model/places/repository';
import { whyNotAsked } from '../../../model/session/askInSession';
import type { Session } from '../../../model/session/session';
import { fileCount } from '../../../model/text/fileCount';
import { cleanText } from '../../../model/text/titles';
import {
  plainMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../../platform/ui/messages';
import { withCancel } from '../../../platform/ui/withCancel';
import { literalLine } from '../../../shared/literal';
import { type Committable, commitChanges, readCommittable } from '../model/committing';
import { getTrustedBase } from '../model/pullRequests';
import { commitHooks, type RunByGit, readRunByGit } from '../model/runByGit';
import { openTerminal } from '../openTerminal';
import { unsavedIn } from '../removing/removing';
import { gitFor, type WorktreeServices } from '../worktreeServices';
import { sessionsIn } from '../worktreeTarget';
import { askForMessage } from './proposedMessage';

/** Files that a sentence names; the list below the choices has all. */
const maxNamedFiles = 5;
const maxListedRows = 5_000;

/**
 * "Commit…": shows what is committed and what runs with it, takes a message, and commits as a terminal would.
 * `proposed`: a message that the agent has proposed.
 */
export async function commitWorktree(
  services: WorktreeServices,
  place: Repository,
  name: string,
  proposed = '',
): Promise<void> {
  const unsaved = unsavedIn(place.top);
  if (unsaved.length > 0) {
    void showWarningMessage(
      l10n.t(
        'Save these files first, so that they are committed as you see them: {0}.',
        getList(unsaved),
      ),
    );
    return;
  }
  const runs = await readRuns(services, place, commitHooks);
  if (!(await mayRun(place, name, runs))) {
    return;
  }
  const git = gitFor(new AbortController().signal);
  const found = await withViewProgress(() => readCommittable(git, place));
  if (found.conflicts.length > 0) {
    void showWarningMessage(
      l10n.t('Resolve the conflicts in these files first: {0}.', getList(found.conflicts)),
    );
    return;
  }
  if (found.all.length === 0) {
    void showInformationMessage(l10n.t('Everything in this worktree is committed.'));
    return;
  }
  const [session] = await sessionsIn(services, place.top);
  const choice = await choose(place, name, found, { runs, session });
  if (choice === 'ask') {
    const message = session && (await askForMessage(services, session));
    // It may have changed something, although it was told not to.
    await (message && commitWorktree(services, place, name, message));
    return;
  }
  const message = choice && (await enter(name, proposed));
  if (message === undefined || choice === undefined) {
    return;
  }
  const files = choice === 'all' ? found.all : [];
  await withCancel(l10n.t('Commit in “{0}”', name), (signal) =>
    commitChanges(gitFor(signal), place, message, files),
  );
  const count = fileCount((choice === 'all' ? found.all : found.staged).length);
  void showInformationMessage(l10n.t('Committed {0} in “{1}”.', count, name));
}

/** What Git runs with a command. Rejects with `WorktreeTrouble`. */
export function readRuns(
  { realPath }: Pick<WorktreeServices, 'realPath'>,
  place: Repository,
  names: readonly string[],
): Promise<RunByGit> {
  return withViewProgress(async () => {
    const git = gitFor(new AbortController().signal);
    return readRunByGit(git, place, await getTrustedBase(git, place), { names, realPath });
  });
}

/** Whether Git runs only what is the user's own; otherwise the user can look at it, or go on in a terminal. */
export async function mayRun(
  { top }: Repository,
  name: string,
  { changed }: RunByGit,
): Promise<boolean> {
  if (changed.length === 0) {
    return true;
  }
  const show = l10n.t('Show Files');
  const terminal = l10n.t('Open Terminal');
  const answer = await showWarningMessage(
    l10n.t(
      'Git isn’t run in “{0}”: what it would run there may have been changed by an agent.',
      name,
    ),
    {
      modal: true,
      detail: l10n.t(
        'Hooks or settings of this worktree that aren’t as you have them elsewhere: {0}. Look at them, and commit or push in a terminal if they are as you want them.',
        getList(changed),
      ),
    },
    show,
    terminal,
  );
  if (answer === show) {
    for (const file of changed.slice(0, maxNamedFiles)) {
      const uri = vscode.Uri.file(path.join(top, ...file.split('/')));
      await vscode.commands.executeCommand('vscode.open', uri, { preview: false }).then(
        undefined,
        // A setting, or a file that is gone.
        () => undefined,
      );
    }
  } else if (answer === terminal) {
    openTerminal(top, name);
  }
  return false;
}

/** A sentence about the hooks, with a space before it; empty if there are none. */
export function hooksText({ hooks }: RunByGit): string {
  return hooks.length === 0
    ? ''
    : ` ${l10n.t('Hooks run, and with them perhaps what the agent has written: {0}.', hooks.join(', '))}`;
}

type Choice = vscode.QuickPickItem & {
  readonly choice?: 'all' | 'staged' | 'ask';
  readonly file?: string;
};

async function choose(
  { top }: Repository,
  name: string,
  { all, staged }: Committable,
  { runs, session }: { readonly runs: RunByGit; readonly session: Session | undefined },
): Promise<Choice['choice']> {
  const detail = (files: readonly string[]): string =>
    `${fileCount(files.length)}: ${getList(files)}.${hooksText(runs)}`;
  const items: readonly Choice[] = [
    { label: l10n.t('$(git-commit) Commit All Changes…'), detail: detail(all), choice: 'all' },
    ...(staged.length === 0
      ? []
      : [
          {
            label: l10n.t('$(git-commit) Commit What Is Staged…'),
            detail: detail(staged),
            choice: 'staged' as const,
          },
        ]),
    ...(session === undefined || whyNotAsked(session) !== undefined
      ? []
      : [
          {
            label: l10n.t('$(comment) Ask {0} for a Message', cleanText(session.agent.title, 60)),
            detail: l10n.t('Sends one prompt to this session, and waits for the answer.'),
            choice: 'ask' as const,
          },
        ]),
    { label: l10n.t('All changes'), kind: vscode.QuickPickItemKind.Separator },
    ...all.slice(0, maxListedRows).map((file) => ({
      label: literalLine(path.posix.basename(file)),
      description: literalLine(path.posix.dirname(file)).replace(/^\.$/, ''),
      file,
    })),
    ...(all.length > maxListedRows
      ? [{ label: l10n.t('and {0} more', all.length - maxListedRows) }]
      : []),
  ];
  for (;;) {
    const picked = await vscode.window.showQuickPick(items, {
      title: l10n.t('Commit in “{0}”', name),
      placeHolder: l10n.t('A file of the list opens if you choose it.'),
      matchOnDescription: true,
      ignoreFocusOut: true,
    });
    if (picked?.file === undefined) {
      return picked?.choice;
    }
    const uri = vscode.Uri.file(path.join(top, ...picked.file.split('/')));
    await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
  }
}

/** The message: what the agent has proposed, if it was asked and the user doesn't write another first line. */
async function enter(name: string, proposed: string): Promise<string | undefined> {
  const [subject = '', ...rest] = proposed.split('\n');
  const body = rest.join('\n').trim();
  const entered = await vscode.window.showInputBox({
    title: l10n.t('Commit in “{0}”', name),
    value: subject,
    prompt: plainMessage(
      body === ''
        ? l10n.t('Message of the commit')
        : l10n.t('Message of the commit. Below it stays: {0}', cleanText(body, 300)),
    ),
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === '' ? l10n.t('Enter a message.') : undefined),
  });
  if (entered === undefined || entered.trim() === '') {
    return undefined;
  }
  const message = entered.trim();
  return body === '' || message !== subject.trim() ? message : `${message}\n\n${body}`;
}

function getList(files: readonly string[]): string {
  const shown = files.slice(0, maxNamedFiles).map((file) => cleanText(file, 100));
  const rest = files.length - shown.length;
  return [...shown, ...(rest > 0 ? [l10n.t('and {0} more', rest)] : [])].join(', ');
}
