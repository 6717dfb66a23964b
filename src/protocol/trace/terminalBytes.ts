import { Buffer } from 'node:buffer';
import { hidden } from '../../util/secrets/spans';

/** What stands in the place of text that isn't base64: nobody knows what its bytes are. */
const hiddenBytes = Buffer.from(hidden).toString('base64');

/** What a terminal has written, in base64, with the words in it changed; the same data if nothing changes. */
export function changedBytes(data: string, change: (text: string) => string): string {
  const bytes = findBytes(data);
  if (bytes === undefined) {
    return hiddenBytes;
  }
  const text = bytes.toString('utf8');
  // Otherwise a character a byte: one of several bytes may begin in one chunk and end in the next.
  const isWhole = Buffer.from(text).equals(bytes);
  const encoding = isWhole ? 'utf8' : 'latin1';
  const shown = isWhole ? text : bytes.toString('latin1');
  const changed = change(shown);
  if (changed === shown) {
    return data;
  }
  const parts = changed.split(hidden).map((part) => Buffer.from(part, encoding));
  const whole = parts.flatMap((part, at) => (at === 0 ? [part] : [Buffer.from(hidden), part]));
  return Buffer.concat(whole).toString('base64');
}

/** Returns as many bytes without words: letters, digits and all beyond ASCII are replaced, control characters stay. */
export function bytesPlaceholder(data: string): string {
  const bytes = findBytes(data);
  if (bytes === undefined) {
    return hiddenBytes;
  }
  for (const [at, byte] of bytes.entries()) {
    bytes[at] = standIn(byte);
  }
  return bytes.toString('base64');
}

/** The bytes that are encoded as exactly this; `undefined` if none are. */
function findBytes(data: string): Buffer | undefined {
  const bytes = Buffer.from(data, 'base64');
  return bytes.toString('base64') === data ? bytes : undefined;
}

function standIn(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) {
    return 0x30;
  }
  if (byte >= 0x41 && byte <= 0x5a) {
    return 0x58;
  }
  return byte >= 0x80 || (byte >= 0x61 && byte <= 0x7a) ? 0x78 : byte;
}
