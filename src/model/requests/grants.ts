import path from 'node:path';
import type { CreateTerminalRequest } from '../../protocol/agentRequests';
import type { PermissionOption } from '../../shared/requests/questions';
import { diffsIn } from '../../shared/transcript/content';
import type { ToolCallEntry } from '../../shared/transcript/entries';
import { isObject } from '../../util/json';
import { comparablePath } from '../files/paths';
import { commandOf, runsJust } from './commandLine';

/** What an agent can do through this window that a person decides about. */
export type Act = 'write' | 'command';

/** A tool call that was allowed, and what that covers. */
interface Grant {
  readonly toolCallId: string;
  readonly turn: number | undefined;
  /** Comparable paths of the files to be written; empty when the call named none. */
  readonly files: ReadonlySet<string>;
  /** The one command; `undefined` when the call named none. */
  readonly command: string | undefined;
  readonly act: Act | undefined;
  /** The one file that a call without names was used for. */
  file?: string;
  /** Its command was started. */
  isUsed?: true;
}

export interface GrantsHost {
  readonly cwd: string;
  /** A number for the turn that runs; `undefined` when none does, or it is being cancelled. */
  turn(): number | undefined;
  /** Whether the agent hasn't reported the end of this call. */
  isOpen(toolCallId: string): boolean;
}

/** Calls of one turn; beyond these the oldest have to be asked for again. */
const mostGrants = 1000;
const mostNames = 100;
const longestPath = 4096;
/** How deep a tool's input is looked through for paths. */
const inputDepth = 3;

const actOf: Partial<Readonly<Record<ToolCallEntry['toolKind'], Act>>> = {
  edit: 'write',
  delete: 'write',
  move: 'write',
  execute: 'command',
};

/**
 * What the permissions of one session cover that its agent has asked for and got: those for a call until its
 * turn ends, those for good as long as the session is open.
 */
export class Grants {
  readonly #host: GrantsHost;
  readonly #always = new Set<Act>();
  #calls: Grant[] = [];

  constructor(host: GrantsHost) {
    this.#host = host;
  }

  /** Whether something is allowed for good. */
  get hasLasting(): boolean {
    return this.#always.size > 0;
  }

  /** A permission was given, by a person or a rule. */
  note(call: ToolCallEntry, option: PermissionOption['kind']): void {
    if (option !== 'allow_once' && option !== 'allow_always') {
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
      this.#calls = this.#calls.filter((grant) => this.#isValid(grant)).slice(1 - mostGrants);
      this.#calls.push({ toolCallId, turn, files: new Set(files), command, act });
    }
  }

  /** For the rest of the session. */
  allowAlways(act: Act): void {
    this.#always.add(act);
  }

  /** Whether this file may be written. A call that names no file covers one. */
  takeWrite(file: string): boolean {
    if (this.#always.has('write')) {
      return true;
    }
    const own = comparablePath(file);
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

  /** Whether this command may be run. A call covers one, in the session's folders. */
  takeCommand(request: CreateTerminalRequest, isWithin: boolean): boolean {
    if (this.#always.has('command')) {
      return true;
    }
    const grant = this.#calls.find(
      (call) =>
        isWithin &&
        call.isUsed !== true &&
        (call.act === 'command' || call.command !== undefined) &&
        this.#isValid(call) &&
        this.#host.isOpen(call.toolCallId) &&
        (call.command === undefined || runsJust(request, call.command)) &&
        !changesProgram(request),
    );
    if (grant !== undefined) {
      grant.isUsed = true;
    }
    return grant !== undefined;
  }

  /** What was allowed for a call is over: the agent went, or the session is loaded anew. */
  forgetCalls(): void {
    this.#calls = [];
  }

  /** Everything is asked about again. */
  forgetAll(): void {
    this.forgetCalls();
    this.#always.clear();
  }

  /** Outside of a turn nothing else says when a permission ends. */
  #isValid({ turn, toolCallId }: Grant): boolean {
    return this.#host.turn() === turn && (turn !== undefined || this.#host.isOpen(toolCallId));
  }
}

/** Variables by which another program runs than the one that a person was shown. */
const programVariables =
  /^(?:PATH|PATHEXT|LD_.*|DYLD_.*|NODE_OPTIONS|BASH_ENV|ENV|SHELLOPTS|PS4|IFS|PROMPT_COMMAND|PYTHON(?:PATH|STARTUP|HOME)|PERL5(?:LIB|OPT)|RUBY(?:LIB|OPT)|JAVA_TOOL_OPTIONS|GIT_.*)$/i;

function changesProgram({ env }: CreateTerminalRequest): boolean {
  return Object.keys(env).some((name) => programVariables.test(name));
}

/** As the card shows it: the input's, or the title of a call without input. */
function commandNamedIn({ rawInput, title, toolKind }: ToolCallEntry): string | undefined {
  const isTitle = rawInput === undefined && toolKind === 'execute';
  return isTitle ? title : commandOf(rawInput);
}

/**
 * The files that a person sees in the card: its diffs and locations. Only of a call with neither the paths
 * in its input, which is open in the card then.
 */
function filesNamedIn({ content, locations, rawInput }: ToolCallEntry, cwd: string): string[] {
  const shown = [...diffsIn(content), ...locations].map((item) => item.path);
  const named = shown.length > 0 ? shown : pathsIn(rawInput, inputDepth);
  return named
    .slice(0, mostNames)
    .map((name) => comparablePath(path.resolve(cwd, name.slice(0, longestPath))));
}

/** What stands under a key that speaks of a path or file. */
function pathsIn(value: unknown, depth: number, isPath = false): readonly string[] {
  if (typeof value === 'string') {
    return isPath ? [value] : [];
  }
  if (depth === 0) {
    return [];
  }
  if (Array.isArray(value)) {
    return value.slice(0, mostNames).flatMap((item) => pathsIn(item, depth - 1, isPath));
  }
  return isObject(value)
    ? Object.entries(value)
        .slice(0, mostNames)
        .flatMap(([key, item]) => pathsIn(item, depth - 1, /path|file/i.test(key)))
    : [];
}
