const openSchemes = new Set(['http', 'https', 'mailto', 'file']);
const longestHref = 4000;

/**
 * Whether the host may be asked to open a link of an agent's (it checks again): web, mail and file
 * addresses and paths of files, nothing else (CO-9). Everything else is drawn as text.
 */
export function isOpenable(href: string): boolean {
  if (href === '' || href.length > longestHref || href !== href.trim() || hasControl(href)) {
    return false;
  }
  // Network paths would make the system log in at a server of the agent's choice.
  if (/^[\\/]{2}/.test(href) || href.startsWith('#')) {
    return false;
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase();
  // One letter is a drive (`C:\src\a.ts`); a file's name before a number is a line in it (`a.ts:12`).
  return (
    scheme === undefined ||
    scheme.length === 1 ||
    /^[^:/\\]+\.\w+:\d+$/.test(href) ||
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
