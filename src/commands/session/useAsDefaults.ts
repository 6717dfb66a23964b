import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionDefaults } from '../../model/ports';
import type { Session } from '../../model/session/session';
import { cleanText } from '../../model/text/titles';
import { settingKeys, settingsSection } from '../../platform/ids';
import { showInformationMessage } from '../../platform/ui/messages';
import { isObject } from '../../util/json';
import type { CommandServices } from './commandServices';
import { openSessionOf, targetOf } from './sessionTarget';

/** "Use Mode and Options as Default": those of the session become those of its agent's new sessions. */
export async function useAsDefaults(services: CommandServices, argument: unknown): Promise<void> {
  const target = targetOf(services, argument);
  const session = target && openSessionOf(services, target);
  if (session === undefined) {
    return;
  }
  const title = cleanText(session.agent.title, 60);
  const defaults = settingsOf(session);
  if (Object.keys(defaults).length === 0) {
    void showInformationMessage(l10n.t('{0} offers no modes or options.', title));
    return;
  }
  const isWritten = await setDefaults(session.agent.id, defaults);
  const shown = Object.entries(defaults).map(([key, value]) => `${key}: ${value}`);
  void showInformationMessage(
    isWritten
      ? l10n.t('New sessions of {0} begin with: {1}', title, cleanText(shown.join(', '), 300))
      : l10n.t('{0} is configured by this workspace. Set its defaults there.', title),
  );
}

/** Writes the user's settings. Returns whether the agent is configured there or by default, not by the workspace. */
async function setDefaults(id: string, defaults: SessionDefaults): Promise<boolean> {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  const levels = configuration.inspect<Record<string, unknown>>(settingKeys.agents);
  const entry = levels?.globalValue?.[id] ?? levels?.defaultValue?.[id];
  const others = [levels?.workspaceValue, levels?.workspaceFolderValue];
  if (!isObject(entry) || others.some((level) => level?.[id] !== undefined)) {
    return false;
  }
  await configuration.update(
    settingKeys.agents,
    { ...levels?.globalValue, [id]: { ...entry, defaults } },
    vscode.ConfigurationTarget.Global,
  );
  return true;
}

function settingsOf({ facts: { configOptions, modes } }: Session): SessionDefaults {
  return {
    ...(modes !== undefined && { mode: modes.currentModeId }),
    ...Object.fromEntries(configOptions.map(({ id, value }) => [id, value])),
  };
}
