import type { Span } from './spans';

const endOfAddress = /[\s"'`<>]|$/g;
/** Begins with a port, or a variable in its place: what follows up to an `@` is no password. */
const port = /^(?:\d{1,5}|\$\{\w+\})(?:[/?#]|$)/;
/** A login before a host: `name:password@tcp(…)`, `name:password@host:5432`. */
const bare =
  /(?<![\w.+%/@:-])[\w.+%-]{1,64}:([^\s@/"'`:]{1,128})@(?:(?:tcp|udp|unix)\(|localhost\b|\d{1,3}(?:\.\d{1,3}){3}\b|[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}:\d{2,5}\b)/g;
/** A login in an address without a scheme: `//name:password@host`. */
const withoutScheme = /(?<![:/\w])\/\/[^\s:/@"'`]{0,64}:([^\s@/"'`:]{1,128})@(?=\w)/g;

/** The passwords of addresses and connection strings, and the values of their queries and fragments. */
export function* secretsOfAddresses(text: string): Iterable<Span> {
  let runEnd = 0;
  let at = text.indexOf('://');
  while (at !== -1) {
    const start = at + 3;
    at = text.indexOf('://', start);
    if (start > runEnd) {
      endOfAddress.lastIndex = start;
      runEnd = endOfAddress.exec(text)?.index ?? text.length;
    }
    const address = text.slice(start, at === -1 ? runEnd : Math.min(at, runEnd));
    const isWeb = /https?$/i.test(text.slice(Math.max(0, start - 8), start - 3));
    for (const span of [...getPassword(address, isWeb), ...getValues(address)]) {
      yield { start: start + span.start, end: start + span.end };
    }
  }
  // Most texts have no such sign.
  const found = text.includes('@') ? [...text.matchAll(bare), ...text.matchAll(withoutScheme)] : [];
  for (const { 0: whole, 1: password = '', index } of found) {
    const start = index + whole.indexOf(':') + 1;
    yield { start, end: start + password.length };
  }
}

/** The password in what follows `://`. It may have any character in it but a space. */
function* getPassword(address: string, isWeb: boolean): Iterable<Span> {
  const end = address.search(/[:/?#@]/);
  const at = address.lastIndexOf('@');
  if (address.charAt(end) === ':' && at > end && !port.test(address.slice(end + 1, at + 1))) {
    yield { start: end + 1, end: at };
  } else if (address.charAt(end) === '@' && (isWeb || end >= 20)) {
    yield { start: 0, end };
  }
}

/** The values behind the first `?` or `#`, without the names. */
function* getValues(address: string): Iterable<Span> {
  const query = address.search(/[?#]/);
  if (query !== -1) {
    for (const { 0: value, index } of address.slice(query).matchAll(/=[^&#]+/g)) {
      yield { start: query + index + 1, end: query + index + value.length };
    }
  }
}
