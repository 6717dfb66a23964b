import type { Span } from './spans';

/**
 * Where a token may begin. An escaped line end, or a character in the encoding of addresses, ends with a letter or digit
 * that isn't part of a word.
 */
const edge = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrt]|%[0-9A-Fa-f]{2}))`;

/**
 * What tokens and keys of common services begin with, and how many characters follow at least: a part of one counts,
 * since texts are cut. Those of secretlint's recommended rules are among them. That and other scanners of repositories
 * look for whole keys of so many services and for little else: no password by its name, no header, no part of a key.
 */
const prefixes: readonly (readonly [beginning: string, rest: string])[] = [
  // AI services
  ['sk-', String.raw`[\w-]{12,}`],
  ['(?:gsk|xai|pplx|r8|nvapi|fw|csk|tvly|jina|ops|lsv2_[ps]t)[_-]', String.raw`[\w-]{16,}`],
  // Payment
  ['(?:[spr]k|whsec)_', String.raw`\w{12,}`],
  // Code and packages
  ['(?:gh[opsur]|github_pat|pypi|dckr_[po]at|rubygems)[_-]', String.raw`[\w-]{12,}`],
  ['(?:npm|hf)_', '[A-Za-z0-9]{12,}'],
  ['gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-', String.raw`[\w.-]{12,}`],
  ['AT(?:ATT3|CTT3|BB)', String.raw`[\w=-]{16,}`],
  // Clouds
  ['A(?:KI|SI|BI|CC|3T)[A-Z0-9]', '[A-Z0-9]{12,}'],
  ['AIza', String.raw`[\w-]{16,}`],
  ['ya29\\.', String.raw`[\w-]{12,}`],
  ['1//0', String.raw`[\w-]{20,}`],
  ['GOCSPX-', String.raw`[\w-]{12,}`],
  ['dapi', '[a-f0-9]{24,}'],
  [String.raw`[\w~.-]{3}[78]Q~`, String.raw`[\w~.-]{24,}`],
  ['(?:dop|doo|dor)_v1_', String.raw`\w{16,}`],
  ['hv[sbr]\\.', String.raw`[\w-]{16,}`],
  // Other services
  ['xox[a-z]-', String.raw`[\w-]{8,}`],
  ['xapp-', String.raw`[\w-]{12,}`],
  ['SG\\.', String.raw`[\w-]{12,}(?:\.[\w-]+)?`],
  ['key-', '[a-f0-9]{24,}'],
  [String.raw`\d{8,10}:AA`, String.raw`[\w-]{24,}`],
  ['shp(?:pa|ca|at|ss)_', '[A-Za-z0-9]{16,}'],
  ['gl(?:c|sa)_', String.raw`[\w+/=]{16,}`],
  ['vc[piark]_', '[A-Za-z0-9]{16,}'],
  ['pscale_(?:pw|tkn|oauth)_', String.raw`[\w.=-]{16,}`],
  [
    '(?:lin_api|lin_oauth|ntn|figd|figo|sntry[su]|sgp|sbp|phc|phx|rnd|PMAK)[_-]',
    String.raw`[\w.=+/-]{16,}`,
  ],
  ['dp\\.pt\\.|dt0c01\\.', String.raw`[\w.]{16,}`],
  [
    String.raw`hooks\.slack\.com/(?:services|workflows)/|discord(?:app)?\.com/api/webhooks/`,
    String.raw`[\w/-]{12,}`,
  ],
  ['AGE-SECRET-KEY-1', String.raw`\w{12,}`],
];
const beginnings = new RegExp(prefixes.map(([beginning]) => beginning).join('|'));
const tokens = new RegExp(
  `${edge}(?:${prefixes.map(([beginning, rest]) => `(?:${beginning})${rest}`).join('|')})`,
  'g',
);
/** A JSON Web Token, or its first part, which is JSON in base64. */
const web = new RegExp(String.raw`${edge}eyJ[\w=-]{12,}(?:\.[\w=-]*){0,4}`, 'g');

/** Unlike a name in a program that begins in the same way. */
const looksRandom = /\d|[a-z][A-Z]|=$/;

/** Tokens of common services; of those that are JSON in base64, which may be something else, signed ones only. */
export function knownTokens(text: string): Iterable<Span> {
  return [
    ...ofServices(text),
    ...webTokens(text).filter(({ start, end }) => /\.[\w=-]{4}/.test(text.slice(start, end))),
  ];
}

/** What is known or likely to be a token: any JSON in base64, and what follows the name of a way to authenticate. */
export function likelyTokens(text: string): Iterable<Span> {
  return [...ofServices(text), ...webTokens(text), ...credentials(text)];
}

function ofServices(text: string): readonly Span[] {
  // One look at most texts is enough, and faster.
  const found = beginnings.test(text) ? matches(text, tokens) : [];
  return found.filter(({ start, end }) => {
    const token = text.slice(start, end);
    return looksRandom.test(token) || token.startsWith('A');
  });
}

function webTokens(text: string): readonly Span[] {
  return text.includes('eyJ') ? matches(text, web) : [];
}

const scheme =
  /(bearer|basic|digest|token|apikey|negotiate|ntlm)[ \t]{1,4}(?:\\{0,3}["'])?([\w.~+/=:-]{8,})/gi;
const ofBearer =
  /^(?:(?:auth\w*|tokens?|credentials?|schemes?|headers?|realm|formats?|errors?|access)\b|\w+:$)/i;

function* credentials(text: string): Iterable<Span> {
  for (const { 0: whole, 1: name = '', 2: value = '', index } of text.matchAll(scheme)) {
    const kind = name.toLowerCase();
    const isBasic = kind === 'basic' && !(/[a-z]/.test(value) && /[A-Z]/.test(value));
    if (!isBasic && (kind === 'bearer' ? !ofBearer.test(value) : looksRandom.test(value))) {
      yield { start: index + whole.length - value.length, end: index + whole.length };
    }
  }
}

function matches(text: string, pattern: RegExp): readonly Span[] {
  return Array.from(text.matchAll(pattern), ({ 0: match, index }) => ({
    start: index,
    end: index + match.length,
  }));
}
