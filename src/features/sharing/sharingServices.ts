import type { AgentChoiceServices } from '../../commands/agents/pickAgent';
import type { Agents } from '../../model/agents/agents';
import type { KeyedStorage } from '../../model/ports';
import type { OutputLog } from '../../platform/ui/log';
import type { SessionsTree } from '../../views/sessions/nodes/tree';
import type { SharedAgentServices } from './sharedAgent';

export interface SharingServices extends SharedAgentServices, AgentChoiceServices {
  readonly agents: Agents;
  readonly tree: SessionsTree;
  readonly workspace: SharedAgentServices['workspace'] & { readonly trusted: boolean };
  readonly sharedPorts: KeyedStorage;
  readonly log: Pick<OutputLog, 'component'>;
}
