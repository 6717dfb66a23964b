import * as l10n from '@vscode/l10n';
import { language } from './language';

const units = ['KB', 'MB', 'GB'] as const;
const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });

/** `12 bytes`, `3 KB`, `2.5 MB`, in units of 1,024 as in VS Code. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) {
    return bytes === 1 ? l10n.t('1 byte') : l10n.t('{0} bytes', bytes);
  }
  let size = bytes / 1024;
  let at = 0;
  while (size >= 1000 && at < units.length - 1) {
    size /= 1024;
    at++;
  }
  const number = at > 0 && size < 10 ? tenths : whole;
  return `${number.format(size)} ${units[at]}`;
}
