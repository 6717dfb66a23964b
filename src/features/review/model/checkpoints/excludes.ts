import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { readRegularFile } from '../../../../model/files/regularFile';
import { replaceFile } from '../../../../model/files/wholeFiles';

const maxExcludesBytes = 1024 * 1024;

/** What a store leaves out besides what `.gitignore` files and the user's settings say. */
export interface Excluded {
  /** Lines in the syntax of `.gitignore`. */
  readonly rules: readonly string[];
  /** The repository's own `info/exclude`, whose rules are copied; it may be missing. */
  readonly file: string | undefined;
  /** Folders relative to the top, as strings whose units are bytes. */
  readonly folders: Iterable<string>;
}

/** The `info/exclude` of a private git directory, written when what it depends on has changed. */
export class Excludes {
  readonly #directory: string;
  #written = '';

  constructor(directory: string) {
    this.#directory = directory;
  }

  async write({ rules, file, folders }: Excluded): Promise<void> {
    const own = [...rules, ...[...folders].map(ruleFor)].join('\n');
    const state = `${await getState(file)}\n${own}`;
    if (state !== this.#written) {
      const theirs = await readExcludes(file);
      const content = Buffer.concat([theirs, Buffer.from(`\n${own}\n`, 'latin1')]);
      await replaceFile(path.join(this.#directory, 'info', 'exclude'), content);
      this.#written = state;
    }
  }
}

async function getState(file: string | undefined): Promise<string> {
  const facts = file === undefined ? undefined : await lstat(file).catch(() => undefined);
  return facts === undefined ? '' : `${facts.ino} ${facts.mtimeMs} ${facts.size}`;
}

async function readExcludes(file: string | undefined): Promise<Buffer> {
  try {
    return await readRegularFile(file ?? '', { maxBytes: maxExcludesBytes });
  } catch {
    return Buffer.alloc(0);
  }
}

/** A rule can't contain a line break: a wildcard for one character stands for it. */
function ruleFor(folder: string): string {
  return `/${folder.replace(/[\\*?[\]!# ]/g, '\\$&').replace(/[\r\n]/g, '?')}/`;
}
