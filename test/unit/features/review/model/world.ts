import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  absent,
  type Blobs,
  type FileState,
} from '../../../../../src/features/review/model/record/fileState';
import {
  type Change,
  type Origin,
  SessionRecord,
} from '../../../../../src/features/review/model/record/sessionRecord';
import { RecordedReview } from '../../../../../src/features/review/model/recordedReview';
import { DiskFiles } from '../../../../support/diskFiles';
import { MemoryBlobs } from '../../../../support/memoryBlobs';

/** A folder with files, an agent, a user, and the record of what both do. */
export class World {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'acp-review-')));
  readonly store = path.join(this.folder, '.store');
  readonly files = new DiskFiles();
  readonly blobs: Blobs;
  readonly #sums: { readonly sumUpBytes?: number };
  review!: RecordedReview;

  /** `sumUpBytes`: a summary is stored after so many bytes of the journal, if it isn't larger itself. */
  constructor(blobs: Blobs = new MemoryBlobs(), sumUpBytes?: number) {
    this.blobs = blobs;
    this.#sums = sumUpBytes === undefined ? {} : { sumUpBytes };
  }

  async open(): Promise<this> {
    this.review = await this.window();
    return this;
  }

  /** One more window of the same session. */
  async window(folder = this.store): Promise<RecordedReview> {
    const { blobs, files } = this;
    const ids = { agentId: 'agent', sessionId: 'session' };
    const record = new SessionRecord({ folder, ...ids, blobs, files, ...this.#sums });
    await record.catchUp();
    return new RecordedReview(record, files);
  }

  /** A window that has read every line, and none of the summaries. */
  async withoutSummary(): Promise<RecordedReview> {
    // One for each: several windows may be looked at side by side.
    const folder = fs.mkdtempSync(path.join(this.folder, '.lines-'));
    fs.copyFileSync(path.join(this.store, 'journal.ndjson'), path.join(folder, 'journal.ndjson'));
    return this.window(folder);
  }

  path(name: string): string {
    return path.join(this.folder, name);
  }

  /** `null`: no file. */
  text(name: string): string | null {
    return fs.existsSync(this.path(name)) ? fs.readFileSync(this.path(name), 'utf8') : null;
  }

  /** Changes the file without telling anyone. */
  write(name: string, content: string | Uint8Array | null): void {
    if (content === null) {
      fs.rmSync(this.path(name), { force: true });
    } else {
      fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
      fs.writeFileSync(this.path(name), content);
    }
  }

  async state(name: string): Promise<FileState> {
    const now = await this.files.look(this.path(name));
    return now.kind === 'file'
      ? this.review.record.contents.add(now.bytes, now.isExecutable)
      : absent;
  }

  async beginTurn(turn: number): Promise<void> {
    await this.review.record.addTurn({ turn, prompt: `Prompt ${turn}`, began: turn });
  }

  async #step(origin: Origin, name: string, content: string | Uint8Array | null): Promise<void> {
    const before = await this.state(name);
    this.write(name, content);
    await this.review.record.addSteps(origin, [
      { file: this.path(name), before, after: await this.state(name) },
    ]);
  }

  agent(turn: number, name: string, content: string | Uint8Array | null): Promise<void> {
    return this.#step({ by: 'agent', source: 'write', turn }, name, content);
  }

  user(turn: number, name: string, content: string | Uint8Array | null): Promise<void> {
    return this.#step({ by: 'user', source: 'editor', turn }, name, content);
  }

  async agentMoves(turn: number, from: string, to: string, content?: string): Promise<void> {
    const before = await this.state(from);
    fs.mkdirSync(path.dirname(this.path(to)), { recursive: true });
    fs.renameSync(this.path(from), this.path(to));
    if (content !== undefined) {
      this.write(to, content);
    }
    const change: Change = {
      ...{ file: this.path(to), before, after: await this.state(to) },
      movedFrom: this.path(from),
    };
    await this.review.record.addSteps({ by: 'agent', source: 'checkpoint', turn }, [change]);
  }

  dispose(): void {
    this.review.dispose();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
