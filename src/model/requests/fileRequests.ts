import type { ReadRequest, WriteRequest } from '../../protocol/agentRequests';
import { AcpError } from '../../protocol/errors';
import { refusal } from '../../protocol/refusal';
import { checkPath, resolveInside } from '../files/roots';
import type { Files, RealPath, Workspace } from '../ports';

export interface FileRequestsOptions {
  readonly files: Files;
  readonly workspace: Workspace;
  readonly realPath: RealPath;
}

/** Handles the agents' file requests, only inside the session's roots (FS-1 to FS-6, DIR-10). */
export class FileRequests {
  readonly #options: FileRequestsOptions;

  constructor(options: FileRequestsOptions) {
    this.#options = options;
  }

  /** FS-2. Rejects in an untrusted workspace, too: no agent runs there. */
  async read(roots: readonly string[], request: ReadRequest): Promise<string> {
    const { line = 1, limit } = request;
    checkWhole(line, 'line');
    checkWhole(limit ?? 0, 'limit');
    if (limit !== undefined && limit < 0) {
      throw refusal('invalidParams', 'The limit is negative');
    }
    const file = await this.#resolve(roots, request.path);
    const text = await this.#options.files.read(file);
    return copyOfPart(linesFrom(text, line, limit), text);
  }

  /** FS-3. Rejects with `cancelled` when `signal` aborts, even while the user is being asked. */
  async write(
    roots: readonly string[],
    request: Pick<WriteRequest, 'path' | 'content'>,
    agentTitle: string,
    signal?: AbortSignal,
  ): Promise<void> {
    const file = await this.#resolve(roots, request.path);
    await this.#options.files.write(file, request.content, agentTitle, signal);
  }

  /** Returns the real path of a file; rejects when it is outside these folders. */
  locate(roots: readonly string[], path: string): Promise<string> {
    return this.#resolve(roots, path);
  }

  /** The text of a located file, `null` when it doesn't exist yet. */
  async getText(file: string): Promise<string | null> {
    try {
      return await this.#options.files.read(file);
    } catch (error) {
      if (error instanceof AcpError && error.code === 'gone') {
        return null;
      }
      throw error;
    }
  }

  /** Reads a file that the user has attached to a prompt, which may be anywhere; see `OfferedFiles`. */
  async readAttached(path: string): Promise<string> {
    const { files, realPath } = this.#options;
    checkPath(path, this.#folders());
    return files.read((await realPath(path)) ?? path);
  }

  #resolve(roots: readonly string[], file: string): Promise<string> {
    const { workspace, realPath } = this.#options;
    if (!workspace.trusted) {
      throw refusal('untrusted', 'The workspace is not trusted');
    }
    return resolveInside(file, { roots, folders: this.#folders() }, realPath);
  }

  #folders(): readonly string[] {
    return this.#options.workspace.folders.map((folder) => folder.path);
  }
}

function checkWhole(value: number, name: string): void {
  if (!Number.isSafeInteger(value)) {
    throw refusal('invalidParams', `The ${name} is not a whole number`);
  }
}

/**
 * The lines from `line` on (1-based; less counts as 1, TR-12) with their original line ends, so that
 * consecutive parts make up the whole text. Empty past the text's end, and for a limit of 0 (FS-6).
 */
export function linesFrom(text: string, line: number, limit: number | undefined): string {
  const start = endOfLines(text, 0, line - 1);
  return text.slice(start, limit === undefined ? text.length : endOfLines(text, start, limit));
}

/** Copies a short part, since a slice keeps the whole string in memory. */
function copyOfPart(part: string, text: string): string {
  return part.length < text.length / 2 ? Buffer.from(part, 'utf16le').toString('utf16le') : part;
}

/** The end of the `count` lines that begin at `start`. */
function endOfLines(text: string, start: number, count: number): number {
  let end = start;
  for (let left = count; left > 0 && end < text.length; left--) {
    const newline = text.indexOf('\n', end);
    end = newline === -1 ? text.length : newline + 1;
  }
  return end;
}
