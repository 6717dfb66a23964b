import { imageTypes } from '../../shared/parseDraft';
import type { Attachment } from '../../shared/prompt';
import { asArray } from '../../util/json';

/** What is read of a drop or of the clipboard. */
export type Transfer = Pick<DataTransfer, 'getData' | 'types'>;

/** Largest image that is attached, in bytes. */
const maxImageBytes = 10 * 1024 * 1024;

const uriLists = ['application/vnd.code.uri-list', 'text/uri-list'];
/** Files of VS Code's own views, as a JSON list. */
const resourceUrls = 'resourceurls';
/** What VS Code's own lists and file managers name files by; a link from a web page is text. */
const fileUri = /^(?:file|vscode-remote):/i;

/** Whether a drag may hold files; its data can't be read before the drop. */
export function mayHoldFiles({ types }: Transfer): boolean {
  return ['files', resourceUrls, ...uriLists].some((type) =>
    types.some((other) => other.toLowerCase() === type),
  );
}

/** Addresses of files in a drop or in the clipboard, from the first kind of list that has any. */
export function fileUrisOf(transfer: Transfer): readonly string[] {
  const lists = [
    ...uriLists.map((type) => linesOf(transfer.getData(type))),
    stringsOf(transfer.getData(resourceUrls)),
  ];
  return (
    lists.map((uris) => uris.filter((uri) => fileUri.test(uri))).find(({ length }) => length > 0) ??
    []
  );
}

/** RFC 2483: one address a line, comments begin with `#`. */
function linesOf(list: string): readonly string[] {
  return list
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function stringsOf(json: string): readonly string[] {
  try {
    return asArray(JSON.parse(json)).filter((uri) => typeof uri === 'string');
  } catch {
    return [];
  }
}

export interface ReadFiles {
  readonly attachments: readonly Attachment[];
  /** Why the others can't go along, one sentence each. */
  readonly refusals: readonly string[];
}

/** Images that were dropped or pasted as such; other files have no address that an agent could use. */
export async function readImages(files: readonly File[]): Promise<ReadFiles> {
  const refusals = files.map(refusalOf).filter((refusal) => refusal !== undefined);
  const good = files.filter((file) => refusalOf(file) === undefined);
  const attachments = await Promise.all(
    good.map(async (file): Promise<Attachment> => {
      const data = await base64Of(file);
      return { type: 'image', name: file.name, mimeType: file.type, data };
    }),
  );
  return { attachments, refusals };
}

function refusalOf({ name, type, size }: File): string | undefined {
  if (!type.startsWith('image/')) {
    return `“${name}” has no path here. Attach it with the button below, or type @ to find it.`;
  }
  if (!imageTypes.includes(type)) {
    return `“${name}” isn't a PNG, JPEG, GIF or WebP image.`;
  }
  if (size > maxImageBytes) {
    return `“${name}” is larger than 10 MB.`;
  }
  return undefined;
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    };
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read'));
    reader.readAsDataURL(file);
  });
}
