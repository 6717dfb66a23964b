import { decodedPart } from '../decodedPart';
import { isWordOfKind } from './plainWords';
import { findSecretName, isSecretArgument } from './secretNames';
import type { Span } from './spans';
import { ValueIndex } from './valueIndex';
import { getMeanings, withoutFound } from './visible';

/** UTF-16 units. Shorter values are part of too many words. */
const shortest = 4;
/** Length from which a value is found within words, too. */
const shortestWithin = 8;
/** Base64 characters that only the value decides; with fewer, it would be found by chance. */
const shortestEncoded = 6;
/** Characters of the pieces in which longer values are looked for. */
const maxPieceLength = 1000;
const encodedUnit = /[\w+/=-]/;

/**
 * The values that settings and sign-ins hold, to leave them out of any text, wherever an agent repeats them: as they are,
 * line by line, escaped as in JSON or in an address, and in base64, whatever stands before them there.
 */
export class HeldSecrets {
  readonly #values = new Set<string>();
  readonly #plain = new ValueIndex();
  readonly #encoded = new ValueIndex();

  /** Values that are secrets in any case: the user has entered them as such. */
  addSecrets(values: Iterable<string>): void {
    for (const value of values) {
      this.#add(value, true);
    }
  }

  /** Variables or headers; one whose name doesn't say that it is a secret counts if it can't be an ordinary word. */
  addNamed(values: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(values)) {
      this.#add(value, findSecretName(name) !== undefined);
    }
  }

  /** Adds the arguments of a program that are secrets by the name before them or in them. */
  addArguments(args: readonly string[]): void {
    for (const [at, arg] of args.entries()) {
      const [, name = '', value] = /^-{0,2}([\w.-]+)=(.*)$/s.exec(arg) ?? [];
      if (isSecretArgument(args, at)) {
        const [, within = ''] = /^(?:-p|[^:]*:)\s*(.*)$/s.exec(arg) ?? [];
        this.#add(arg, true);
        this.#add(within, true);
      } else if (value !== undefined && findSecretName(name) !== undefined) {
        this.#add(value, true);
      }
    }
  }

  /** The text without these values. A function that needs no `this`. */
  readonly without = (text: string): string =>
    this.#values.size === 0 ? text : withoutFound(text, (part) => this.#valuesIn(part));

  #add(value: string, isSecret: boolean): void {
    for (const part of getParts(value)) {
      const isHeld = isSecret ? part.length >= shortest && !isWordOfKind(part) : isNoWord(part);
      if (isHeld && !this.#values.has(part)) {
        this.#values.add(part);
        this.#index(part);
      }
    }
  }

  #index(value: string): void {
    for (const form of writtenForms(value)) {
      this.#plain.add(form, value.length < shortestWithin);
    }
    for (const form of encodedForms(value)) {
      this.#encoded.add(form, false);
    }
  }

  *#valuesIn(text: string): Iterable<Span> {
    yield* this.#plain.foundIn(text);
    // What stands around a value in base64 has parts of its first and last bytes.
    let over = 0;
    for (const found of this.#encoded.foundIn(text)) {
      if (found.end <= over) {
        continue;
      }
      let { start, end } = found;
      while (start > over && encodedUnit.test(text.charAt(start - 1))) {
        start--;
      }
      while (end < text.length && encodedUnit.test(text.charAt(end))) {
        end++;
      }
      over = end;
      yield { start, end };
    }
  }
}

/** Letters only, or digits only, are what any text has. */
function isNoWord(value: string): boolean {
  return value.length >= shortestWithin && !/^(?:\p{L}{1,15}|[\d.]+)$/u.test(value);
}

/** The value; its lines; what follows the name of a way to authenticate; the password or the token of an address; all in pieces. */
function getParts(value: string): readonly string[] {
  const [, credentials = ''] = /^[A-Za-z][\w-]{2,20} (\S.*)$/s.exec(value) ?? [];
  const [, password = ''] = /:\/\/(?:[^/:@]*:(?=.*@))?([^/@].*)@/.exec(value) ?? [];
  return [value, ...value.split(/\r?\n/), credentials, password, decodedPart(password)].flatMap(
    (part) => getPieces(part.trim()),
  );
}

/** Pieces of about the same length, so that none is too short to be found. */
function getPieces(text: string): readonly string[] {
  const size = Math.ceil(text.length / Math.ceil(text.length / maxPieceLength));
  return text.length <= maxPieceLength
    ? [text]
    : (text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []);
}

/**
 * The value as it is, as what it would stand for, in a form of a page, composed or not, and with each byte as a
 * character.
 */
function writtenForms(value: string): readonly string[] {
  return [value, ...getMeanings(value)]
    .filter((form) => form.length >= shortest)
    .flatMap((form) => [
      ...[form, form.replaceAll(' ', '+'), form.replaceAll(' ', '\u00a0')],
      ...[form.normalize('NFC'), form.normalize('NFD'), binary(form)],
    ]);
}

/** What only the value decides of its base64, behind zero, one and two bytes, in both alphabets. */
function encodedForms(value: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = '\0'.repeat(before) + binary(value);
    const first = Math.ceil((before * 8) / 6);
    const core = btoa(bytes).slice(first, Math.floor((bytes.length * 8) / 6));
    const inAddress = core.replaceAll('+', '-').replaceAll('/', '_');
    return core.length < shortestEncoded ? [] : [core, inAddress];
  });
}

/** A character for each byte in UTF-8. */
function binary(value: string): string {
  return Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join('');
}
