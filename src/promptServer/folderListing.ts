import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { IgnoreRules, longestIgnoreFile, mostIgnoreWork } from '../model/files/ignoreRules';
import { readRegularFile } from '../model/files/regularFile';
import type { Work } from '../model/text/wildcards';

/** A file or folder below a root, its path relative to that, with `/`. */
export interface ListedFile {
  readonly path: string;
  readonly isFolder: boolean;
}

interface FolderState {
  readonly changed: number;
  readonly entries: readonly ListedFile[];
  readonly ignores: IgnoreRules | undefined;
}

/** Its own rules and those of the folders that it is in, from the nearest up. */
type Rules = readonly { readonly folder: string; readonly ignores: IgnoreRules }[];

const mostFiles = 50_000;
const mostFolders = 10_000;
const atOnce = 16;
const skipped = new Set(['.git', '.hg', '.svn', 'node_modules']);

/**
 * What is below a folder, the nearest first: without what a `.gitignore` leaves out, without links, and only
 * so much. Reading it again reads only the folders that have changed.
 */
export class FolderListing {
  readonly #root: string;
  #known = new Map<string, FolderState>();

  constructor(root: string) {
    this.#root = root;
  }

  /** All of it. `onProgress` hears of what was found so far, from time to time. */
  async read(onProgress: (files: readonly ListedFile[]) => void): Promise<readonly ListedFile[]> {
    const seen = new Map<string, FolderState>();
    const found: ListedFile[] = [];
    const work: Work = { left: mostIgnoreWork };
    // Nobody works on a whole disk.
    const isDisk = path.dirname(this.#root) === this.#root;
    const level: { readonly path: string; readonly rules: Rules }[] = isDisk
      ? []
      : [{ path: '', rules: [] }];
    while (level.length > 0 && found.length < mostFiles && seen.size < mostFolders) {
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
    return found.slice(0, mostFiles);
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
      // One that has gone meanwhile, or can't be read, holds nothing.
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

/** One that can't be read, or is too long, says nothing. */
async function readIgnores(file: string): Promise<IgnoreRules | undefined> {
  try {
    const bytes = await readRegularFile(file, { maxBytes: longestIgnoreFile });
    return new IgnoreRules(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The nearest file that has a word on it decides. */
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
