import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type {
  Checkpoint,
  Checkpoints,
  NoCheckpoint,
  TreeChange,
} from '../../src/features/review/model/checkpoints/checkpoints';
import type { Blobs, FileState } from '../../src/features/review/model/record/fileState';

interface Snapshot extends Checkpoint {
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Checkpoints that read whole folders, for small ones; what begins with a dot stays out. */
export class FolderCheckpoints implements Checkpoints {
  /** Why none can be taken. */
  no: NoCheckpoint | undefined;
  /** What each one waits for. */
  gate: Promise<void> = Promise.resolve();
  taken = 0;

  async take(folders: readonly string[]): Promise<Snapshot | NoCheckpoint> {
    const began = Date.now();
    await this.gate;
    if (this.no !== undefined) {
      return this.no;
    }
    this.taken++;
    const files = new Map(folders.flatMap(filesIn).map((file) => [file, fs.readFileSync(file)]));
    return { began, ended: Date.now(), files };
  }

  prepare(folders: readonly string[]): Promise<Snapshot | NoCheckpoint> {
    return this.take(folders);
  }

  async changes(from: Snapshot, to: Snapshot, blobs: Blobs): Promise<readonly TreeChange[]> {
    const state = (bytes: Buffer | undefined): Promise<FileState> => stateOf(bytes, blobs);
    const changed: TreeChange[] = [];
    for (const file of new Set([...from.files.keys(), ...to.files.keys()])) {
      const [old, new_] = [from.files.get(file), to.files.get(file)];
      if (hashOf(old) !== hashOf(new_)) {
        changed.push({ file, before: await state(old), after: await state(new_) });
      }
    }
    return changed;
  }

  async earlier(
    { files }: Snapshot,
    file: string,
    now: Buffer | undefined,
    blobs: Blobs,
  ): Promise<FileState | undefined> {
    const old = files.get(file);
    return hashOf(old) === hashOf(now) ? undefined : stateOf(old, blobs);
  }
}

async function stateOf(bytes: Buffer | undefined, blobs: Blobs): Promise<FileState> {
  if (bytes === undefined) {
    return { kind: 'absent' };
  }
  try {
    return { kind: 'file', hash: await blobs.add(bytes), size: bytes.length };
  } catch (error) {
    assert.ok(error instanceof RangeError);
    return { kind: 'unkept', reason: 'tooLarge' };
  }
}

function filesIn(folder: string): readonly string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? filesIn(file) : [file];
    });
}

function hashOf(bytes: Buffer | undefined): string | undefined {
  return bytes && createHash('sha256').update(bytes).digest('hex');
}
