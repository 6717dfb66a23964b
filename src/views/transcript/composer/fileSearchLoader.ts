import type { Log } from '../../../model/ports';
import type { FileSuggestion } from '../../../shared/transcript/webviewMessages';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import type { FileSearch } from './fileSearch';

/** Finds files to mention. */
export interface FileFinder {
  /** The best suggestions for `text`; rejects if the workspace's files can't be read. */
  search(text: string): Promise<readonly FileSuggestion[]>;
}

/** Loads the separate bundle for the search with the first mention. */
export class FileSearchLoader implements FileFinder, Disposable {
  readonly #store = new DisposableStore();
  readonly #log: Pick<Log, 'warn'>;
  #search: Promise<FileSearch> | undefined;

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log;
  }

  async search(text: string): Promise<readonly FileSuggestion[]> {
    this.#search ??= this.#load();
    return (await this.#search).search(text);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #load(): Promise<FileSearch> {
    const { FileSearch: Loaded } = await import('./fileSearch');
    return this.#store.add(new Loaded(this.#log));
  }
}
