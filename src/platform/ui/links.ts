import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as l10n from '@vscode/l10n';
import { longestHref } from '../../shared/lengths';

/** The result of checking a link of a transcript; anything that isn't allowed is refused. */
export type Link =
  | { readonly kind: 'external'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string; readonly line: number | undefined }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Control characters, and those that change the text direction: a link must not look like another
 * one.
 */
const unseen = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const externalSchemes = new Set(['http:', 'https:', 'mailto:']);

/**
 * Classifies a link from an agent: a web or mail address, a file (an absolute or relative path, or
 * a `file:` URI of this machine, with an optional line), or a link that isn't opened.
 */
export function readLink(href: string, cwd: string): Link {
  const text = href.trim();
  if (text.length > longestHref) {
    return { kind: 'refused', reason: l10n.t('The link is far too long.') };
  }
  if (unseen.test(text)) {
    return { kind: 'refused', reason: l10n.t('The link has characters in it that can’t be seen.') };
  }
  // A drive letter looks like a scheme, but begins a Windows path.
  const scheme = /^[a-z]:[\\/]/i.test(text) ? undefined : /^([a-z][a-z0-9+.-]*:)/i.exec(text)?.[1];
  if (scheme === undefined) {
    return readPath(text, cwd);
  }
  const known = scheme.toLowerCase();
  if (externalSchemes.has(known)) {
    return readExternal(text);
  }
  if (known === 'file:') {
    return readFileUri(text);
  }
  return {
    kind: 'refused',
    reason: l10n.t("Links that start with “{0}” aren't opened from a transcript.", known),
  };
}

function readExternal(text: string): Link {
  const url = parseUrl(text);
  if (url === undefined) {
    return { kind: 'refused', reason: l10n.t('The link isn’t a valid address.') };
  }
  // The part before the @ can be mistaken for the host.
  if (url.username !== '' || url.password !== '') {
    return {
      kind: 'refused',
      reason: l10n.t(
        'The link carries a name or a password to {0}. Open that address yourself if you trust it.',
        url.host,
      ),
    };
  }
  return { kind: 'external', url: url.href };
}

function readFileUri(text: string): Link {
  const url = parseUrl(text);
  // A host in a file URI is a network share: opening it would reveal the user to that machine.
  if (url === undefined || (url.host !== '' && url.host !== 'localhost')) {
    return { kind: 'refused', reason: l10n.t('The link points to a file on another machine.') };
  }
  const line = readLine(url.hash);
  url.hash = '';
  url.search = '';
  url.host = '';
  try {
    return { kind: 'file', path: fileURLToPath(url), line };
  } catch {
    return { kind: 'refused', reason: l10n.t('The link isn’t a valid file address.') };
  }
}

function readPath(text: string, cwd: string): Link {
  const match = /^(?<file>.+?)(?:#L?(?<hash>\d+)[^/\\]*|:(?<line>\d+)(?::\d+)?)?$/is.exec(text);
  const named = match?.groups?.['file'];
  const file = named === undefined ? undefined : decodePath(named);
  if (file === undefined || named?.startsWith('#') || unseen.test(file)) {
    return {
      kind: 'refused',
      reason: l10n.t('The link doesn’t lead anywhere outside of its own text.'),
    };
  }
  if (/^[\\/]{2}/.test(file)) {
    return { kind: 'refused', reason: l10n.t('The link points to a file on another machine.') };
  }
  const line = match?.groups?.['hash'] ?? match?.groups?.['line'];
  return {
    kind: 'file',
    path: path.resolve(cwd, file),
    line: line === undefined ? undefined : Number(line),
  };
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Markdown encodes spaces in links as `%20`. */
function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readLine(hash: string): number | undefined {
  const line = /^#L?(\d+)/i.exec(hash)?.[1];
  return line === undefined ? undefined : Number(line);
}
