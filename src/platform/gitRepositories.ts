import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../util/disposable';

/** What is used of the API of VS Code's Git. */
interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  getAPI(version: 1): {
    readonly repositories: readonly unknown[];
    readonly onDidOpenRepository: vscode.Event<unknown>;
    getRepository(folder: vscode.Uri): GitRepository | null;
    openRepository(top: vscode.Uri): Promise<GitRepository | null>;
  };
}

interface GitRepository {
  readonly rootUri: vscode.Uri;
  push(remote: string, refspec: string, setsUpstream: boolean): Promise<void>;
}

/**
 * Pushes by VS Code's Git, which asks for credentials, and shows the repository from then on. Returns whether VS Code's
 * Git can do it at all; rejects with its error if it couldn't.
 */
export async function pushByEditor(top: string, remote: string, refspec: string): Promise<boolean> {
  const git = await vscode.extensions.getExtension<GitExtension>('vscode.git')?.activate();
  if (git?.enabled !== true) {
    return false;
  }
  const api = git.getAPI(1);
  const uri = vscode.Uri.file(top);
  const known = api.getRepository(uri);
  const repository = known?.rootUri.fsPath === top ? known : await api.openRepository(uri);
  await repository?.push(remote, refspec, true);
  return repository !== null;
}

/** Calls `opened` each time VS Code's Git has opened a repository, the first one of the window. */
export function onFirstRepository(opened: () => void): Disposable {
  const store = new DisposableStore();
  void follow(store, opened).catch(() => {
    // Without Git there are no repositories.
  });
  return store;
}

async function follow(store: DisposableStore, opened: () => void): Promise<void> {
  const git = await vscode.extensions.getExtension<GitExtension>('vscode.git')?.activate();
  if (git === undefined || store.disposed) {
    return;
  }
  const listen = (): void => {
    const api = git.getAPI(1);
    store.add(
      api.onDidOpenRepository(() => {
        if (api.repositories.length === 1) {
          opened();
        }
      }),
    );
    if (api.repositories.length > 0) {
      opened();
    }
  };
  if (git.enabled) {
    listen();
  }
  store.add(
    git.onDidChangeEnablement((isEnabled) => {
      if (isEnabled) {
        listen();
      }
    }),
  );
}
