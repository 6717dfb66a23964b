import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { SessionRef } from '../../shared/sessionRef';

/** The target of a link to a session. */
export interface SessionAddress extends SessionRef {
  readonly cwd: string;
  /** Index of a transcript entry. */
  readonly entry?: number;
}

/** The target of a link to the page of a new session; what is missing is what was used last. */
export interface NewSessionAddress {
  readonly agentId?: string;
  readonly folder?: string;
  /** For its composer. */
  readonly prompt?: string;
}

export const sessionLinkPath = '/session';
export const newSessionLinkPath = '/new';
type Key = 'agent' | 'session' | 'cwd' | 'entry' | 'folder' | 'prompt';

/** The limits of an address's query. */
interface Bounds {
  /** Maximum length of each value, in UTF-16 units; keys without a limit are not allowed. */
  readonly limits: Readonly<Partial<Record<Key, number>>>;
  readonly query: number;
  readonly forbidden: RegExp;
}

const ofLinks: Bounds = {
  limits: { agent: 200, session: 1000, cwd: 4096, entry: 9 },
  query: 20_000,
  /** Characters that could disguise a link: controls, lone surrogates, line ends, bidi overrides. */
  forbidden: /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u,
};

const ofNewLinks: Bounds = {
  limits: { agent: 200, folder: 4096, prompt: 8_000 },
  query: 100_000,
  /** A prompt has lines and emoji, but nothing that the user can't see before they send it. */
  forbidden: /[^\P{Cc}\n\t]|[\p{Cs}\p{Co}\u2028\u2029]|[^\P{Cf}\u200c\u200d]/u,
};

/**
 * The limits of a tab's URI, which must be able to name any session that an agent lists: ids may be long and contain
 * anything.
 */
const ofTabs: Bounds = {
  limits: { agent: 1_000, session: 8_192, cwd: 32_767 },
  query: 500_000,
  forbidden: /[\0\p{Cs}]/u,
};

/**
 * The query of a link. Values are encoded twice, because VS Code decodes the query as a whole before it
 * passes it on (https://github.com/microsoft/vscode/issues/173687).
 */
export function writeSessionQuery(address: SessionAddress): string {
  return write(address, (value) => encodeURIComponent(encodeURIComponent(value)));
}

/** The query of a tab's URI. */
export function writeTabQuery(address: Omit<SessionAddress, 'entry'>): string {
  return write(address, encodeURIComponent);
}

function write(
  { agentId, sessionId, cwd, entry }: SessionAddress,
  encode: (value: string) => string,
): string {
  const pairs: readonly (readonly [Key, string])[] = [
    ['agent', agentId],
    ['session', sessionId],
    ['cwd', cwd],
    ...(entry === undefined ? [] : [['entry', String(entry)] as const]),
  ];
  // A lone surrogate can't be encoded, and would be refused when the address is read.
  return pairs
    .map(([key, value]) => `${key}=${encode(value.replace(/\p{Cs}/gu, '\ufffd'))}`)
    .join('&');
}

/** Parses a tab's query; `undefined` unless it names exactly an agent, a session and a folder. */
export function readTabQuery(query: string): Omit<SessionAddress, 'entry'> | undefined {
  const values = readValues(query, ofTabs);
  if (typeof values === 'string') {
    return undefined;
  }
  const { agent, session, cwd } = values;
  return agent === undefined || session === undefined || cwd === undefined
    ? undefined
    : { agentId: agent, sessionId: session, cwd };
}

/**
 * Parses a link from its path and its query as VS Code passes them on; returns a sentence with the
 * reason when the link is invalid.
 */
export function readSessionLink(linkPath: string, query: string): SessionAddress | string {
  if (linkPath !== sessionLinkPath) {
    return l10n.t('It doesn’t lead to a session.');
  }
  const values = readValues(query, ofLinks);
  if (typeof values === 'string') {
    return values;
  }
  const { agent, session, cwd, entry } = values;
  if (agent === undefined || session === undefined || cwd === undefined) {
    return l10n.t('It must name an agent, a session and a folder.');
  }
  if (!path.isAbsolute(cwd) || /(?:^|[\\/])\.\.?(?:[\\/]|$)/.test(cwd)) {
    return l10n.t('Its folder must be an absolute path.');
  }
  if (entry !== undefined && !/^\d+$/.test(entry)) {
    return l10n.t('Its position in the session isn’t a number.');
  }
  const address = { agentId: agent, sessionId: session, cwd };
  return entry === undefined ? address : { ...address, entry: Number(entry) };
}

/** Parses a link to the page of a new session from its query, like `readSessionLink`. */
export function readNewSessionLink(query: string): NewSessionAddress | string {
  const values = readValues(query, ofNewLinks);
  if (typeof values === 'string') {
    return values;
  }
  const { agent, folder, prompt } = values;
  return {
    ...(agent !== undefined && { agentId: agent }),
    ...(folder !== undefined && { folder }),
    ...(prompt !== undefined && { prompt }),
  };
}

function readValues(query: string, bounds: Bounds): Partial<Record<Key, string>> | string {
  if (query.length > bounds.query) {
    return l10n.t('It is too long.');
  }
  const values: Partial<Record<Key, string>> = {};
  for (const [key, value] of new URLSearchParams(query)) {
    if (!isKey(key, bounds)) {
      return l10n.t('It has unknown parameters.');
    }
    if (values[key] !== undefined) {
      return l10n.t('It names its {0} twice.', key);
    }
    const { limits, forbidden } = bounds;
    if (value === '' || value.length > (limits[key] ?? 0) || forbidden.test(value)) {
      return l10n.t('Its {0} is empty, too long, or contains invisible characters.', key);
    }
    values[key] = value;
  }
  return values;
}

function isKey(key: string, { limits }: Bounds): key is Key {
  return Object.hasOwn(limits, key);
}
