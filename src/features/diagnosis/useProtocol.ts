import * as l10n from '@vscode/l10n';
import type { Agents } from '../../model/agents/agents';
import { protocolChoices } from '../../model/ports';
import { cleanText } from '../../model/text/titles';
import type { VsCodeSettings } from '../../platform/settings/settings';
import { showInformationMessage } from '../../platform/ui/messages';
import { isObject } from '../../util/json';

export interface ProtocolServices {
  readonly agents: Pick<Agents, 'get'>;
  readonly settings: Pick<VsCodeSettings, 'changeAgent'>;
}

/** Sets the version of the protocol that is spoken with an agent, in its entry of the user's settings. */
export async function useProtocol(
  { agents, settings }: ProtocolServices,
  argument: unknown,
): Promise<void> {
  const { agentId, protocol: chosen } = isObject(argument) ? argument : {};
  const protocol = protocolChoices.find((choice) => choice === chosen);
  const agent = typeof agentId === 'string' ? agents.get(agentId) : undefined;
  if (agent === undefined || protocol === undefined) {
    return;
  }
  const title = cleanText(agent.title, 60);
  const isWritten = await settings.changeAgent(agent.id, { protocol });
  void showInformationMessage(
    isWritten
      ? l10n.t('{0} is asked for version {1} of the protocol from now on.', title, protocol)
      : l10n.t('{0} is configured by this workspace. Set its "protocol" there.', title),
  );
}
