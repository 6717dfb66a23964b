import path from 'node:path';
import type {
  CreateTerminalRequest,
  ReadRequest,
  WriteRequest,
} from '../../protocol/agentRequests';
import { refusal } from '../../protocol/refusal';
import type { PermissionOption } from '../../shared/requests/agentQuestions';
import type { ToolCallEntry } from '../../shared/transcript/entries';
import { mapAtOnce } from '../../util/async';
import { commandLine } from '../calls/commandLine';
import type { TurnRecorder } from '../changes/turnRecorder';
import type { RuledPlace } from '../rules/permissionRule';
import { Consent, type ConsentHost } from './consent';
import type { FileRequests } from './fileRequests';
import {
  type FileEdit,
  type FilesEdit,
  isSameText,
  mustBeBounded,
  PartlyWrittenError,
} from './filesEdit';
import { Grants, type GrantsHost } from './grants';
import type { OwnRun } from './ownRun';
import type { PendingRequests } from './pendingRequests';
import { SessionReach, type SessionReachOptions } from './sessionReach';
import { mustBeCommand, type SessionTerminals } from './sessionTerminals';

export interface AgentActsHost
  extends Omit<ConsentHost, 'grants' | 'place'>,
    GrantsHost,
    Omit<SessionReachOptions, 'ask'> {
  readonly requests: ConsentHost['requests'] & Pick<PendingRequests, 'canceled'>;
  readonly files: FileRequests;
  readonly terminals: SessionTerminals;
  /** The path inside, see `RuledPlace`. */
  inward(file: string): string;
  /** Changes when the agent reports its name, or with the settings. */
  agentTitle(): string;
  /** Records what is written; nothing does if it is missing. */
  readonly recorder?: TurnRecorder | undefined;
}

/** Files about which the rules are asked at once. */
const filesAtOnce = 32;

interface LocatedEdit extends FileEdit {
  readonly roots: readonly string[];
}

/** Runs the file and terminal requests of one session's agent: within its reach, and only with consent. */
export class AgentActs {
  readonly #host: AgentActsHost;
  readonly #grants: Grants;
  readonly #consent: Consent;
  readonly reach: SessionReach;
  /** One edit is written after the other: the next one may have been made of the same texts. */
  #edits: Promise<unknown> = Promise.resolve();
  /** The place in which rules look for what a request names. */
  readonly place: RuledPlace;

  constructor(host: AgentActsHost) {
    this.#host = host;
    this.#grants = new Grants(host);
    this.reach = new SessionReach({
      ...host,
      ask: (folder, signal) => this.#consent.mayUseFolder(folder, signal),
    });
    this.place = {
      cwd: host.cwd,
      reach: this.reach,
      inward: (file) => host.inward(file),
      hasVariables: (env) => this.#grants.hasVariables(env),
    };
    this.#consent = new Consent({ ...host, grants: this.#grants, place: this.place });
  }

  /** Whether the user has granted a permission that outlives the turn and can be revoked. */
  get hasLasting(): boolean {
    return this.#grants.hasLasting || this.reach.hasGranted;
  }

  /** Revokes everything that the user has allowed in this session. */
  askAgain(): void {
    this.#grants.forgetAll();
    this.reach.forgetAnswers();
    this.#host.changed();
  }

  /** The agent requested permission for this call, and this option was chosen. */
  permitted(toolCall: ToolCallEntry, option: PermissionOption['kind']): void {
    this.#grants.note(toolCall, option);
    if (option === 'allow_always') {
      this.#host.changed();
    }
  }

  /** Drops all permissions for single calls. */
  forgetCalls(): void {
    this.#grants.forgetCalls();
  }

  /** FS-2: needs no consent within the reach, since the user opened the session there. */
  async read(request: ReadRequest, signal: AbortSignal): Promise<string> {
    const { files } = this.#host;
    const roots = await this.reach.rootsFor(request.path, signal);
    const file = await files.locate(roots, request.path);
    await this.#consent.mayRead(file);
    return files.read(roots, { ...request, path: file });
  }

  /** Which of these files may be read without a question to the user, by what is granted and the user's rules. */
  async readable(files: Iterable<string>): Promise<ReadonlySet<string>> {
    const places = await this.reach.hasAll(files);
    const readable = await mapAtOnce([...places], filesAtOnce, ([file, real]) =>
      this.#consent.mayRead(real).then(
        () => file,
        () => undefined,
      ),
    );
    return new Set(readable.filter((file) => file !== undefined));
  }

  /** FS-3. */
  async write(request: WriteRequest, signal: AbortSignal): Promise<void> {
    const { files } = this.#host;
    const roots = await this.reach.rootsFor(request.path, signal);
    const file = await files.locate(roots, request.path);
    const oldText = (): Promise<string | null> => files.getText(file);
    const isPlain = await this.reach.isWithoutLinks(request.path, file);
    const named = isPlain ? request.path : undefined;
    await this.#consent.mayWrite(request, { file, named }, oldText, signal);
    if ((await files.locate(roots, file)) !== file) {
      throw refusal('changedMeanwhile', `${file} leads elsewhere than when it was allowed`);
    }
    await this.#write(roots, file, request.content, signal);
  }

  /**
   * Changes files for a tool of the editor. Everything that is written was shown, and replaces the text that was shown
   * beside it. Rejects with a `PartlyWrittenError` if a file after the first can't be written: those before it stay.
   */
  async edit(edit: FilesEdit, signal: AbortSignal): Promise<void> {
    mustBeBounded(edit);
    const located: LocatedEdit[] = [];
    for (const { path: named, oldText, newText } of edit.files) {
      const roots = await this.reach.rootsFor(named, signal);
      const file = await this.#host.files.locate(roots, named);
      located.push({ roots, path: file, oldText, newText });
    }
    if (new Set(located.map(({ path: file }) => file)).size < located.length) {
      throw refusal('invalidParams', 'It changes the same file twice');
    }
    await this.#mustBeAsShown(located);
    const files = located.map(({ path: file, oldText, newText }) => ({
      path: file,
      oldText,
      newText,
    }));
    await this.#consent.mayEdit({ title: edit.title, files }, signal);
    const written = this.#edits.then(async () => {
      await this.#mustBeAsShown(located);
      for (const [index, { roots, path: file, newText }] of located.entries()) {
        await this.#write(roots, file, newText, signal).catch((error: unknown) => {
          throw index === 0 ? error : new PartlyWrittenError(index, error);
        });
      }
    });
    this.#edits = written.catch(() => undefined);
    await written;
  }

  /**
   * Runs something for a tool of the editor. `start` is called after the user's yes and resolves when it is over, so what
   * changes until then is the turn's. The signal that it gets aborts with `signal`, and with all that waits for the user.
   */
  async run<T>(
    what: OwnRun,
    start: (stop: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const stop = AbortSignal.any([signal, this.#host.requests.canceled]);
    if (!this.#host.workspace.trusted) {
      throw refusal('untrusted', 'The workspace is not trusted');
    }
    if (!(await this.reach.has(what.folder))) {
      throw refusal('outsideFolders', `${what.folder} is none of the session's folders`);
    }
    await this.#consent.mayRunOwn(what, signal);
    const over = start(stop);
    this.#host.recorder?.runs(
      what.line ?? what.title,
      what.folder,
      over.catch(() => undefined),
    );
    return over;
  }

  /** Rejects if files lead elsewhere or have another text than the user has seen, or is going to see. */
  async #mustBeAsShown(files: readonly LocatedEdit[]): Promise<void> {
    for (const { roots, path: file, oldText } of files) {
      const isThere = (await this.#host.files.locate(roots, file)) === file;
      const text = isThere ? await this.#host.files.getText(file) : null;
      if (text === null || !isSameText(text, oldText)) {
        throw refusal('changedMeanwhile', `${file} has another text than the change was made for`);
      }
    }
  }

  /** Writes a file that may be written, as the agent's change. */
  async #write(
    roots: readonly string[],
    file: string,
    content: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { files, recorder } = this.#host;
    const write = (): Promise<void> =>
      files.write(roots, { path: file, content }, this.#host.agentTitle(), signal);
    await (recorder === undefined ? write() : recorder.write(file, write));
  }

  /** TE-2. */
  async createTerminal(request: CreateTerminalRequest, signal: AbortSignal): Promise<string> {
    const { terminals, workspace, cwd } = this.#host;
    mustBeCommand(request);
    if (!workspace.trusted) {
      throw refusal('untrusted', 'The workspace is not trusted');
    }
    // Decided once: what is shown and judged is what runs, and where.
    const folder = await this.#realFolder(request.cwd ?? cwd);
    const isWithin = folder === path.normalize(cwd) || (await this.reach.has(folder));
    const command = await terminals.withShell({ ...request, cwd: folder });
    await this.#consent.mayRun(command, folder, isWithin, signal);
    if ((await this.#realFolder(folder)) !== folder) {
      throw refusal('changedMeanwhile', `${folder} leads elsewhere than when it was allowed`);
    }
    const id = await terminals.create(command, signal);
    const { exited } = terminals.get(id) ?? {};
    if (exited !== undefined) {
      this.#host.recorder?.runs(commandLine(command), folder, exited);
    }
    return id;
  }

  /** The folder where a command really runs; the session's folder is called as the session calls it. */
  async #realFolder(folder: string): Promise<string> {
    const { cwd, realPath } = this.#host;
    const own = path.normalize(cwd);
    if (folder === cwd || folder === own) {
      return own;
    }
    const [real, realCwd] = await Promise.all([realPath(folder), realPath(cwd)]);
    return real === undefined ? path.normalize(folder) : real === realCwd ? own : real;
  }
}
