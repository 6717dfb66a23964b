import { language } from '../../shared/language';

const numbers = new Intl.NumberFormat(language);

/** `1,234` */
export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** `1.2K` */
export const compact = new Intl.NumberFormat(language, {
  notation: 'compact',
  maximumFractionDigits: 1,
});
