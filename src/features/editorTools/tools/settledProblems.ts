import { readFile, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';

/** How long VS Code may take to see that a file has changed on the disk. */
const reloadMs = 2000;
/** How long VS Code's watcher may take to tell language servers of a file. */
const watcherMs = 1000;
/** Changed files that are waited for. */
const maxSeen = 100;
/** How long a language server may take for a file that has changed or was just opened. */
const reportMs = 5000;
/** What comes together with a report. */
const tailMs = 50;

/** A report that comes sooner after a change is one from before, which VS Code tells late, or twice. */
const tooSoonMs = 150;

/** Files that have changed, and weren't reported on since, with the time of the change. */
const stale = new Map<string, number>();
const maxStale = 1000;

/** Notes which files have changed after what is reported on them. */
export function followReports(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) => {
      if (contentChanges.length > 0 && stale.size < maxStale) {
        stale.set(uri.toString(), Date.now());
      }
    }),
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) {
        const changed = stale.get(uri.toString()) ?? 0;
        if (Date.now() - changed >= tooSoonMs) {
          stale.delete(uri.toString());
        }
      }
    }),
  );
}

/** A file as it is on the disk now, or as the user has changed it. */
export interface CurrentFile {
  readonly document: vscode.TextDocument;
  /** Whether what is reported on it may be from before. */
  readonly isStale: boolean;
}

/** Opens a file, and waits until VS Code has seen its last change. */
export async function openCurrent(uri: vscode.Uri, signal: AbortSignal): Promise<CurrentFile> {
  const key = uri.toString();
  const wasOpen = vscode.workspace.textDocuments.some(
    (document) => document.uri.toString() === key,
  );
  const document = await vscode.workspace.openTextDocument(uri);
  await mustReload(document, signal);
  return { document, isStale: !wasOpen || stale.has(key) };
}

/**
 * Waits until VS Code has seen that these files have changed on the disk: what is wrong in one may come from another. Those
 * that aren't open are seen by a watcher, which is late.
 */
export async function whenSeen(files: readonly string[], signal: AbortSignal): Promise<void> {
  const open = new Map(
    vscode.workspace.textDocuments.map((document) => [document.uri.fsPath, document]),
  );
  await Promise.all(
    files.slice(0, maxSeen).map(async (file) => {
      const document = open.get(file);
      const changed = await stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      );
      if (changed === undefined) {
        return;
      }
      if (document !== undefined) {
        await mustReload(document, signal);
        return;
      }
      const age = Date.now() - changed;
      if (age >= 0 && age < watcherMs) {
        await pause(watcherMs - age, undefined, { signal });
      }
    }),
  );
}

/** Waits until something is reported on a file. Returns what to add to an answer if nothing is. */
export async function whenReported(uri: vscode.Uri, signal: AbortSignal): Promise<string> {
  const key = uri.toString();
  const isReported = await happens(
    vscode.languages.onDidChangeDiagnostics,
    reportMs,
    signal,
    ({ uris }) => !stale.has(key) && uris.some((other) => other.toString() === key),
  );
  await pause(tailMs, undefined, { signal });
  return isReported ? '' : `\nNothing new was reported within ${reportMs / 1000} seconds.`;
}

/** Waits until an open document is as its file, unless the user has changed it. */
async function mustReload(document: vscode.TextDocument, signal: AbortSignal): Promise<void> {
  const text = (await readFile(document.uri.fsPath, 'utf8')).replace(/^\uFEFF/, '');
  const onDisk = text.replaceAll('\r\n', '\n');
  const isCurrent = (): boolean =>
    document.isDirty || document.getText().replaceAll('\r\n', '\n') === onDisk;
  if (!isCurrent()) {
    await happens(vscode.workspace.onDidChangeTextDocument, reloadMs, signal, isCurrent);
  }
}

/** Whether an event that counts fires in this time. */
function happens<T>(
  event: vscode.Event<T>,
  ms: number,
  signal: AbortSignal,
  counts: (fired: T) => boolean,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      listener.dispose();
      signal.removeEventListener('abort', stop);
    };
    const stop = (): void => {
      end();
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      end();
      resolve(false);
    }, ms);
    const listener = event((fired) => {
      if (counts(fired)) {
        end();
        resolve(true);
      }
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}
