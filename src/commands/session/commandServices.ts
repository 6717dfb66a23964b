import type { Agents } from '../../model/agents/agents';
import type { RegistryFacts } from '../../model/agents/registryFacts';
import type { ProvidedReviews } from '../../model/changes/providedReviews';
import type { SessionMarks } from '../../model/marks/marks';
import type { OwnGroups } from '../../model/marks/ownGroups';
import type { Workspace } from '../../model/ports';
import type { Sessions } from '../../model/session/sessions';
import type { ReadOnlyDocuments } from '../../platform/files/readOnlyDocuments';
import type { VsCodeSettings } from '../../platform/settings/settings';
import type { Attention } from '../../views/attention/attention';
import type { SignInDialog } from '../../views/dialogs/signInDialog';
import type { SessionsTree } from '../../views/sessions/nodes/tree';
import type { NewPages } from '../../views/transcript/tabs/newPages';
import type { TranscriptPanels } from '../../views/transcript/tabs/panels';
import type { SlowAgents } from '../agents/slowAgents';

/** The services for commands on sessions. */
export interface CommandServices {
  readonly agents: Agents;
  readonly workspace: Workspace;
  readonly settings: Pick<VsCodeSettings, 'changeAgent'>;
  readonly tree: SessionsTree;
  readonly panels: TranscriptPanels;
  readonly sessions: Sessions;
  readonly marks: SessionMarks;
  readonly groups: OwnGroups;
  readonly attention: Attention;
  readonly reviews: ProvidedReviews;
  readonly documents: ReadOnlyDocuments;
  readonly signIn: SignInDialog;
  readonly slowAgents: SlowAgents;
  readonly newPages: Pick<NewPages, 'lastAgent' | 'lastFolder' | 'folderFor'>;
  readonly registryStorage: { readonly icons: RegistryFacts };
}
