import type { ChangeCall, DemoTurn, ToolStart } from '../turns/turn';
import { findReplacement, type LineChange, type Replacement, withReplaced } from './lineChanges';
import { startFiles } from './startFiles';
import { type WorkFolder, workFolderName } from './workFolder';

/** A file is edited: its text before and after, and the replaced parts. */
export interface Edit {
  readonly before: string;
  readonly after: string;
  readonly replaced: readonly Replacement[];
}

/** The user didn't allow the agent to continue. */
export class NotAllowed extends Error {}

/** A turn in which the agent changes files by itself, only in its own folder. */
export class WorkTurn {
  readonly turn: DemoTurn;
  readonly files: WorkFolder;
  #isAllowed = false;

  constructor(turn: DemoTurn, files: WorkFolder) {
    this.turn = turn;
    this.files = files;
  }

  /** Whether the session's mode is one in which files are changed. */
  get changesFiles(): boolean {
    return this.turn.session.meta.settings.mode !== 'plan';
  }

  /** Writes those of the start files that are missing. */
  async prepare(names: readonly string[]): Promise<void> {
    const missing: string[] = [];
    for (const name of this.changesFiles ? names : []) {
      if ((await this.files.read(name)) === undefined) {
        missing.push(name);
      }
    }
    if (missing.length === 0) {
      return;
    }
    const list = missing.map((name) => `\`${named(name)}\``).join(', ');
    await this.turn.say(`What I work on isn’t there yet, so I write it first: ${list}.`);
    await this.call({ title: 'Write what is missing', kind: 'edit', name: 'write_files' }, () =>
      this.writeStartFiles(missing),
    );
  }

  async writeStartFiles(names: Iterable<string>): Promise<void> {
    for (const name of names) {
      await this.files.write(name, startFiles.get(name) ?? '');
    }
  }

  /** Prepares the edit of these lines without making it. */
  async edit(name: string, changes: readonly LineChange[]): Promise<Edit> {
    const before = (await this.files.read(name)) ?? startFiles.get(name) ?? '';
    let after = before;
    const replaced: Replacement[] = [];
    for (const change of changes) {
      const replacement = findReplacement(after, change);
      if (replacement !== undefined) {
        after = withReplaced(after, replacement);
        replaced.push(replacement);
      }
    }
    return { before, after, replaced };
  }

  /**
   * Makes one tool call; in the mode that only plans it is shown, but does nothing. The first one of
   * the turn asks for all of them if the mode requires that; throws `NotAllowed` if it may not.
   */
  async call(start: ToolStart, act: (change: ChangeCall) => Promise<void>): Promise<void> {
    const { mode } = this.turn.session.meta.settings;
    const asks = mode === 'ask' && !this.#isAllowed ? describeStart(start) : undefined;
    this.#isAllowed = await this.turn.call(start, asks, this.changesFiles ? act : nothing);
    if (!this.#isAllowed) {
      throw new NotAllowed();
    }
  }
}

function describeStart({ kind }: ToolStart): string {
  return kind === 'execute' ? 'shell' : 'write_file';
}

async function nothing(): Promise<void> {
  // In the mode that only plans.
}

/** The name of a file as the user sees it, relative to the session's folder. */
export function named(name: string): string {
  return `${workFolderName}/${name}`;
}
