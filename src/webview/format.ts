const numbers = new Intl.NumberFormat('en-US');

/** `1,234` */
export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** `1 entry`, `1,234 entries`; `plural` where it isn't made with an s. */
export function formatCount(value: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(value)} ${value === 1 ? noun : plural}`;
}
