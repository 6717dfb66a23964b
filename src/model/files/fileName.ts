import { isDeviceName } from '../../util/plainName';
import { cleanText } from '../text/titles';

/** UTF-16 units; each takes at most three bytes, and most file systems allow 255 bytes. */
const maxUnits = 60;

/** A file name for a title, valid on every system. `ending` begins with its dot. */
export function getFileName(title: string, ending: string): string {
  const words = cleanText(title, 500)
    .replace(/[\u200c\u200d\ufe0e\ufe0f]/g, '')
    .replace(/[<>:"/\\|?*…]+/g, ' ')
    .replace(/\s+/g, ' ');
  const name = words
    .slice(0, maxUnits)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  return `${name === '' || isDeviceName(name) ? `session ${name}`.trimEnd() : name}${ending}`;
}
