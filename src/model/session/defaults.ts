import * as l10n from '@vscode/l10n';
import type { ConfigOption } from '../../shared/transcript/config';
import type { SessionDefaults } from '../ports';
import { cleanText } from '../text/titles';
import type { Session } from './session';

/** An option by its ID; the agent may call the one that stands for the mode or the model differently. */
export function optionFor(options: readonly ConfigOption[], key: string): ConfigOption | undefined {
  return (
    options.find(({ id }) => id === key) ??
    (key === 'mode' || key === 'model'
      ? options.find(({ category }) => category === key)
      : undefined)
  );
}

/** Whether an option has this value; Gemini may be in a model that it doesn't offer. */
export function isOffered(option: ConfigOption, value: string | boolean): boolean {
  return option.type === 'boolean'
    ? typeof value === 'boolean'
    : option.value === value ||
        option.groups.some(({ choices }) => choices.some((choice) => choice.value === value));
}

/**
 * Sets a new session's mode and options as the user has configured them for its agent (MO-3, CF-8). Resolves with a
 * sentence for each that the agent doesn't have or take. Never rejects.
 */
export async function applyDefaults(
  session: Session,
  defaults: SessionDefaults,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const problems: string[] = [];
  // Which other options there are may depend on the model.
  const keys = Object.keys(defaults).sort((a, b) => Number(b === 'model') - Number(a === 'model'));
  for (const key of keys) {
    if (signal?.aborted === true || !session.isLive) {
      break;
    }
    const value = defaults[key] ?? '';
    const shown = { key: cleanText(key, 60), value: cleanText(String(value), 60) };
    try {
      if (!(await applyDefault(session, key, value))) {
        problems.push(
          l10n.t('{0} has no value “{1}” for “{2}”.', session.agent.title, shown.value, shown.key),
        );
      }
    } catch {
      problems.push(
        l10n.t('{0} didn’t accept “{1}” for “{2}”.', session.agent.title, shown.value, shown.key),
      );
    }
  }
  return problems;
}

/** Returns whether there is such a value; asks the agent for no other. */
async function applyDefault(
  session: Session,
  key: string,
  value: string | boolean,
): Promise<boolean> {
  const { configOptions, modes } = session.facts;
  const option = optionFor(configOptions, key);
  if (option !== undefined) {
    const isThere = isOffered(option, value);
    if (isThere && option.value !== value) {
      await session.setConfigOption(option.id, value);
    }
    return isThere;
  }
  if (key !== 'mode' || typeof value !== 'string' || modes === undefined) {
    return false;
  }
  const isThere = modes.modes.some(({ id }) => id === value);
  if (isThere && modes.currentModeId !== value) {
    await session.setMode(value);
  }
  return isThere;
}
