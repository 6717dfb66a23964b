import * as l10n from '@vscode/l10n';
import { optionFor } from '../../model/session/defaults';
import type { Session } from '../../model/session/session';

/**
 * Sets a session's mode and options as its prompt specifies (MO-3, CF-8). Keys that the session doesn't have are
 * ignored: the editor warns of them. Returns a description of the failure, if any.
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
  const option = optionFor(configOptions, key);
  if (option !== undefined) {
    const wanted = option.type === 'boolean' ? value === 'true' : value;
    if (option.value !== wanted) {
      await session.setConfigOption(option.id, wanted);
    }
  } else if (key === 'mode' && modes !== undefined && modes.currentModeId !== value) {
    await session.setMode(value);
  }
}
