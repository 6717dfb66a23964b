/**
 * Maximum number of cookies, and lengths of one and of all; what exceeds them is ignored: an affinity cookie needs less
 * (HTTP-3).
 */
const maxCookies = 50;
const maxCookieLength = 4096;
const maxHeaderLength = 16_384;

/** The cookies of one connection: a server may recognize by them which of its processes holds it. */
export class Cookies {
  readonly #values = new Map<string, string>();

  /** Takes the values of `Set-Cookie`. Attributes don't matter: all requests go to one address. */
  take(headers: readonly string[]): void {
    for (const header of headers.slice(0, maxCookies)) {
      const pair = (header.split(';', 1)[0] ?? '').trim();
      const name = pair.slice(0, Math.max(0, pair.indexOf('=')));
      const isKnown = this.#values.has(name);
      if (
        name !== '' &&
        pair.length <= maxCookieLength &&
        (isKnown || this.#values.size < maxCookies)
      ) {
        this.#values.set(name, pair);
      }
    }
  }

  /** The value of `Cookie`; empty without cookies. */
  get header(): string {
    let header = '';
    for (const pair of this.#values.values()) {
      const longer = header === '' ? pair : `${header}; ${pair}`;
      header = longer.length <= maxHeaderLength ? longer : header;
    }
    return header;
  }
}
