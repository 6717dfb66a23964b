import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isStartedHere } from '../../model/agent';
import { comparablePath } from '../../model/files/paths';
import { findRepository } from '../../model/places/repository';
import type { RealPath } from '../../model/ports';
import type { Session } from '../../model/session/session';
import type { Sessions } from '../../model/session/sessions';
import { cleanText } from '../../model/text/titles';
import { showWarningMessage } from '../../platform/ui/messages';
import type { Disposable } from '../../util/disposable';
import { worktreesCommandIds } from './commandIds';

export interface CrowdedFoldersServices {
  readonly sessions: Pick<Sessions, 'all' | 'onDidChange'>;
  readonly realPath: RealPath;
}

const maxNameLength = 60;

/** Warns, once for each folder and window, when two sessions work in it at the same time, and offers a worktree. */
export class CrowdedFolders implements Disposable {
  readonly #services: CrowdedFoldersServices;
  readonly #warned = new Set<string>();
  readonly #listener: Disposable;

  constructor(services: CrowdedFoldersServices) {
    this.#services = services;
    this.#listener = services.sessions.onDidChange((session) => {
      if (works(session)) {
        void this.#look(session);
      }
    });
  }

  dispose(): void {
    this.#listener.dispose();
  }

  async #look(session: Session): Promise<void> {
    const folder = comparablePath(session.info.cwd);
    if (this.#warned.has(folder)) {
      return;
    }
    const other = this.#services.sessions.all.find(
      (each) => each !== session && works(each) && comparablePath(each.info.cwd) === folder,
    );
    if (other === undefined) {
      return;
    }
    this.#warned.add(folder);
    // Only in a repository can there be worktrees.
    const place = await findRepository(session.info.cwd, this.#services.realPath);
    const begin = l10n.t('New Session in Worktree');
    const answer = await showWarningMessage(
      l10n.t(
        '“{0}” and “{1}” work in {2} at the same time: each may overwrite what the other has changed. A worktree gives a session files of its own.',
        ...[other.title, session.title, path.basename(session.info.cwd)].map((text) =>
          cleanText(text, maxNameLength),
        ),
      ),
      ...(place === undefined ? [] : [begin]),
    );
    if (answer === begin) {
      await vscode.commands.executeCommand(worktreesCommandIds.newSessionInWorktree);
    }
  }
}

/** Whether it works with files of this machine. */
function works({ agent, turns }: Session): boolean {
  return turns.current.kind !== 'idle' && isStartedHere(agent);
}
