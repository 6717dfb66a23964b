import path from 'node:path';
import process from 'node:process';
import { ownVariables } from '../../protocol/commandBounds';
import type { PermissionOption } from '../../shared/requests/agentQuestions';
import { filesChangedIn } from '../../shared/transcript/content';
import type { ToolCallEntry } from '../../shared/transcript/entries';
import { isObject } from '../../util/json';
import { besideCommand } from '../calls/besideCommand';
import { type AgentCommand, type NamedCommand, namedCommand, runsJust } from '../calls/commandLine';
import { isEditorTool } from '../calls/editorCalls';
import { comparablePath } from '../files/paths';

/** An act of an agent through this window that requires the user's consent. */
export type Act = 'write' | 'command';

/** A permitted tool call, and what the permission covers. */
interface Grant {
  readonly toolCallId: string;
  readonly turn: number | undefined;
  /** Comparable paths of the files to write; empty when the call named none. */
  readonly files: ReadonlySet<string>;
  /** The command; `undefined` when the call named none: then it covers none. */
  readonly command: NamedCommand | undefined;
  /** The folders in which that runs: those that the call named, or the session's. */
  readonly folders: readonly string[];
  readonly act: Act | undefined;
  /** The one file that a call without file names is used for. */
  file?: string;
  /** The command was started. */
  isUsed?: true;
}

export interface GrantsHost {
  readonly cwd: string;
  /** Identifies the running turn; `undefined` when none runs, or it is being canceled. */
  turn(): number | undefined;
  /** Whether the call has not ended, as far as the agent has reported. */
  isOpen(toolCallId: string): boolean;
}

/** Maximum number of permitted calls in one turn; beyond that, the oldest need permission again. */
const maxGrants = 1000;
const maxNames = 100;
const maxPathLength = 4096;
/** Stands for a name that no file has. */
const noFile = '';
/** Depth to which a tool's input is searched for paths. */
const inputDepth = 3;

const actOf: Partial<Readonly<Record<ToolCallEntry['toolKind'], Act>>> = {
  edit: 'write',
  delete: 'write',
  move: 'write',
  execute: 'command',
};

/**
 * The permissions that the agent of one session has requested and received: those for a call last until
 * its turn ends, lasting ones until the session is closed.
 */
export class Grants {
  readonly #host: GrantsHost;
  readonly #always = new Set<Act>();
  /** The values of the variables that commands may set. */
  readonly #variables = new Map<string, string>();
  #calls: Grant[] = [];

  constructor(host: GrantsHost) {
    this.#host = host;
  }

  /** Whether there is a permission for the rest of the session. */
  get hasLasting(): boolean {
    return this.#always.size > 0 || this.#variables.size > 0;
  }

  /** Records a permission that the user or a rule has granted. */
  note(call: ToolCallEntry, option: PermissionOption['kind']): void {
    const isGranted = option === 'allow_once' || option === 'allow_always';
    // Codex gives calls of all tools the kind of a command; ours run none, and write nothing.
    if (!isGranted || isEditorTool(call.name ?? '') || isEditorTool(call.title)) {
      return;
    }
    const act = actOf[call.toolKind];
    if (option === 'allow_always' && act !== undefined) {
      this.#always.add(act);
    }
    const isAnyTool = call.toolKind === 'other';
    const files = act === 'write' || isAnyTool ? filesNamedIn(call, this.#host.cwd) : [];
    const command = act === 'command' || isAnyTool ? commandNamedIn(call) : undefined;
    if (act !== undefined || files.length > 0 || command !== undefined) {
      const { toolCallId } = call;
      const turn = this.#host.turn();
      this.#calls = this.#calls.filter((grant) => this.#isValid(grant)).slice(1 - maxGrants);
      const folders = foldersNamedIn(call, this.#host.cwd);
      this.#calls.push({ toolCallId, turn, files: new Set(files), command, folders, act });
    }
  }

  /** Allows an act for the rest of the session. */
  allowAlways(act: Act): void {
    this.#always.add(act);
  }

  /** Whether an act is allowed for the rest of the session. */
  isAlways(act: Act): boolean {
    return this.#always.has(act);
  }

  /** Allows commands to set these variables to these values for the rest of the session. */
  allowVariables(env: Readonly<Record<string, string>>): void {
    for (const [name, value] of ownVariables(env)) {
      this.#variables.set(name, value);
    }
  }

  /** Whether a command sets no variable but those that were allowed, and harmless ones. */
  hasVariables(env: Readonly<Record<string, string>>): boolean {
    return ownVariables(env).every(([name, value]) => this.#variables.get(name) === value);
  }

  /**
   * Whether this file may be written; `undefined`: one that no call could name, because a link leads to it. A permitted
   * call without file names covers a single file.
   */
  takeWrite(file: string | undefined): boolean {
    if (this.#always.has('write')) {
      return true;
    }
    if (file === undefined) {
      return false;
    }
    const own = sameFile(file);
    const valid = this.#calls.filter((grant) => this.#isValid(grant));
    if (valid.some((grant) => grant.files.has(own))) {
      return true;
    }
    const open = valid.find(
      (grant) =>
        grant.act === 'write' &&
        grant.files.size === 0 &&
        (grant.file ?? own) === own &&
        this.#host.isOpen(grant.toolCallId),
    );
    if (open !== undefined) {
      open.file = own;
    }
    return open !== undefined;
  }

  /**
   * Whether this command may run in a folder, as far as its variables let it. A permitted call covers one command,
   * inside the session's folders.
   */
  takeCommand(request: AgentCommand, folder: string, isWithin: boolean): boolean {
    if (this.#always.has('command')) {
      return true;
    }
    const grant = this.#calls.find(
      (call) =>
        isWithin &&
        call.isUsed !== true &&
        call.command !== undefined &&
        this.#isValid(call) &&
        this.#host.isOpen(call.toolCallId) &&
        runsJust(request, call.command) &&
        call.folders.every((named) => sameFile(folder) === named),
    );
    if (grant !== undefined) {
      grant.isUsed = true;
    }
    return grant !== undefined;
  }

  /** Drops all permissions for single calls: the connection was lost, or the session is opened again. */
  forgetCalls(): void {
    this.#calls = [];
  }

  /** Drops all permissions. */
  forgetAll(): void {
    this.forgetCalls();
    this.#always.clear();
    this.#variables.clear();
  }

  /** Outside a turn, only the end of the call ends its permission. */
  #isValid({ turn, toolCallId }: Grant): boolean {
    return this.#host.turn() === turn && (turn !== undefined || this.#host.isOpen(toolCallId));
  }
}

/** The command as shown in the card: the one in the input, or the title of a call without input. */
function commandNamedIn({ rawInput, title, toolKind }: ToolCallEntry): NamedCommand | undefined {
  const isTitle = rawInput === undefined && toolKind === 'execute';
  return isTitle ? { text: title } : namedCommand(rawInput);
}

function foldersNamedIn({ rawInput }: ToolCallEntry, cwd: string): readonly string[] {
  const { folders } = besideCommand(rawInput);
  return (folders.length > 0 ? folders : [cwd]).map((folder) =>
    sameFile(path.resolve(cwd, folder)),
  );
}

/**
 * The files that the card shows: its changes and locations; for a call with neither, the paths in its
 * input, which the card shows expanded then.
 */
function filesNamedIn({ content, locations, rawInput }: ToolCallEntry, cwd: string): string[] {
  const shown = [...filesChangedIn(content), ...locations.map((item) => item.path)];
  const named = shown.length > 0 ? shown : pathsIn(rawInput, inputDepth);
  return named
    .slice(0, maxNames)
    .map((name) => (name.length > maxPathLength ? noFile : sameFile(path.resolve(cwd, name))));
}

/** Equal for paths that are the same file for certain: on Linux, names in another case or form are other files. */
function sameFile(file: string): string {
  return process.platform === 'linux' ? path.normalize(file) : comparablePath(file);
}

/** The strings under keys that contain `path` or `file`. */
function pathsIn(value: unknown, depth: number, isPath = false): readonly string[] {
  if (typeof value === 'string') {
    return isPath ? [value] : [];
  }
  if (depth === 0) {
    return [];
  }
  if (Array.isArray(value)) {
    return value.slice(0, maxNames).flatMap((item) => pathsIn(item, depth - 1, isPath));
  }
  return isObject(value)
    ? Object.entries(value)
        .slice(0, maxNames)
        .flatMap(([key, item]) => pathsIn(item, depth - 1, /path|file/i.test(key)))
    : [];
}
