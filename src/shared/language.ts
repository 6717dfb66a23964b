import * as l10n from '@vscode/l10n';

/** BCP 47 tag of the language of all texts, which also determines the format of dates and numbers. */
export const language = l10n.t({
  message: 'en',
  comment: ['The language of these texts, as a BCP 47 tag'],
});
