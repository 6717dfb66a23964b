import { createHash } from 'node:crypto';
import type { Log, StoredTexts } from '../../../../model/ports';
import { getStack } from '../../../../util/getStack';
import { isObject, parseJson } from '../../../../util/json';
import { boundedBody, type FetchParts, getCause } from '../followAddress';
import type { RegistryAgent } from '../registryAgent';
import { checkIcon, IconFault, maxIconBytes } from './checkIcon';

/** Icons of one registry; the others aren't fetched. */
export const maxIcons = 150;
/** UTF-16 units of all of them. */
export const maxIconUnits = 1024 * 1024;
/** Requests at the same time. */
const maxRequestsAtOnce = 4;
/** How long an icon stays as it was fetched, in ms: a week. */
const lifetime = 7 * 86_400_000;

export interface RegistryIconsParts extends Pick<FetchParts, 'fetch'> {
  /** The registry's address, as the user has set it; empty: nothing is asked. */
  readonly address: string;
  /** Keeps what was fetched. */
  readonly texts: StoredTexts;
  /** How long all icons together may take, in ms. */
  readonly patience: number;
  readonly now: () => number;
  readonly log: Log;
}

/** An icon as it was fetched; without a text, it can't be drawn. */
interface KeptIcon {
  readonly text: string | undefined;
  /** When it was fetched, in ms since the epoch. */
  readonly at: number;
}

/** Icons by their addresses. */
export type Icons = ReadonlyMap<string, string>;

/**
 * The icons of a registry, checked. They are fetched from the server of the registry alone, without redirects: a mirror
 * that a company has set up must not lead requests to the internet, and an icon isn't worth one to anywhere else.
 */
export class RegistryIcons {
  readonly #parts: RegistryIconsParts;

  constructor(parts: RegistryIconsParts) {
    this.#parts = parts;
  }

  /** What is known without the network. Never rejects. */
  async known(): Promise<Icons> {
    return drawable(this.#parts.address === '' ? new Map() : await this.#kept());
  }

  /** Fetches the icons of these agents that aren't known, or old. Never rejects; what failed is tried the next time. */
  async refresh(agents: readonly RegistryAgent[], signal: AbortSignal): Promise<Icons> {
    if (this.#parts.address === '') {
      return new Map();
    }
    const before = await this.#kept();
    const wanted = this.#getAddresses(agents);
    const icons = new Map(wanted.flatMap((href) => getEntry(before, href)));
    const due = wanted.filter((href) => !this.#isNew(icons.get(href)));
    const whole = AbortSignal.any([signal, AbortSignal.timeout(this.#parts.patience)]);
    const next = async (): Promise<void> => {
      for (let href = due.shift(); href !== undefined && !whole.aborted; href = due.shift()) {
        const icon = await this.#fetch(href, whole);
        if (icon !== undefined) {
          icons.set(href, icon);
        }
      }
    };
    if (due.length > 0) {
      await Promise.all(Array.from({ length: maxRequestsAtOnce }, next));
      await this.#keep(icons);
    }
    return drawable(icons);
  }

  #isNew(icon: KeptIcon | undefined): boolean {
    const age = icon && this.#parts.now() - icon.at;
    return age !== undefined && age >= 0 && age < lifetime;
  }

  /** The addresses of icons on the registry's own server. */
  #getAddresses(agents: readonly RegistryAgent[]): string[] {
    const { address } = this.#parts;
    const origin = URL.canParse(address) ? new URL(address).origin : undefined;
    const all = agents.flatMap(({ icon }) =>
      icon !== undefined && new URL(icon).origin === origin ? [icon] : [],
    );
    return [...new Set(all)].slice(0, maxIcons);
  }

  /** `undefined` if the server didn't answer with an icon, which may be different the next time. */
  async #fetch(href: string, signal: AbortSignal): Promise<KeptIcon | undefined> {
    const { fetch: ask, log, now } = this.#parts;
    const own = new AbortController();
    try {
      const response = await ask(new URL(href), {
        headers: { accept: 'image/svg+xml' },
        redirect: 'manual',
        signal: AbortSignal.any([signal, own.signal]),
      });
      if (response.status !== 200) {
        throw new Error(`its server answered with ${response.status}`);
      }
      const chunks: Uint8Array[] = [];
      for await (const chunk of boundedBody(response, maxIconBytes, tooLarge)) {
        chunks.push(chunk);
      }
      return { text: findCheckedIcon(Buffer.concat(chunks), href, log), at: now() };
    } catch (error) {
      if (!signal.aborted) {
        log.debug(`no icon from ${href}: ${getCause(error)}`);
      }
      return error instanceof IconFault ? { text: undefined, at: now() } : undefined;
    } finally {
      // Nothing more is read of it, whatever the server would send.
      own.abort();
    }
  }

  get #name(): string {
    return createHash('sha256').update(`icons ${this.#parts.address}`).digest('hex');
  }

  /** What is stored is checked like what is fetched. */
  async #kept(): Promise<ReadonlyMap<string, KeptIcon>> {
    const { texts, log } = this.#parts;
    const stored = parseJson((await texts.readAll()).get(this.#name));
    const icons = new Map<string, KeptIcon>();
    for (const [href, icon] of Object.entries(isObject(stored) ? stored : {}).slice(0, maxIcons)) {
      const { text, at } = isObject(icon) ? icon : {};
      if (typeof at === 'number' && (text === undefined || typeof text === 'string')) {
        icons.set(href, { at, text: text && findCheckedIcon(Buffer.from(text), href, log) });
      }
    }
    return icons;
  }

  async #keep(icons: ReadonlyMap<string, KeptIcon>): Promise<void> {
    const { texts, log } = this.#parts;
    const kept: [string, KeptIcon][] = [];
    let units = 0;
    for (const [href, icon] of icons) {
      units += href.length + (icon.text?.length ?? 0);
      if (units <= maxIconUnits) {
        kept.push([href, icon]);
      }
    }
    try {
      await texts.write(this.#name, JSON.stringify(Object.fromEntries(kept)));
    } catch (error) {
      log.warn(`icons not kept: ${getStack(error)}`);
    }
  }
}

function findCheckedIcon(bytes: Uint8Array, href: string, log: Log): string | undefined {
  try {
    return checkIcon(bytes);
  } catch (error) {
    if (!(error instanceof IconFault)) {
      throw error;
    }
    log.debug(`the icon ${href} isn't drawn: ${error.message}`);
    return undefined;
  }
}

function tooLarge(): IconFault {
  return new IconFault(`it has more than ${maxIconBytes} bytes`);
}

function getEntry(icons: ReadonlyMap<string, KeptIcon>, href: string): [string, KeptIcon][] {
  const icon = icons.get(href);
  return icon === undefined ? [] : [[href, icon]];
}

function drawable(icons: ReadonlyMap<string, KeptIcon>): Icons {
  return new Map(
    [...icons].flatMap(([href, { text }]) => (text === undefined ? [] : [[href, text] as const])),
  );
}
