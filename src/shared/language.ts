import * as l10n from '@vscode/l10n';

/** The language of all texts, and so of dates and numbers in them: a BCP 47 tag. */
export const language = l10n.t({
  message: 'en',
  comment: ['The language of these texts, as a BCP 47 tag'],
});
