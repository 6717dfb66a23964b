import type { ReadRequest, WriteRequest } from '../../protocol/agentRequests';
import { AcpError } from '../../protocol/errors';
import { checkPath, resolveInside } from '../files/roots';
import type { Files, RealPath, Workspace } from '../ports';

export interface FileRequestsOptions {
  readonly files: Files;
  readonly workspace: Workspace;
  readonly realPath: RealPath;
}

/** Answers what agents ask of files, inside of their session's roots only (FS-1 to FS-6, DIR-10). */
export class FileRequests {
  readonly #options: FileRequestsOptions;

  constructor(options: FileRequestsOptions) {
    this.#options = options;
  }

  /** FS-2. Nothing is read in an untrusted workspace either: no agent runs there. */
  async read(roots: readonly string[], request: ReadRequest): Promise<string> {
    const { line = 1, limit } = request;
    checkWhole(line, 'line');
    checkWhole(limit ?? 0, 'limit');
    if (limit !== undefined && limit < 0) {
      throw new AcpError('invalidParams', 'The limit is less than nothing');
    }
    const file = await this.#resolve(roots, request.path);
    const text = await this.#options.files.read(file);
    return copyOfPart(linesOf(text, line, limit), text);
  }

  /** FS-3. An aborted request is rejected with `cancelled`, even while a person is being asked. */
  async write(
    roots: readonly string[],
    request: WriteRequest,
    agentTitle: string,
    signal?: AbortSignal,
  ): Promise<void> {
    const file = await this.#resolve(roots, request.path);
    await this.#options.files.write(file, request.content, agentTitle, signal);
  }

  /** Where a file of the session really is. Rejects when it lies outside of these folders. */
  locate(roots: readonly string[], path: string): Promise<string> {
    return this.#resolve(roots, path);
  }

  /** The text of a file that was located, `null` when it isn't there yet. */
  async textOf(file: string): Promise<string | null> {
    try {
      return await this.#options.files.read(file);
    } catch (error) {
      if (error instanceof AcpError && error.code === 'gone') {
        return null;
      }
      throw error;
    }
  }

  /** A file that a person has attached to a prompt: theirs to choose, wherever it is; see `OfferedFiles`. */
  async readAttached(path: string): Promise<string> {
    const { files, realPath } = this.#options;
    checkPath(path, this.#folders());
    return files.read((await realPath(path)) ?? path);
  }

  #resolve(roots: readonly string[], file: string): Promise<string> {
    const { workspace, realPath } = this.#options;
    if (!workspace.trusted) {
      throw new AcpError('untrusted', 'The workspace is not trusted');
    }
    return resolveInside(file, { roots, folders: this.#folders() }, realPath);
  }

  #folders(): readonly string[] {
    return this.#options.workspace.folders.map((folder) => folder.path);
  }
}

function checkWhole(value: number, name: string): void {
  if (!Number.isSafeInteger(value)) {
    throw new AcpError('invalidParams', `The ${name} is not a whole number`);
  }
}

/**
 * The lines from `line` on (1-based; less counts as 1, TR-12) with their line ends as they are, so that
 * pieces that follow one another make up the whole text. Nothing beyond the end, and nothing for a
 * limit of 0 (FS-6).
 */
export function linesOf(text: string, line: number, limit: number | undefined): string {
  const start = endOfLines(text, 0, line - 1);
  return text.slice(start, limit === undefined ? text.length : endOfLines(text, start, limit));
}

/** A part of a text keeps all of it in memory; a copy of it doesn't. */
function copyOfPart(part: string, text: string): string {
  return part.length < text.length / 2 ? Buffer.from(part, 'utf16le').toString('utf16le') : part;
}

/** Where `count` lines that begin at `start` end. */
function endOfLines(text: string, start: number, count: number): number {
  let end = start;
  for (let left = count; left > 0 && end < text.length; left--) {
    const newline = text.indexOf('\n', end);
    end = newline === -1 ? text.length : newline + 1;
  }
  return end;
}
