import { cleanText } from '../text/titles';

/** Of all letters, the longest need three bytes for one of these; most file systems take 255. */
const mostUnits = 60;
/** What Windows keeps for devices, with any ending. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** A name for a file about something with this title, good on every system. `ending` begins with its dot. */
export function fileNameOf(title: string, ending: string): string {
  const words = cleanText(title, 500)
    .replace(/[\u200c\u200d\ufe0e\ufe0f]/g, '')
    .replace(/[<>:"/\\|?*…]+/g, ' ')
    .replace(/\s+/g, ' ');
  const name = words
    .slice(0, mostUnits)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  return `${name === '' || devices.test(name) ? `session ${name}`.trimEnd() : name}${ending}`;
}
