import * as vscode from 'vscode';
import type { Disposable } from '../../../util/disposable';

/** Larger files are compared and changed as bytes. */
export const maxTextBytes = 5_000_000;

const marks = [
  { encoding: 'utf8bom', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf16be', bytes: [0xfe, 0xff] },
] as const;

/** `undefined`: the one that VS Code chooses for the file. */
type Encoding = string | undefined;

/** Invalid bytes and a byte order mark aren't swallowed. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

interface Decoded {
  readonly text: string;
  readonly encoding: Encoding;
}

/** Turns the bytes of files into texts and back, as VS Code does. */
export class Encodings implements Disposable {
  /** Whether VS Code reads all files of a workspace folder as UTF-8, as it does by default. */
  readonly #isUtf8 = new Map<string, boolean>();
  readonly #listener = vscode.workspace.onDidChangeConfiguration(() => this.#isUtf8.clear());

  dispose(): void {
    this.#listener.dispose();
  }

  /**
   * The text of a file's bytes, without a byte order mark, as VS Code reads it. `undefined` if it is too large or
   * binary, or if the text doesn't give the same bytes again.
   */
  async decode(
    file: string,
    bytes: Uint8Array,
    document?: vscode.TextDocument,
  ): Promise<string | undefined> {
    return (await this.#decoded(file, bytes, document))?.text;
  }

  /** The bytes of a text in the file's encoding, with a byte order mark if `like` begins with one. */
  async encodeLike(
    file: string,
    text: string,
    like: Uint8Array | undefined,
    document?: vscode.TextDocument,
  ): Promise<Uint8Array> {
    const known = like && (await this.#decoded(file, like, document));
    return encode(file, text, known === undefined ? document?.encoding : known.encoding);
  }

  async #decoded(
    file: string,
    bytes: Uint8Array,
    document: vscode.TextDocument | undefined,
  ): Promise<Decoded | undefined> {
    if (bytes.length > maxTextBytes) {
      return undefined;
    }
    // Asking VS Code takes a message to the window and back, for each of many files.
    const plain = this.#isReadAsUtf8(file, bytes, document) ? plainText(bytes) : undefined;
    return plain === undefined ? decoded(file, bytes, document) : { text: plain, encoding: 'utf8' };
  }

  /** Whether VS Code would read these bytes as UTF-8 without looking at them any closer. */
  #isReadAsUtf8(
    file: string,
    bytes: Uint8Array,
    document: vscode.TextDocument | undefined,
  ): boolean {
    if (bytes.includes(0) || findBom(bytes) !== undefined) {
      return false;
    }
    if (document !== undefined) {
      return document.encoding === 'utf8';
    }
    const uri = vscode.Uri.file(file);
    const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() ?? '';
    const known = this.#isUtf8.get(folder) ?? isUtf8ByDefault(uri);
    this.#isUtf8.set(folder, known);
    return known;
  }
}

export function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0;
}

async function decoded(
  file: string,
  bytes: Uint8Array,
  document: vscode.TextDocument | undefined,
): Promise<Decoded | undefined> {
  for (const encoding of candidates(bytes, document)) {
    try {
      const text = await decode(file, bytes, encoding);
      if (isSame(await encode(file, text, encoding), bytes)) {
        return { text, encoding };
      }
    } catch {
      // VS Code refuses binary content.
      return undefined;
    }
  }
  return undefined;
}

function isUtf8ByDefault(uri: vscode.Uri): boolean {
  const settings = vscode.workspace.getConfiguration('files', uri);
  const isForLanguages = (name: string): boolean =>
    (settings.inspect(name)?.languageIds?.length ?? 0) > 0;
  return (
    settings.get('encoding') === 'utf8' &&
    settings.get('autoGuessEncoding') === false &&
    !isForLanguages('encoding') &&
    !isForLanguages('autoGuessEncoding')
  );
}

/** `undefined`: it isn't UTF-8. What is, gives the same bytes again. */
function plainText(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function findBom(bytes: Uint8Array): (typeof marks)[number] | undefined {
  return marks.find((known) => known.bytes.every((byte, index) => bytes[index] === byte));
}

function candidates(
  bytes: Uint8Array,
  document: vscode.TextDocument | undefined,
): readonly Encoding[] {
  const mark = findBom(bytes);
  // A setting may give new files a mark that this one doesn't have.
  return mark === undefined
    ? [...new Set([document?.encoding, undefined, 'utf8'])]
    : [mark.encoding];
}

function decode(file: string, bytes: Uint8Array, encoding: Encoding): Thenable<string> {
  return encoding === undefined
    ? vscode.workspace.decode(bytes, { uri: vscode.Uri.file(file) })
    : vscode.workspace.decode(bytes, { encoding });
}

function encode(file: string, text: string, encoding: Encoding): Thenable<Uint8Array> {
  if (encoding === 'utf8') {
    return Promise.resolve(Buffer.from(text));
  }
  return encoding === undefined
    ? vscode.workspace.encode(text, { uri: vscode.Uri.file(file) })
    : vscode.workspace.encode(text, { encoding });
}
