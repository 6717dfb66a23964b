import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../util/disposable';

/** What is used of the API of VS Code's Git. */
interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  getAPI(version: 1): {
    readonly repositories: readonly unknown[];
    readonly onDidOpenRepository: vscode.Event<unknown>;
  };
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
