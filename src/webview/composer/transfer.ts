import { asArray } from '../../util/json';

/** What is read of a drop or of the clipboard: a part of the browser's `DataTransfer`. */
interface Transfer {
  readonly types: readonly string[];
  getData(type: string): string;
}

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
