import path from 'node:path';
import { go, type SnapshotKey, snapshot } from 'fuzzysort';
import { FolderListing, type ListedFile } from './folderListing';

/** A file or folder that can be mentioned. */
export interface Match {
  /** Absolute. */
  readonly path: string;
  readonly isFolder: boolean;
}

interface Scored extends Match {
  readonly score: number;
}

const leastScore = 0.1;
/** How long a list counts as what is there, in milliseconds. */
const fresh = 3_000;
/** How long the first question waits for the list, in milliseconds: what is there by then is the answer. */
const patience = 150;
/** Roots that are kept. */
const most = 20;

/** Finds files below folders, for clients that don't. */
export class FolderSearch {
  readonly #folders = new Map<string, SearchedFolder>();

  /** The best for `query` in all roots; whether there may be others. */
  async find(
    roots: readonly string[],
    query: string,
    limit: number,
  ): Promise<{ readonly matches: readonly Match[]; readonly isWhole: boolean }> {
    const folders = roots.map((root) => this.#folder(root));
    await Promise.all(folders.map((folder) => folder.ready()));
    const found = folders.map((folder, index) => {
      // The first folder's files are written without its name.
      const prefix = index === 0 ? '' : `${path.basename(folder.root)}/`;
      const own = query.startsWith(prefix) ? query.slice(prefix.length) : query;
      return folder.find(own, limit);
    });
    const matches = found
      .flatMap(({ matches }) => matches)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
    return { matches, isWhole: found.every(({ isWhole }) => isWhole) };
  }

  /** Begins to read folders that will be asked for. */
  prepare(roots: readonly string[]): void {
    for (const root of roots) {
      void this.#folder(root).ready();
    }
  }

  /** What is there has changed: it is read again when it is next asked for. */
  expire(): void {
    for (const folder of this.#folders.values()) {
      folder.expire();
    }
  }

  #folder(root: string): SearchedFolder {
    const known = this.#folders.get(root) ?? new SearchedFolder(root);
    this.#folders.delete(root);
    this.#folders.set(root, known);
    for (const [oldest] of this.#folders) {
      if (this.#folders.size > most) {
        this.#folders.delete(oldest);
      }
    }
    return known;
  }
}

class SearchedFolder {
  readonly root: string;
  readonly #listing: FolderListing;
  #files: readonly ListedFile[] = [];
  #snapshot: SnapshotKey<ListedFile> | undefined;
  #readAt = -Infinity;
  #isRead = false;
  #reading: Promise<void> | undefined;

  constructor(root: string) {
    this.root = root;
    this.#listing = new FolderListing(root);
  }

  /** The list is there, or won't be soon. */
  async ready(): Promise<void> {
    if (performance.now() - this.#readAt > fresh) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
    }
    if (!this.#isRead) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patience);
      });
      await Promise.race([this.#reading, late]);
      clearTimeout(timer);
    }
  }

  expire(): void {
    this.#readAt = -Infinity;
  }

  find(query: string, limit: number): { matches: readonly Scored[]; isWhole: boolean } {
    const isWhole = this.#isRead && this.#files.length <= limit;
    if (query === '') {
      const first = this.#files.slice(0, limit);
      return { matches: first.map((file, index) => this.#scored(file, -index)), isWhole };
    }
    this.#snapshot ??= snapshot(this.#files, { key: 'path' });
    const found = go(query, this.#snapshot, { limit, threshold: leastScore });
    return { matches: found.map(({ obj, score }) => this.#scored(obj, score)), isWhole };
  }

  async #read(): Promise<void> {
    // What changes from here on may be missed.
    this.#readAt = performance.now();
    const files = await this.#listing.read((soFar) => {
      if (!this.#isRead) {
        this.#take(soFar);
      }
    });
    if (!this.#isRead || !isSame(files, this.#files)) {
      this.#take(files);
      // Now, while nobody waits for it.
      this.#snapshot = snapshot(files, { key: 'path' });
    }
    this.#isRead = true;
  }

  #take(files: readonly ListedFile[]): void {
    this.#files = files;
    this.#snapshot = undefined;
  }

  #scored(file: ListedFile, score: number): Scored {
    return { path: path.join(this.root, file.path), isFolder: file.isFolder, score };
  }
}

function isSame(a: readonly ListedFile[], b: readonly ListedFile[]): boolean {
  return a.length === b.length && a.every(({ path }, index) => path === b[index]?.path);
}
