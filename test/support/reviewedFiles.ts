import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Replacement, ReviewFiles } from '../../src/features/review/model/reviewFiles';

/** The files of a folder, which are under review. */
export class ReviewedFiles {
  /** The files that were replaced. */
  readonly done: string[] = [];
  readonly #folder: string;
  readonly #files: Pick<ReviewFiles, 'replace'>;

  constructor(folder: string, files: Pick<ReviewFiles, 'replace'>) {
    this.#folder = folder;
    this.#files = files;
  }

  at(name: string): string {
    return path.join(this.#folder, name);
  }

  async have(name: string, text: string | Uint8Array): Promise<string> {
    const file = this.at(name);
    await writeFile(file, text);
    return file;
  }

  /** Why files were refused. */
  async replace(...all: readonly Replacement[]): Promise<string[]> {
    const refused = await this.#files.replace(all, (file) => this.done.push(file));
    return refused.map(({ reason }) => reason);
  }
}

export function change(file: string, expected: string, wanted: string): Replacement {
  return { file, expected: Buffer.from(expected), wanted: Buffer.from(wanted) };
}
