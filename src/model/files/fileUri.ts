import { fileURLToPath } from 'node:url';
import { isNetworkPath } from '../../util/networkPath';

/**
 * The path of a file that the user has attached, also one on another machine; `undefined` for any other URI, and for
 * one that can't be decoded.
 */
export function pathOfAttached(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/**
 * The path that a `file:` URI names on this machine; `undefined` for any other URI, and for a file on
 * another machine, which Windows would log in to. `windows`: how paths are written, by default as on
 * this system.
 */
export function pathOfFileUri(
  uri: string,
  windows = process.platform === 'win32',
): string | undefined {
  try {
    const url = new URL(uri);
    if (url.protocol !== 'file:' || (url.host !== '' && url.host !== 'localhost')) {
      return undefined;
    }
    url.host = '';
    const file = fileURLToPath(url, { windows });
    return isNetworkPath(file) ? undefined : file;
  } catch {
    return undefined;
  }
}
