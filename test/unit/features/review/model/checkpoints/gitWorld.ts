import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type {
  Checkpoint,
  NoCheckpoint,
  TreeChange,
} from '../../../../../../src/features/review/model/checkpoints/checkpoints';
import {
  GitCheckpoints,
  type GitCheckpointsOptions,
} from '../../../../../../src/features/review/model/checkpoints/gitCheckpoints';
import type {
  Blobs,
  FileState,
} from '../../../../../../src/features/review/model/record/fileState';
import { realPath } from '../../../../../../src/platform/files/realPath';
import { remove, temporaryFolder } from '../../../../model/files/hostileFiles';

/** What `git init` writes, by file: to write it again costs a fraction of starting git again. */
const initial = new Map<string, Buffer>();

/** Files, repositories and checkpoints in a temporary folder, away from the user's configuration. */
export class GitWorld {
  readonly folder = temporaryFolder('checkpoints');
  readonly storage = this.at('storage');
  blobs: Blobs = new BlobsInMemory();
  readonly warnings: string[] = [];
  readonly #opened: GitCheckpoints[] = [];
  readonly #outer = { ...process.env };
  readonly #template = this.at('template');

  constructor() {
    mkdirSync(path.join(this.#template, 'info'), { recursive: true });
    mkdirSync(this.at('home'));
    process.env['HOME'] = this.at('home');
    process.env['XDG_CONFIG_HOME'] = this.at('home', '.config');
    process.env['GIT_CONFIG_NOSYSTEM'] = '1';
  }

  async close(): Promise<void> {
    for (const checkpoints of this.#opened) {
      await checkpoints.close();
    }
    for (const name of ['HOME', 'XDG_CONFIG_HOME', 'GIT_CONFIG_NOSYSTEM']) {
      if (this.#outer[name] === undefined) {
        Reflect.deleteProperty(process.env, name);
      } else {
        process.env[name] = this.#outer[name];
      }
    }
    remove(this.folder);
  }

  at(...names: string[]): string {
    return path.join(this.folder, ...names);
  }

  git(cwd: string, ...args: string[]): string {
    const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
    const allowed = ['-c', 'protocol.file.allow=always', '-c', 'init.defaultBranch=main'];
    // Neither hooks that are copied into each repository, nor a look at whether there is garbage after each commit.
    const quick = ['-c', `init.templateDir=${this.#template}`, '-c', 'maintenance.auto=false'];
    return execFileSync('git', [...author, ...allowed, ...quick, ...args], {
      cwd,
      stdio: 'pipe',
      encoding: 'utf8',
    });
  }

  /** A repository with these files in its only commit. */
  repository(name: string, files: Readonly<Record<string, string | Buffer>> = {}): string {
    const folder = this.at(name);
    mkdirSync(folder, { recursive: true });
    this.#init(folder);
    for (const [file, content] of Object.entries(files)) {
      this.write(path.join(folder, file), content);
    }
    this.git(folder, 'add', '-A');
    this.git(folder, 'commit', '-q', '--allow-empty', '-m', 'First');
    return folder;
  }

  #init(folder: string): void {
    const at = (name: string): string => path.join(folder, '.git', name);
    if (initial.size === 0) {
      this.git(folder, 'init', '-q');
      for (const name of ['HEAD', 'config']) {
        initial.set(name, readFileSync(at(name)));
      }
    }
    for (const name of ['info', 'objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
      mkdirSync(at(name), { recursive: true });
    }
    for (const [name, content] of initial) {
      writeFileSync(at(name), content);
    }
  }

  write(file: string, content: string | Buffer, mode?: number): void {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    if (mode !== undefined) {
      chmodSync(file, mode);
    }
  }

  checkpoints(options: Partial<GitCheckpointsOptions> = {}): GitCheckpoints {
    const silent = () => undefined;
    const warn = (message: string) => void this.warnings.push(message);
    const checkpoints = new GitCheckpoints({
      storage: this.storage,
      git: () => Promise.resolve('git'),
      hindrance: () => undefined,
      realPath,
      log: { error: warn, warn, info: silent, debug: silent, trace: silent },
      ...options,
    });
    this.#opened.push(checkpoints);
    return checkpoints;
  }

  take(checkpoints: GitCheckpoints, ...folders: string[]): Promise<Checkpoint> {
    return this.#mustBe(checkpoints.take(folders));
  }

  /** Takes a checkpoint as when the user begins to write a prompt. */
  prepare(checkpoints: GitCheckpoints, ...folders: string[]): Promise<Checkpoint> {
    return this.#mustBe(checkpoints.prepare(folders));
  }

  async #mustBe(taking: Promise<Checkpoint | NoCheckpoint>): Promise<Checkpoint> {
    const taken = await taking;
    if (typeof taken === 'string') {
      throw new Error(`${taken}: ${this.warnings.join('; ')}`);
    }
    return taken;
  }

  /** What the work changes, as `path: before -> after`; contents in JSON. */
  async changed(
    folder: string,
    work: () => void,
    checkpoints = this.checkpoints(),
  ): Promise<string[]> {
    const before = await this.prepare(checkpoints, folder);
    work();
    return this.since(checkpoints, before, folder);
  }

  async since(checkpoints: GitCheckpoints, before: Checkpoint, folder: string): Promise<string[]> {
    const after = await this.take(checkpoints, folder);
    return this.describe(folder, await checkpoints.changes(before, after, this.blobs));
  }

  async describe(folder: string, changes: readonly TreeChange[]): Promise<string[]> {
    const lines: string[] = [];
    for (const { file, before, after, movedFrom } of changes) {
      const from = movedFrom === undefined ? '' : `${path.relative(folder, movedFrom)} => `;
      const states = `${await this.#textOf(before)} -> ${await this.#textOf(after)}`;
      lines.push(`${from}${path.relative(folder, file)}: ${states}`);
    }
    return lines.sort();
  }

  async #textOf(state: FileState): Promise<string> {
    if (state.kind !== 'file') {
      return state.kind === 'absent' ? 'none' : state.reason;
    }
    const bytes = await this.blobs.read(state.hash);
    const kind = `${state.isExecutable === true ? 'x' : ''}${state.isLink === true ? 'link' : ''}`;
    return `${kind}${JSON.stringify(Buffer.from(bytes ?? 'lost').toString('latin1'))}`;
  }
}

class BlobsInMemory implements Blobs {
  readonly #all = new Map<string, Uint8Array>();

  add(bytes: Uint8Array): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    this.#all.set(hash, Uint8Array.from(bytes));
    return Promise.resolve(hash);
  }

  read(hash: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.#all.get(hash));
  }
}

/** Everything about all files in a folder: names, modes, times, contents. */
export function fingerprint(folder: string): string {
  const hash = createHash('sha256');
  const visit = (at: string): void => {
    for (const name of readdirSync(at).sort()) {
      const file = path.join(at, name);
      const { mode, mtimeMs, size, ino } = lstatSync(file);
      hash.update(`${file} ${mode} ${mtimeMs} ${size} ${ino}\n`);
      if (lstatSync(file).isDirectory()) {
        visit(file);
      } else {
        hash.update(lstatSync(file).isSymbolicLink() ? readlinkSync(file) : readFileSync(file));
      }
    }
  };
  visit(folder);
  return hash.digest('hex');
}
