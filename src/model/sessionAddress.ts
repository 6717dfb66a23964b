import path from 'node:path';
import * as l10n from '@vscode/l10n';

/** What a link to a session names. */
export interface SessionAddress {
  readonly agentId: string;
  readonly sessionId: string;
  readonly cwd: string;
  /** Index of an entry of the transcript. */
  readonly entry?: number;
}

export const sessionLinkPath = '/session';
const limits = { agent: 200, session: 1000, cwd: 4096, entry: 9 } as const;
type Key = keyof typeof limits;
const longestQuery = 20_000;

/** What a link must not hide: controls, halves of characters, line ends, and what turns text around. */
const forbidden = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** The query of a link. Values are encoded twice: VS Code decodes the whole of it once when it comes back. */
export function writeSessionQuery({ agentId, sessionId, cwd, entry }: SessionAddress): string {
  const pairs: readonly (readonly [Key, string])[] = [
    ['agent', agentId],
    ['session', sessionId],
    ['cwd', cwd],
    ...(entry === undefined ? [] : [['entry', String(entry)] as const]),
  ];
  // Half a character can't be encoded: a link with one in it would be refused anyway.
  const encode = (value: string): string =>
    encodeURIComponent(encodeURIComponent(value.replace(/\p{Cs}/gu, '\ufffd')));
  return pairs.map(([key, value]) => `${key}=${encode(value)}`).join('&');
}

/** What a link names, from its path and its query as VS Code hands it on; else why not, as a sentence. */
export function readSessionLink(linkPath: string, query: string): SessionAddress | string {
  if (linkPath !== sessionLinkPath) {
    return l10n.t('It doesn’t lead to a session.');
  }
  if (query.length > longestQuery) {
    return l10n.t('It is far too long.');
  }
  const values = readValues(query);
  if (typeof values === 'string') {
    return values;
  }
  const { agent, session, cwd, entry } = values;
  if (agent === undefined || session === undefined || cwd === undefined) {
    return l10n.t('It doesn’t say which session of which agent, in which folder.');
  }
  if (!path.isAbsolute(cwd) || /(?:^|[\\/])\.\.?(?:[\\/]|$)/.test(cwd)) {
    return l10n.t('Its folder isn’t a whole path.');
  }
  if (entry !== undefined && !/^\d+$/.test(entry)) {
    return l10n.t('The place in the session that it names isn’t a number.');
  }
  const address = { agentId: agent, sessionId: session, cwd };
  return entry === undefined ? address : { ...address, entry: Number(entry) };
}

function readValues(query: string): Partial<Record<Key, string>> | string {
  const values: Partial<Record<Key, string>> = {};
  for (const [key, value] of new URLSearchParams(query)) {
    if (!isKey(key)) {
      return l10n.t('It says more than a link to a session does.');
    }
    if (values[key] !== undefined) {
      return l10n.t('It names its {0} twice.', key);
    }
    if (value === '' || value.length > limits[key] || forbidden.test(value)) {
      return l10n.t('Its {0} is empty, too long, or has characters in it that can’t be seen.', key);
    }
    values[key] = value;
  }
  return values;
}

function isKey(key: string): key is Key {
  return Object.hasOwn(limits, key);
}
