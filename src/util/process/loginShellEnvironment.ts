import { spawn } from 'node:child_process';
import { userInfo } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { isObject } from '../json';
import type { Environment } from './environment';
import { withoutHostVariables } from './hostVariables';
import { ProcessTree } from './processTree';

const timeLimitMs = 10_000;
const maxOutput = 4 * 1024 * 1024;
const graceMs = 1000;
/** Makes Electron run as plain Node. */
const asked = { ELECTRON_RUN_AS_NODE: '1', ELECTRON_NO_ATTACH_CONSOLE: '1' };

/** The environment of one shell for all agents: it stays the same as long as this process runs. */
let resolved: Promise<Environment | undefined> | undefined;

/**
 * The environment set up by the user's login shell, since an editor started from the desktop may
 * lack a terminal's PATH. Read once; `undefined` on Windows, or if the shell fails or takes longer
 * than ten seconds.
 */
export function loginShellEnvironment(): Promise<Environment | undefined> {
  resolved ??=
    process.platform === 'win32' ? Promise.resolve(undefined) : readFromShell(userShell());
  return resolved;
}

function userShell(): string {
  return process.env['SHELL'] || userInfo().shell || '/bin/sh';
}

/** Runs a login shell that prints its environment. Never rejects. */
export async function readFromShell(
  shell: string,
  limitMs = timeLimitMs,
): Promise<Environment | undefined> {
  const mark = crypto.randomUUID();
  // Printed as JSON by this process's Node, because values may contain line breaks and `env` has no
  // portable way to separate them otherwise. The marks distinguish it from the output of a profile.
  const program = `process.stdout.write('${mark}' + JSON.stringify(process.env) + '${mark}')`;
  const command = `${quoted(process.execPath)} -e ${quoted(program)}`;
  const output = await run(shell, [...shellFlags(shell), command], limitMs);
  return parseEnvironment(output.split(mark)[1]);
}

function shellFlags(shell: string): readonly string[] {
  const isCShell = /^t?csh$/.test(path.basename(shell));
  return [isCShell ? '-ic' : '-ilc'];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function run(shell: string, args: readonly string[], limitMs: number): Promise<string> {
  const env = { ...withoutHostVariables(process.env), ...asked };
  const child = spawn(shell, args, { detached: true, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const { pid } = child;
  // Without a mark: services that a profile starts for all of the user's programs, such as key
  // agents, must not be ended.
  const tree = pid === undefined ? undefined : new ProcessTree({ child, pid, graceMs });
  return new Promise((resolve) => {
    let output = '';
    const end = (): void => {
      clearTimeout(timer);
      // A profile may have started something that keeps running.
      void tree?.terminate();
      resolve(output);
    };
    const timer = setTimeout(end, limitMs);
    child.on('error', end);
    child.on('close', end);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > maxOutput) {
        end();
      }
    });
  });
}

function parseEnvironment(json: string | undefined): Environment | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json ?? '');
  } catch {
    return undefined;
  }
  if (!isObject(value)) {
    return undefined;
  }
  const own = Object.entries(value).filter(
    ([name, text]) => typeof text === 'string' && !(name in asked),
  );
  return Object.fromEntries(own) as Environment;
}
