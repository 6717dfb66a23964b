import * as l10n from '@vscode/l10n';

/** So many titles are named in a question or a message. */
const mostNamed = 10;

/** The first texts, and how many more there are. */
export function named(texts: readonly string[]): readonly string[] {
  const rest = texts.length - mostNamed;
  return rest > 0 ? [...texts.slice(0, mostNamed), l10n.t('and {0} more', rest)] : texts;
}
