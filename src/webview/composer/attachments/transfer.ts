import { asArray } from '../../../util/json';

/** The part of `DataTransfer` that is read from a drop or the clipboard. */
interface Transfer {
  readonly types: readonly string[];
  getData(type: string): string;
}

const uriLists = ['application/vnd.code.uri-list', 'text/uri-list'];
/** Files from VS Code's views, as a JSON array. */
const resourceUrls = 'resourceurls';
/**
 * URI schemes that VS Code's lists and file managers use for files; links from web pages are
 * treated as text.
 */
const fileUri = /^(?:file|vscode-remote):/i;

/** Whether a drag may contain files; its data can't be read before the drop. */
export function mayHoldFiles({ types }: Transfer): boolean {
  return ['files', resourceUrls, ...uriLists].some((type) =>
    types.some((other) => other.toLowerCase() === type),
  );
}

/** File URIs in a drop or the clipboard, from the first list that has any. */
export function getFileUris(transfer: Transfer): readonly string[] {
  const lists = [
    ...uriLists.map((type) => getLines(transfer.getData(type))),
    readStrings(transfer.getData(resourceUrls)),
  ];
  return (
    lists.map((uris) => uris.filter((uri) => fileUri.test(uri))).find(({ length }) => length > 0) ??
    []
  );
}

/** RFC 2483: one URI per line, comments start with `#`. */
function getLines(list: string): readonly string[] {
  return list
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function readStrings(json: string): readonly string[] {
  try {
    return asArray(JSON.parse(json)).filter((uri) => typeof uri === 'string');
  } catch {
    return [];
  }
}
