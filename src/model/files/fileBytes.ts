import { lstat } from 'node:fs/promises';
import { ByteBudget } from '../../util/byteBudget';
import { readExactFile, writeExactFile } from './exactFile';
import { roomToGrow } from './regularFile';

/** The most that VS Code opens as text. */
const maxBytes = 50 * 1024 * 1024;
/** Bytes and texts of files held at a time, for the requests of all agents together. */
const maxHeldBytes = 128 * 1024 * 1024;

/** Reads and writes files at real paths. Reads wait until the memory budget has room for them. */
export class FileBytes {
  readonly #budget: ByteBudget;

  constructor(budget = new ByteBudget(maxHeldBytes)) {
    this.#budget = budget;
  }

  /** Passes all bytes to `use`; they and the text made from them count until it settles. */
  async read<T>(real: string, use: (bytes: Buffer) => Promise<T>): Promise<T> {
    const size = (await getSize(real)) + roomToGrow;
    return this.#budget.hold(2 * size, async () =>
      use(await readExactFile(real, Math.min(size, maxBytes))),
    );
  }

  write(real: string, bytes: Uint8Array): Promise<void> {
    return writeExactFile(real, bytes);
  }
}

/** The size to reserve; the file that is then opened may not be larger. */
async function getSize(real: string): Promise<number> {
  const facts = await lstat(real).catch(() => undefined);
  return facts?.isFile() === true ? Math.min(facts.size, maxBytes) : 0;
}
