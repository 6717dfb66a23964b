import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ServedSession } from '../../../model/session/ownServers';
import { withTimeout } from '../../../util/async';
import { isObject, type JsonObject } from '../../../util/json';
import { type EditorTool, ToolRefusal } from '../model/tool';
import { orRefusal } from './acting';
import { nameOf, readable } from './filePlaces';

const maxFrames = 50;
const maxVariables = 200;
const maxValue = 200;
const answerMs = 5000;

export const debugState: EditorTool = {
  name: 'debug_state',
  description:
    'Where the program that the user debugs has stopped: its stack, and the variables of the top frame. The user is asked first.',
  properties: {},
  acts: true,
  run: async (_args, session, signal) => {
    const debugged = vscode.debug.activeDebugSession;
    const folder = debugged?.workspaceFolder?.uri.fsPath;
    if (debugged === undefined || folder === undefined || !(await session.has(folder))) {
      throw new ToolRefusal('No program of this session’s folders is being debugged.');
    }
    const title = l10n.t('Read the stack and the variables of “{0}”', debugged.name);
    const ran = session.run({ title, folder }, () => readState(debugged, session), signal);
    return orRefusal(title, ran);
  },
};

async function readState(debugged: vscode.DebugSession, session: ServedSession): Promise<string> {
  const threadId = await findThread(debugged);
  const { stackFrames } = await ask(debugged, 'stackTrace', { threadId, levels: maxFrames });
  const frames = listOf(stackFrames).slice(0, maxFrames);
  if (frames.length === 0) {
    throw new ToolRefusal('The program runs: its state is known only while it is stopped.');
  }
  const sources = new Map(frames.flatMap((frame) => sourceOf(frame)));
  const allowed = await readable(sources.values(), session);
  const stack = frames.map((frame) => {
    const uri = sources.get(frame);
    const isOwn = uri !== undefined && allowed.has(uri.toString());
    const where = isOwn ? `${nameOf(uri, session)}:${text(frame['line'])}` : 'elsewhere';
    return `  ${text(frame['name'])} (${where})`;
  });
  const variables = await readVariables(debugged, frames[0]?.['id']);
  return ['The program is stopped.', '', 'Stack:', ...stack, '', ...variables].join('\n');
}

/** The thread that the user looks at, or the first. */
async function findThread(debugged: vscode.DebugSession): Promise<unknown> {
  const item = vscode.debug.activeStackItem;
  if (item !== undefined && item.session.id === debugged.id) {
    return item.threadId;
  }
  const { threads } = await ask(debugged, 'threads', {});
  return listOf(threads)[0]?.['id'];
}

async function readVariables(debugged: vscode.DebugSession, frameId: unknown): Promise<string[]> {
  const { scopes } = await ask(debugged, 'scopes', { frameId });
  const lines: string[] = [];
  let left = maxVariables;
  // What is expensive to read, such as all globals, is left out.
  for (const scope of listOf(scopes).filter(({ expensive }) => expensive !== true)) {
    const { variables } = await ask(debugged, 'variables', {
      variablesReference: scope['variablesReference'],
      count: left,
    });
    const shown = listOf(variables).slice(0, left);
    left -= shown.length;
    lines.push(
      `${text(scope['name'])}:`,
      ...shown.map(({ name, value }) => `  ${text(name)} = ${text(value)}`),
    );
  }
  return left > 0 ? lines : [...lines, `[Only the first ${maxVariables} variables are told.]`];
}

/** A request of the Debug Adapter Protocol. */
async function ask(
  debugged: vscode.DebugSession,
  command: string,
  args: JsonObject,
): Promise<JsonObject> {
  const asked = Promise.resolve(debugged.customRequest(command, args)).catch(() => undefined);
  const answer: unknown = await withTimeout(
    asked,
    answerMs,
    () => new ToolRefusal('The debugger did not answer within 5 seconds.'),
  );
  return isObject(answer) ? answer : {};
}

function sourceOf(frame: JsonObject): readonly (readonly [JsonObject, vscode.Uri])[] {
  const source = isObject(frame['source']) ? frame['source'] : {};
  const file = source['path'];
  return typeof file === 'string' && path.isAbsolute(file) ? [[frame, vscode.Uri.file(file)]] : [];
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function text(value: unknown): string {
  const said = typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
  return said.length > maxValue ? `${said.slice(0, maxValue)}…` : said;
}
