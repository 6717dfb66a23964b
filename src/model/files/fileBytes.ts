import { lstat } from 'node:fs/promises';
import { ByteBudget } from '../../util/byteBudget';
import { readExactFile, writeExactFile } from './exactFile';
import { roomToGrow } from './regularFile';

/** What VS Code itself opens as text. */
const maxBytes = 50 * 1024 * 1024;
/** Bytes and texts of files that are held at a time, over all that agents ask. */
const mostHeld = 128 * 1024 * 1024;

/** Reads and writes files at real paths, so much at a time as there is memory for: the others wait for their turn. */
export class FileBytes {
  readonly #budget: ByteBudget;

  constructor(budget = new ByteBudget(mostHeld)) {
    this.#budget = budget;
  }

  /** `use` gets all bytes. They count, with the text that they make, until it settles. */
  async read<T>(real: string, use: (bytes: Buffer) => Promise<T>): Promise<T> {
    const size = (await sizeOf(real)) + roomToGrow;
    return this.#budget.hold(2 * size, async () =>
      use(await readExactFile(real, Math.min(size, maxBytes))),
    );
  }

  write(real: string, bytes: Uint8Array): Promise<void> {
    return writeExactFile(real, bytes);
  }
}

/** What to make room for: what is opened then may be no larger. */
async function sizeOf(real: string): Promise<number> {
  const facts = await lstat(real).catch(() => undefined);
  return facts?.isFile() === true ? Math.min(facts.size, maxBytes) : 0;
}
