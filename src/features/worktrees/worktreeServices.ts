import * as l10n from '@vscode/l10n';
import type { CommandServices } from '../../commands/session/commandServices';
import type { KnownWorktrees } from '../../model/places/knownWorktrees';
import type { SessionPlaces } from '../../model/places/sessionPlaces';
import type { Log, RealPath } from '../../model/ports';
import type { KeptWork } from '../../model/session/keptWork';
import { gitProgram } from '../../platform/gitProgram';
import { showInformationMessage } from '../../platform/ui/messages';
import type { Previews } from '../../views/previews/previews';
import type { ReviewFiles } from '../review/model/reviewFiles';
import { WorktreeTrouble } from './model/trouble';
import { WorktreeGit } from './model/worktreeGit';

export interface WorktreeServices extends CommandServices {
  readonly realPath: RealPath;
  readonly places: SessionPlaces;
  readonly worktrees: Pick<KnownWorktrees, 'refresh'>;
  readonly settings: CommandServices['settings'] & {
    readonly newWorktreeFolder: string;
    readonly newWorktreeScript: string;
  };
  readonly work: Pick<KeptWork, 'read' | 'draftOf' | 'setDraft'>;
  readonly review: { readonly files: ReviewFiles };
  readonly previews: Pick<Previews, 'decide'>;
  readonly log: { component(name: string): Log };
}

/** Git in any folder of the user's, for one command. */
export function gitFor(signal: AbortSignal): WorktreeGit {
  return new WorktreeGit({ program: gitProgram }, '', signal);
}

/** Runs the command in trusted workspaces only, and says that it was canceled. */
export async function withTrouble(
  { workspace }: Pick<WorktreeServices, 'workspace'>,
  command: () => Promise<void>,
): Promise<void> {
  if (!workspace.trusted) {
    void showInformationMessage(
      l10n.t('Worktrees are only made, changed and removed in trusted workspaces.'),
    );
    return;
  }
  try {
    await command();
  } catch (error) {
    if (!(error instanceof WorktreeTrouble && error.problem === 'cancelled')) {
      throw error;
    }
    void showInformationMessage(error.message);
  }
}
