import type * as vscode from 'vscode';
import type { AgentChoiceServices } from '../../commands/agents/pickAgent';
import type { Agents } from '../../model/agents/agents';
import type { Log, Workspace } from '../../model/ports';
import type { Sessions } from '../../model/session/sessions';
import type { TraceTap } from '../../platform/connector';
import type { VsCodeSettings } from '../../platform/settings/settings';
import type { SessionsTree } from '../../views/sessions/nodes/tree';
import type { SessionsView } from '../../views/sessions/sessionsView';
import type { TranscriptTabs } from '../../views/tabs/tabs';

export interface TraceServices extends AgentChoiceServices {
  readonly context: Pick<vscode.ExtensionContext, 'asAbsolutePath'>;
  readonly agents: Agents;
  readonly sessions: Pick<Sessions, 'all'>;
  readonly tree: SessionsTree;
  readonly view: Pick<SessionsView, 'unfoldAgent'>;
  readonly tabs: Pick<TranscriptTabs, 'close'>;
  readonly workspace: Pick<Workspace, 'folders'>;
  readonly settings: Pick<VsCodeSettings, 'setAgentsOfWindow'>;
  /** The taps, by the id of the agent whose messages are recorded. */
  readonly taps: Map<string, TraceTap>;
  /** The version of this extension. */
  readonly version: string;
  readonly traceLog: Log;
}
