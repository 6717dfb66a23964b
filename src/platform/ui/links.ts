import path, { type PlatformPath } from 'node:path';
import * as l10n from '@vscode/l10n';
import { pathOfFileUri } from '../../model/files/fileUri';
import { hasPlainNames } from '../../model/files/windowsNames';
import { maxHrefLength } from '../../shared/lengths';
import { literalLine } from '../../shared/literal';
import { decodedPart } from '../../util/decodedPart';
import { isNetworkPath } from '../../util/networkPath';

/** The result of checking a link of a transcript; anything that isn't allowed is refused. */
export type CheckedLink =
  | { readonly kind: 'external'; readonly url: string }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly line: number | undefined;
      /** The last of several lines. */
      readonly last?: number;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** Joiners within words, which several scripts need. */
const joiners = /(?<=[\p{L}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])/gu;
const externalSchemes = new Set(['http:', 'https:', 'mailto:']);

/**
 * Classifies a link from an agent: a web or mail address, a file (an absolute or relative path, or
 * a `file:` URI of this machine, with an optional line), or a link that isn't opened. `paths` is how
 * the system writes paths.
 */
export function readLink(href: string, cwd: string, paths: PlatformPath = path): CheckedLink {
  const text = href.trim();
  if (text.length > maxHrefLength) {
    return { kind: 'refused', reason: l10n.t('The link is too long.') };
  }
  if (hasUnseen(text)) {
    return { kind: 'refused', reason: l10n.t('The link contains invisible characters.') };
  }
  // A drive letter looks like a scheme, but begins a Windows path; so does the name of a file before a line.
  const isPath = /^[a-z]:[\\/]/i.test(text) || /^[\w-][\w.-]*\.\w+:[\d:–-]+$/.test(text);
  const scheme = isPath ? undefined : /^([a-z][a-z0-9+.-]*:)/i.exec(text)?.[1];
  if (scheme === undefined) {
    return readPath(text, cwd, paths);
  }
  const known = scheme.toLowerCase();
  if (externalSchemes.has(known)) {
    return readExternal(text);
  }
  if (known === 'file:') {
    return readFileUri(text, paths);
  }
  return {
    kind: 'refused',
    reason: l10n.t('Links that start with “{0}” aren’t opened from a transcript.', known),
  };
}

/** A link must not look like another one: no characters that a question would spell out. */
function hasUnseen(text: string): boolean {
  const words = text.replace(joiners, '');
  return literalLine(words) !== words;
}

function readExternal(text: string): CheckedLink {
  const url = parseUrl(text);
  if (url === undefined) {
    return { kind: 'refused', reason: l10n.t('The link isn’t a valid address.') };
  }
  // The part before the @ can be mistaken for the host.
  if (url.username !== '' || url.password !== '') {
    return {
      kind: 'refused',
      reason: l10n.t(
        'The link contains a user name or password for {0}. Open the address yourself if you trust it.',
        url.host,
      ),
    };
  }
  return { kind: 'external', url: url.href };
}

function readFileUri(text: string, paths: PlatformPath): CheckedLink {
  const url = parseUrl(text);
  // A host in a file URI is a network share: opening it would reveal the user to that machine.
  if (url === undefined || (url.host !== '' && url.host !== 'localhost')) {
    return { kind: 'refused', reason: l10n.t('The link points to a file on another machine.') };
  }
  const [, line, end] = /^#L?(\d+)(?:[–-]L?(\d+))?/i.exec(url.hash) ?? [];
  url.hash = '';
  url.search = '';
  return fileAt(pathOfFileUri(url.href, paths.sep === '\\'), toLines(line, end), paths);
}

function readPath(text: string, cwd: string, paths: PlatformPath): CheckedLink {
  const match =
    /^(?<file>.+?)(?:#L?(?<hash>\d+)(?:[–-]L?(?<hashEnd>\d+))?[^/\\]*|:(?<line>\d+)(?::\d+|[–-](?<end>\d+))?)?$/is.exec(
      text,
    );
  const named = match?.groups?.['file'];
  // Markdown encodes spaces in links as `%20`.
  const file = named === undefined ? undefined : decodedPart(named);
  if (file === undefined || named?.startsWith('#') || hasUnseen(file)) {
    return {
      kind: 'refused',
      reason: l10n.t('The link has no target outside of this text.'),
    };
  }
  if (isNetworkPath(file)) {
    return { kind: 'refused', reason: l10n.t('The link points to a file on another machine.') };
  }
  const { hash, line = hash, hashEnd, end = hashEnd } = match?.groups ?? {};
  return fileAt(paths.resolve(cwd, file), toLines(line, end), paths);
}

function fileAt(file: string | undefined, lines: Lines, paths: PlatformPath): CheckedLink {
  return file === undefined || (paths.sep === '\\' && !hasPlainNames(file))
    ? { kind: 'refused', reason: l10n.t('The link isn’t a valid file address.') }
    : { kind: 'file', path: file, ...lines };
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

type Lines = Pick<Extract<CheckedLink, { kind: 'file' }>, 'line' | 'last'>;

function toLines(line: string | undefined, end: string | undefined): Lines {
  const [first, last] = [Number(line), Number(end)];
  return line === undefined
    ? { line: undefined }
    : { line: first, ...(end !== undefined && last > first && { last }) };
}
