import type { CommandServices } from '../../commands/session/commandServices';
import type { ProvidedChecks } from '../../model/checks/providedChecks';
import type { KeptWork } from '../../model/kept/keptWork';
import type { KnownWorktrees } from '../../model/places/knownWorktrees';
import type { ProvidedWorktreeStates } from '../../model/places/providedWorktreeStates';
import type { SessionPlaces } from '../../model/places/sessionPlaces';
import type { Log, RealPath } from '../../model/ports';
import type { OwnWrites } from '../../platform/files/ownWrites';
import { gitProgram } from '../../platform/gitProgram';
import { showInformationMessage } from '../../platform/ui/messages';
import { DisposableStore } from '../../util/disposable';
import type { Previews } from '../../views/previews/previews';
import type { Admission } from '../../views/transcript/tabs/admission';
import type { ProvidedBranches } from '../../views/transcript/tabs/providedBranches';
import { mayDeleteForGood } from '../review/files/agreedDeletions';
import { VsCodeReviewFiles } from '../review/files/vsCodeReviewFiles';
import { RecordedPlaces } from '../review/model/recordedPlaces';
import type { ReviewFiles } from '../review/model/reviewFiles';
import { WorktreeTrouble } from './model/trouble';
import { WorktreeGit } from './model/worktreeGit';

export interface WorktreeServices extends CommandServices {
  readonly realPath: RealPath;
  readonly places: SessionPlaces;
  readonly worktrees: Pick<KnownWorktrees, 'refresh' | 'below' | 'at' | 'onDidChange'>;
  readonly work: Pick<KeptWork, 'read' | 'getDraft' | 'setDraft'>;
  readonly ownWrites: OwnWrites;
  readonly worktreeStates: Pick<ProvidedWorktreeStates, 'of'>;
  readonly checks: Pick<ProvidedChecks, 'of' | 'current' | 'onDidChange'>;
  readonly admission: Pick<Admission, 'known'>;
  readonly previews: Pick<Previews, 'ask'>;
  readonly branches: Pick<ProvidedBranches, 'current'>;
  readonly log: { component(name: string): Log };
}

/** Git in any folder of the user's, for one command. */
export function gitFor(signal: AbortSignal): WorktreeGit {
  return new WorktreeGit({ program: gitProgram }, '', signal);
}

/** Files of which the reviews learn that the user has changed them. */
function notingFiles(files: ReviewFiles, reviews: WorktreeServices['reviews']): ReviewFiles {
  return {
    look: (file) => files.look(file),
    howToDelete: (all) => files.howToDelete(all),
    decode: (file, bytes) => files.decode(file, bytes),
    encode: (file, text, like) => files.encode(file, text, like),
    replace: async (replacements, done) => {
      const left = await files.replace(replacements, done);
      const kept = new Set(left.map(({ file }) => file));
      const saves = replacements
        .filter(({ file }) => !kept.has(file))
        .map(({ file, expected, wanted }) => ({ file, before: expected, after: wanted }));
      await reviews.noteSaved(saves);
      return left;
    },
  };
}

/** The files in the folders of the window and of its sessions, for as long as one command needs them. */
export async function withFiles<T>(
  services: WorktreeServices,
  command: (files: ReviewFiles) => Promise<T>,
): Promise<T> {
  const store = new DisposableStore();
  const places = store.add(new RecordedPlaces(services));
  const folders = (): readonly string[] => [
    ...places.folders(),
    ...services.sessions.all.flatMap(({ roots }) => roots),
  ];
  try {
    await places.real();
    const files = store.add(
      new VsCodeReviewFiles({ own: services.ownWrites, folders, mayDeleteForGood }),
    );
    return await command(notingFiles(files, services.reviews));
  } finally {
    store.dispose();
  }
}

/** Runs the command in trusted workspaces only, and says that it was canceled. */
export async function withTrouble(
  { workspace }: Pick<WorktreeServices, 'workspace'>,
  command: () => Promise<void>,
): Promise<void> {
  if (!workspace.trusted) {
    void showInformationMessage(new WorktreeTrouble('untrusted').message);
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
