import path from 'node:path';
import { childEnvironment } from '../../../util/process/childEnvironment';
import { findProgram, isProgram } from '../../../util/process/findProgram';
import type { startProcess } from '../../../util/process/startProcess';
import { findManager } from './programFacts';
import { type FoundProgram, type ProgramLookup, pathIn } from './programLookup';

const limitMs = 10_000;
const graceMs = 500;
const maxOutput = 200;

/** The Node that runs an agent's script. */
export interface NodeFacts {
  /** `undefined` if the agent's script doesn't find it. */
  readonly file?: string;
  /** The version as Node.js prints it; `undefined` if it can't be run. */
  readonly version?: string;
  readonly manager?: string;
  /** The place where the login shell would find it, if the agent's script doesn't. */
  readonly inLoginShell?: string;
}

/** Whether an agent's program needs Node to run it. */
export function needsNode({ file, interpreter }: FoundProgram): boolean {
  return interpreter?.isNode === true || /^node(?:\.exe)?$/i.test(path.basename(file));
}

/** Finds the Node that runs a script, and asks it for its version. Never rejects. */
export async function lookUpNode(
  program: FoundProgram,
  lookup: Pick<ProgramLookup, 'loginPath'>,
  start: typeof startProcess,
  cwd: string | undefined,
  signal: AbortSignal,
): Promise<NodeFacts> {
  const file = await findNode(program);
  if (file === undefined) {
    const inLoginShell = await findProgram('node', [lookup.loginPath]);
    return inLoginShell === undefined ? {} : { inLoginShell };
  }
  const { environments } = program;
  const output = await getOutput(start, { command: file, cwd, environments, signal });
  const version = /v?\d+\.\d+\.\d+[\w.+-]*/.exec(output)?.[0];
  const manager = findManager(file);
  return {
    file,
    ...(version !== undefined && { version }),
    ...(manager !== undefined && { manager }),
  };
}

async function findNode({
  file,
  interpreter,
  environments,
}: FoundProgram): Promise<string | undefined> {
  if (interpreter === undefined) {
    return file;
  }
  if (path.isAbsolute(interpreter.program)) {
    return (await isProgram(interpreter.program)) ? interpreter.program : undefined;
  }
  // A script of npm for Windows prefers the Node beside it.
  const beside = process.platform === 'win32' ? path.dirname(file) : undefined;
  return findProgram('node', [beside, pathIn(childEnvironment(environments))]);
}

interface Run {
  readonly command: string;
  readonly cwd: string | undefined;
  readonly environments: FoundProgram['environments'];
  readonly signal: AbortSignal;
}

/** What a program prints when asked for its version; empty if it can't be run. */
async function getOutput(
  start: typeof startProcess,
  { command, cwd, environments, signal }: Run,
): Promise<string> {
  let started: ReturnType<typeof startProcess>;
  try {
    started = start({ command, args: ['--version'], cwd, environments, stdin: 'ignore', graceMs });
  } catch {
    return '';
  }
  const { child, tree } = started;
  const limits = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  let output = '';
  await new Promise<void>((resolve) => {
    const end = (): void => resolve();
    child.on('error', end);
    child.on('close', end);
    limits.addEventListener('abort', end, { once: true });
    if (limits.aborted) {
      end();
    }
    child.stderr?.resume();
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(0, maxOutput);
    });
  });
  await tree?.terminate();
  return output;
}
