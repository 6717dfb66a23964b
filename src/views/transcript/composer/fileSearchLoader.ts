import type { Log } from '../../../model/ports';
import type { FileSuggestion } from '../../../shared/transcript/questions';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Lazy } from '../../../util/lazy';
import type { FileSearch } from './fileSearch';

/** Finds files to mention. */
export interface FileFinder {
  /** The best suggestions for `text`; rejects if the workspace's files can't be read. */
  search(text: string): Promise<readonly FileSuggestion[]>;
}

/** Loads the separate bundle for the search with the first mention. */
export class FileSearchLoader implements FileFinder, Disposable {
  readonly #store = new DisposableStore();
  readonly #search: Lazy<FileSearch>;

  constructor(log: Pick<Log, 'warn'>) {
    this.#search = new Lazy(async () => {
      const { FileSearch: Loaded } = await import('./fileSearch');
      return this.#store.add(new Loaded(log));
    });
  }

  async search(text: string): Promise<readonly FileSuggestion[]> {
    return (await this.#search.get()).search(text);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
