import * as l10n from '@vscode/l10n';
import type { Session } from '../model/session/session';

/**
 * Sets a session's mode and options as a prompt wants them (MO-3, CF-8); keys that the session doesn't have are left
 * to the editor's own warnings. Returns what went wrong, in words.
 */
export async function applySettings(
  session: Session,
  settings: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  for (const [key, value] of settings) {
    try {
      await applySetting(session, key, value);
    } catch {
      return l10n.t('{0} didn’t accept “{1}” for “{2}”.', session.agent.title, value, key);
    }
  }
  return undefined;
}

async function applySetting(session: Session, key: string, value: string): Promise<void> {
  const { configOptions, modes } = session.facts;
  const option =
    configOptions.find(({ id }) => id === key) ??
    (key === 'mode' ? configOptions.find(({ category }) => category === 'mode') : undefined);
  if (option !== undefined) {
    const wanted = option.type === 'boolean' ? value === 'true' : value;
    if (option.value !== wanted) {
      await session.setConfigOption(option.id, wanted);
    }
  } else if (key === 'mode' && modes !== undefined && modes.currentModeId !== value) {
    await session.setMode(value);
  }
}
