import * as l10n from '@vscode/l10n';
import type { WorkspaceFolder } from '../../model/ports';
import { cleanText } from '../../model/text/titles';
import type { Consents } from '../../platform/storage/consents';
import { showInformationMessage } from '../../platform/ui/messages';
import { hasUnseen, literal } from '../../shared/literal';

/** What can be read at once in a dialog. */
const maxLength = 2_000;
const maxLines = 40;

/**
 * What the user has agreed to run as a check: a command, word by word, for a folder of the window. Whoever has written
 * the settings since then, another command is shown first.
 */
export class Agreement {
  readonly #consents: Consents;
  /** What was offered after a turn, in this window: it is said once. */
  readonly #offered = new Set<string>();

  constructor(consents: Consents) {
    this.#consents = consents;
  }

  async has(command: string, folder: WorkspaceFolder): Promise<boolean> {
    return (await this.#consents.get(keyOf(command, folder))) === 'run';
  }

  /** Shows the command unless the user has agreed to it. Resolves with whether it may run. */
  async ask(command: string, folder: WorkspaceFolder): Promise<boolean> {
    if (await this.has(command, folder)) {
      return true;
    }
    const name = cleanText(folder.name, 100);
    const trouble = findTrouble(command);
    if (trouble !== undefined) {
      void showInformationMessage(trouble);
      return false;
    }
    const run = l10n.t('Run');
    const answer = await showInformationMessage(
      l10n.t('Run this check in the sessions of “{0}”?', name),
      {
        modal: true,
        detail: `${literal(command)}\n\n${l10n.t('It runs in the folder of the session, also in worktrees, with your rights, and runs what agents have written there. You’re asked again if the command changes.')}`,
      },
      run,
    );
    if (answer !== run) {
      return false;
    }
    await this.#consents.set(keyOf(command, folder), 'run');
    return true;
  }

  /** The same after a turn, where nothing may take the focus: says once that the command waits to be seen. */
  async offer(command: string, folder: WorkspaceFolder): Promise<boolean> {
    if (await this.has(command, folder)) {
      return true;
    }
    const key = keyOf(command, folder);
    if (this.#offered.has(key)) {
      return false;
    }
    this.#offered.add(key);
    const show = l10n.t('Show Command…');
    const answer = await showInformationMessage(
      l10n.t(
        'The check of “{0}” doesn’t run after turns before you have seen its command: it is new, or was changed.',
        cleanText(folder.name, 100),
      ),
      show,
    );
    return answer === show && (await this.ask(command, folder));
  }
}

function findTrouble(command: string): string | undefined {
  if (hasUnseen(command)) {
    return l10n.t('The command of the check has invisible characters, so it isn’t run.');
  }
  return command.length > maxLength || command.split('\n').length > maxLines
    ? l10n.t(
        'The command of the check is too long to be shown, so it isn’t run. Put it into a file of the repository, and run that.',
      )
    : undefined;
}

function keyOf(command: string, { path }: WorkspaceFolder): string {
  return JSON.stringify([path, command]);
}
