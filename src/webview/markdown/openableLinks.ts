import { maxHrefLength } from '../../shared/lengths';
import { isNetworkPath } from '../../util/networkPath';

const openSchemes = new Set(['http', 'https', 'mailto', 'file']);

/**
 * Whether the host may be asked to open an agent's link (it checks again): web, mail and file
 * addresses and file paths only (CO-9). Any other link is drawn as text.
 */
export function isOpenable(href: string): boolean {
  if (href === '' || href.length > maxHrefLength || href !== href.trim() || hasControl(href)) {
    return false;
  }
  if (isNetworkPath(href) || href.startsWith('#')) {
    return false;
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase();
  // A single letter is a drive (`C:\src\a.ts`); a file name before a number is a line reference
  // (`a.ts:12`, `a.ts:12-15`).
  return (
    scheme === undefined ||
    scheme.length === 1 ||
    /^[^:/\\]+\.\w+:\d+(?:[:–-]\d+)?$/.test(href) ||
    openSchemes.has(scheme)
  );
}

function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) {
      return true;
    }
  }
  return false;
}
