import * as l10n from '@vscode/l10n';
import { UserError } from '../../shared/failure';
import { cleanText } from '../text/titles';

/** An attachment that couldn't be prepared for its prompt. */
export class UnsentAttachment extends UserError {
  constructor(attachment: string, reason: unknown) {
    const detail = l10n.t(
      '“{0}” could not be attached: {1}. Remove it and send the prompt again.',
      cleanText(attachment, 100),
      cleanText(reason instanceof Error ? reason.message : String(reason), 200),
    );
    const title = l10n.t('The prompt was not sent');
    super({ code: 'internal', title, detail, actions: ['showLog'] }, { cause: reason });
  }
}
