import type * as client from 'vscode-languageclient/node';
import { Disposable, never } from './events';

/** A client whose server never runs: what it helps with is tested in a window. */
export class LanguageClient {
  onRequest(): Disposable {
    return new Disposable(() => undefined);
  }

  readonly onDidChangeState = never;

  start(): Promise<void> {
    return Promise.resolve();
  }

  isRunning(): boolean {
    return false;
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}

export const State: Pick<typeof client.State, 'Running'> = { Running: 2 };
export const TransportKind: Pick<typeof client.TransportKind, 'ipc'> = { ipc: 1 };
