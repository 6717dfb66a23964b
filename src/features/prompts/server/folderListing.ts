import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  IgnoreRules,
  maxIgnoreComparisons,
  maxIgnoreFileBytes,
} from '../../../model/files/ignoreRules';
import { readRegularFile } from '../../../model/files/regularFile';
import type { Work } from '../../../model/text/wildcards';

/** A file or folder below a root; the path is relative to the root and uses `/`. */
export interface ListedFile {
  readonly path: string;
  readonly isFolder: boolean;
}

interface FolderState {
  readonly changed: number;
  readonly entries: readonly ListedFile[];
  readonly ignores: IgnoreRules | undefined;
}

/** Ignore rules that apply in a folder: its own first, followed by those of its ancestors. */
type Rules = readonly { readonly folder: string; readonly ignores: IgnoreRules }[];

const maxFiles = 50_000;
const maxFolders = 10_000;
const atOnce = 16;
const skipped = new Set(['.git', '.hg', '.svn', 'node_modules']);

/**
 * Lists a folder's contents breadth first, up to a limit: without entries ignored by a `.gitignore`
 * and without symbolic links. Reading it again reads only the folders that have changed.
 */
export class FolderListing {
  readonly #root: string;
  #known = new Map<string, FolderState>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Reads the whole listing. `onProgress` receives the entries found so far, from time to time. */
  async read(onProgress: (files: readonly ListedFile[]) => void): Promise<readonly ListedFile[]> {
    const seen = new Map<string, FolderState>();
    const found: ListedFile[] = [];
    const work: Work = { left: maxIgnoreComparisons };
    // A whole disk isn't a project folder.
    const isDisk = path.dirname(this.#root) === this.#root;
    const level: { readonly path: string; readonly rules: Rules }[] = isDisk
      ? []
      : [{ path: '', rules: [] }];
    while (level.length > 0 && found.length < maxFiles && seen.size < maxFolders) {
      const now = level.splice(0, atOnce);
      const states = await Promise.all(now.map(({ path: folder }) => this.#readFolder(folder)));
      states.forEach((state, index) => {
        const folder = now[index];
        if (!folder || !state) {
          return;
        }
        seen.set(folder.path, state);
        const rules = state.ignores
          ? [{ folder: folder.path, ignores: state.ignores }, ...folder.rules]
          : folder.rules;
        const entries = state.entries.filter((entry) => !isIgnored(entry, rules, work));
        for (const entry of entries) {
          found.push(entry);
          if (entry.isFolder) {
            level.push({ path: entry.path, rules });
          }
        }
      });
      onProgress(found);
    }
    this.#known = seen;
    return found.slice(0, maxFiles);
  }

  async #readFolder(folder: string): Promise<FolderState | undefined> {
    const place = path.join(this.#root, folder);
    try {
      const changed = (await stat(place)).mtimeMs;
      const known = this.#known.get(folder);
      if (known?.changed === changed && known.ignores === undefined) {
        return known;
      }
      const entries = await readdir(place, { withFileTypes: true });
      const hasIgnore = entries.some(({ name }) => name === '.gitignore');
      return {
        changed,
        entries: entries.filter(isListed).map((entry) => listed(folder, entry)),
        ignores: hasIgnore ? await readIgnores(path.join(place, '.gitignore')) : undefined,
      };
    } catch {
      // A folder that was deleted meanwhile, or can't be read, counts as empty.
      return undefined;
    }
  }
}

function isListed(entry: Dirent): boolean {
  return (entry.isDirectory() && !skipped.has(entry.name)) || entry.isFile();
}

function listed(folder: string, entry: Dirent): ListedFile {
  const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
  return { path: name, isFolder: entry.isDirectory() };
}

/** `undefined` if the file can't be read or is too long. */
async function readIgnores(file: string): Promise<IgnoreRules | undefined> {
  try {
    const bytes = await readRegularFile(file, { maxBytes: maxIgnoreFileBytes });
    return new IgnoreRules(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The nearest `.gitignore` with a matching rule decides. */
function isIgnored(entry: ListedFile, rules: Rules, work: Work): boolean {
  for (const { folder, ignores } of rules) {
    const relative = entry.path.slice(folder === '' ? 0 : folder.length + 1);
    const found = ignores.test(relative, entry.isFolder, work);
    if (found !== undefined) {
      return found === 'ignored';
    }
  }
  return false;
}
