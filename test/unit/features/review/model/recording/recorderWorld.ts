import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { RecordedReview } from '../../../../../../src/features/review/model/recordedReview';
import { Recorder } from '../../../../../../src/features/review/model/recording/recorder';
import type { RecorderLimits } from '../../../../../../src/features/review/model/recording/recorderOptions';
import { StoredReviews } from '../../../../../../src/features/review/model/storedReviews';
import type { TurnRecorder } from '../../../../../../src/model/changes/turnRecorder';
import type { Diff, FileChange, ToolKind } from '../../../../../../src/shared/transcript/content';
import type { ToolCallEntry } from '../../../../../../src/shared/transcript/entries';
import { DiskFiles } from '../../../../../support/diskFiles';
import { FolderCheckpoints } from '../../../../../support/folderCheckpoints';
import { MemoryBlobs } from '../../../../../support/memoryBlobs';
import { until } from '../../../../../support/until';

export const ten = '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n';
/** Ten lines, of which some are others. */
export const with_ = (changes: Readonly<Record<number, string>>): string =>
  ten.replace(/\d+/g, (line) => changes[Number(line)] ?? line);

/** No timer takes part. */
const patient: RecorderLimits = { promptMs: 10_000, thinkingMs: 10_000, betweenMs: 1 };

/** A folder, its checkpoints, and the recorder of the sessions that work in it. */
export class RecorderWorld {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'acp-recorder-')));
  readonly files = new DiskFiles();
  readonly blobs = new MemoryBlobs();
  readonly checkpoints = new FolderCheckpoints();
  readonly warnings: string[] = [];
  readonly reviews: StoredReviews;
  recorder: Recorder;
  session: TurnRecorder;

  constructor() {
    this.reviews = this.#window();
    this.recorder = this.recorderWith(patient);
    this.session = this.sessionOf('s');
  }

  recorderWith(limits: RecorderLimits, reviews = this.reviews): Recorder {
    const { checkpoints, files } = this;
    const log = { warn: (text: string) => void this.warnings.push(text) };
    const realPath = (file: string) => fs.promises.realpath(file).catch(() => undefined);
    return new Recorder({ reviews, checkpoints, files, log, limits, realPath });
  }

  /** Another window of the same machine. */
  anotherWindow(): { readonly reviews: StoredReviews; readonly recorder: Recorder } {
    const reviews = this.#window();
    const recorder = this.recorderWith(patient, reviews);
    return { reviews, recorder };
  }

  /** Nothing that a test doesn't expect may have been warned of. */
  dispose(): void {
    this.recorder.dispose();
    this.reviews.dispose();
    fs.rmSync(this.folder, { recursive: true, force: true });
    assert.deepEqual(this.warnings, []);
  }

  /** The session's review as a window has it that is opened now. */
  async reopened(): Promise<RecordedReview> {
    const reviews = this.#window();
    const review = await reviews.open(this.folder, 'a', 's');
    reviews.dispose();
    return review;
  }

  #window(): StoredReviews {
    const { files, folder } = this;
    const log = { warn: (text: string) => void this.warnings.push(text) };
    return new StoredReviews({
      ...{ folder: this.at('.store'), files, log, blobs: () => this.blobs },
      places: () => Promise.resolve([folder]),
    });
  }

  at(name: string): string {
    return path.join(this.folder, name);
  }

  sessionOf(sessionId: string): TurnRecorder {
    return this.recorder.of({ agentId: 'a', sessionId, folders: [this.folder] });
  }

  write(name: string, text: string): void {
    fs.writeFileSync(this.at(name), text);
  }

  writing(name: string, text: string): () => Promise<void> {
    return () => fs.promises.writeFile(this.at(name), text);
  }

  text(name: string): string {
    return fs.readFileSync(this.at(name), 'utf8');
  }

  review(sessionId = 's'): RecordedReview {
    return this.reviews.of('a', sessionId) as RecordedReview;
  }

  pending(sessionId = 's'): readonly string[] {
    return this.review(sessionId).pending.map(({ file }) => path.relative(this.folder, file));
  }

  async save(name: string, content: string): Promise<void> {
    const file = this.at(name);
    const before = fs.existsSync(file) ? fs.readFileSync(file) : undefined;
    this.write(name, content);
    await this.recorder.saved({ file, before, after: Buffer.from(content) });
  }

  /** Everything up to the end of the turn is recorded. */
  async end(turn = this.session, sessionId = 's'): Promise<void> {
    turn.end();
    await until(() => this.review(sessionId).running === undefined);
  }

  call(
    toolKind: ToolKind,
    {
      diffs = [],
      places = [],
      ...facts
    }: {
      diffs?: readonly (Diff | FileChange)[];
      places?: readonly string[];
    } & Partial<ToolCallEntry> = {},
  ): ToolCallEntry {
    return {
      ...{ kind: 'toolCall', toolCallId: `${diffs.length} ${places.join()}`, title: '', toolKind },
      status: 'completed',
      content: diffs,
      locations: places.map((place) => ({ path: place })),
      ...facts,
    } as unknown as ToolCallEntry;
  }

  /** What happened to a file besides; `oldName`: where it was. */
  change(operation: FileChange['operation'], name: string, oldName?: string): FileChange {
    const oldPath = oldName === undefined ? {} : { oldPath: this.at(oldName) };
    return { type: 'fileChange', operation, path: path.resolve(this.folder, name), ...oldPath };
  }

  diff(name: string, oldText: string | null, newText: string): Diff {
    return { type: 'diff', path: path.resolve(this.folder, name), oldText, newText };
  }
}
