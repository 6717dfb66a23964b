import type * as vscode from 'vscode';

/**
 * The file of this machine that a page names. In a remote window, its pages name files as VS Code's
 * views do there, by `vscode-remote:` and the window's authority; for extensions, which run on the
 * remote machine, the same files have `file:` URIs. Any other URI is returned unchanged.
 */
export function fileOfWindow(
  uri: vscode.Uri,
  webview: Pick<vscode.Webview, 'asWebviewUri'>,
): vscode.Uri {
  // A path that begins with two slashes would name another machine.
  if (uri.scheme !== 'vscode-remote' || !uri.path.startsWith('/') || uri.path.startsWith('//')) {
    return uri;
  }
  const plain = uri.with({ query: '', fragment: '' });
  const file = plain.with({ scheme: 'file', authority: '' });
  // Extensions aren't told the window's authority. A page's address for a file contains it, so both
  // have the same address only if they are the same file.
  const isSame = getAddress(plain, webview) === getAddress(file, webview);
  return isSame ? file : uri;
}

/** Whether VS Code says that a URI is a file of another machine than this one. */
export function isOfOtherMachine({ scheme }: vscode.Uri): boolean {
  return scheme === 'vscode-remote' || scheme === 'vscode-local';
}

function getAddress(uri: vscode.Uri, webview: Pick<vscode.Webview, 'asWebviewUri'>): string {
  return webview.asWebviewUri(uri).toString();
}
