import * as vscode from 'vscode';

/** Larger files are compared and changed as bytes. */
export const largestText = 5_000_000;

const marks = [
  { encoding: 'utf8bom', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf16be', bytes: [0xfe, 0xff] },
] as const;

/** `undefined`: the one that VS Code chooses for the file. */
type Encoding = string | undefined;

interface Decoded {
  readonly text: string;
  readonly encoding: Encoding;
}

/**
 * The text of a file's bytes, without a byte order mark, as VS Code reads it. `undefined` if it is too large or
 * binary, or if the text doesn't give the same bytes again.
 */
export async function decodeExactly(
  file: string,
  bytes: Uint8Array,
  document?: vscode.TextDocument,
): Promise<string | undefined> {
  return (await decoded(file, bytes, document))?.text;
}

/** The bytes of a text in the file's encoding, with a byte order mark if `like` begins with one. */
export async function encodeLike(
  file: string,
  text: string,
  like: Uint8Array | undefined,
  document?: vscode.TextDocument,
): Promise<Uint8Array> {
  const known = like && (await decoded(file, like, document));
  return encode(file, text, known === undefined ? document?.encoding : known.encoding);
}

export function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0;
}

async function decoded(
  file: string,
  bytes: Uint8Array,
  document: vscode.TextDocument | undefined,
): Promise<Decoded | undefined> {
  if (bytes.length > largestText) {
    return undefined;
  }
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

function candidates(
  bytes: Uint8Array,
  document: vscode.TextDocument | undefined,
): readonly Encoding[] {
  const mark = marks.find((known) => known.bytes.every((byte, index) => bytes[index] === byte));
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
  return encoding === undefined
    ? vscode.workspace.encode(text, { uri: vscode.Uri.file(file) })
    : vscode.workspace.encode(text, { encoding });
}
