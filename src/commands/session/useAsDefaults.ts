import * as l10n from '@vscode/l10n';
import type { SessionDefaults } from '../../model/ports';
import type { Session } from '../../model/session/session';
import { cleanText } from '../../model/text/titles';
import type { VsCodeSettings } from '../../platform/settings/settings';
import { showInformationMessage } from '../../platform/ui/messages';
import type { CommandServices } from './commandServices';
import { findOpenSession, findTarget } from './sessionTarget';

export interface DefaultsServices extends CommandServices {
  readonly settings: Pick<VsCodeSettings, 'changeAgent'>;
}

/** "Use Mode and Options as Default": those of the session become those of its agent's new sessions. */
export async function useAsDefaults(services: DefaultsServices, argument: unknown): Promise<void> {
  const target = findTarget(services, argument);
  const session = target && findOpenSession(services, target);
  if (session === undefined) {
    return;
  }
  const title = cleanText(session.agent.title, 60);
  const defaults = getSettings(session);
  if (Object.keys(defaults).length === 0) {
    void showInformationMessage(l10n.t('{0} offers no modes or options.', title));
    return;
  }
  const isWritten = await services.settings.changeAgent(session.agent.id, { defaults });
  const shown = Object.entries(defaults).map(([key, value]) => `${key}: ${value}`);
  void showInformationMessage(
    isWritten
      ? l10n.t('New sessions of {0} begin with: {1}', title, cleanText(shown.join(', '), 300))
      : l10n.t('{0} is configured by this workspace. Set its defaults there.', title),
  );
}

function getSettings({ facts: { configOptions, modes } }: Session): SessionDefaults {
  return {
    ...(modes !== undefined && { mode: modes.currentModeId }),
    ...Object.fromEntries(configOptions.map(({ id, value }) => [id, value])),
  };
}
