import * as l10n from '@vscode/l10n';

/** Maximum number of titles in a question or a message. */
const maxNamedTitles = 10;

/** The first texts, and the number of others. */
export function named(texts: readonly string[]): readonly string[] {
  const rest = texts.length - maxNamedTitles;
  return rest > 0 ? [...texts.slice(0, maxNamedTitles), l10n.t('and {0} more', rest)] : texts;
}
