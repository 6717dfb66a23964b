import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ServedSession } from '../../../model/session/ownServers';
import { knownProblems, problemsOfFile } from '../../../platform/files/problems';
import { type Problem, severities } from '../../../shared/problem';
import { mapAtOnce } from '../../../util/async';
import { asArray, isObject } from '../../../util/json';
import { type EditorTool, ToolRefusal, textArgument } from '../model/tool';
import { fileArgument, isFile, nameOf } from './filePlaces';
import { askOnce, typeScriptCommand } from './languageAnswers';
import { openCurrent, whenReported, whenSeen } from './settledProblems';

const maxLines = 200;
/** Changed files that are looked at. */
const maxChanged = 20;
const filesAtOnce = 4;
const maxMessage = 1000;
/** Bytes of a file that is opened for its problems. */
const maxFile = 5_000_000;

/** The absolute paths of the files that the session's agent has changed in its running turn. */
export type ChangedFiles = (session: ServedSession) => readonly string[];

/** Lists what compilers and linters say. */
export const problemsTool = (changedFiles: ChangedFiles): EditorTool => ({
  name: 'problems',
  description:
    'Errors and warnings of compilers and linters, up to date after edits: of a file ("path"), of the files changed in this turn ("of": "changed"), or of all files that the editor knows them of.',
  properties: {
    path: { type: 'string', description: 'The file.' },
    of: { type: 'string', enum: ['changed'], description: 'Instead of a path.' },
    severity: { type: 'string', enum: ['error', 'warning'], description: 'The least that counts.' },
  },
  run: async (args, session, signal) => {
    const uri = await fileArgument(args, session);
    const of = textArgument(args, 'of');
    if (of !== undefined && (of !== 'changed' || uri !== undefined)) {
      throw new ToolRefusal('"of" is "changed", without a "path".');
    }
    const least = severities.findIndex(
      (name) => name === (textArgument(args, 'severity') ?? 'hint'),
    );
    if (least < 0) {
      throw new ToolRefusal('"severity" is "error" or "warning".');
    }
    const counts = ({ severity }: Problem): boolean => severities.indexOf(severity) <= least;
    const changed = uri !== undefined || of !== undefined ? changedFiles(session) : [];
    await whenSeen([...(await session.readable(changed))], signal);
    if (uri !== undefined) {
      const { found, doubt } = await ofFile(uri, signal);
      const own = found.filter(counts);
      return head(own.length, `in ${nameOf(uri, session)}`) + bound(own.map(row)) + doubt;
    }
    if (of === 'changed') {
      return await ofChanged(changed, session, counts, signal);
    }
    const all = await knownProblems((files) => session.readable(files));
    const text = listed(all.filter(counts), '', session);
    return `${text}\nSome languages report only files that are open: ask with a "path" to be sure of a file.`;
  },
});

/** Those of the files that were changed, each as it is now. */
async function ofChanged(
  changed: readonly string[],
  session: ServedSession,
  counts: (problem: Problem) => boolean,
  signal: AbortSignal,
): Promise<string> {
  const allowed = [...(await session.readable(changed))];
  const there = await mapAtOnce(allowed, filesAtOnce, async (file) =>
    (await isFile(file)) ? vscode.Uri.file(file) : undefined,
  );
  const files = there.filter((file) => file !== undefined);
  const asked = files.slice(0, maxChanged);
  const answers = await mapAtOnce(asked, filesAtOnce, (uri) => ofFile(uri, signal));
  const found = answers.flatMap((answer) => answer.found).filter(counts);
  const doubt = answers.find((answer) => answer.doubt !== '')?.doubt ?? '';
  const left = files.slice(maxChanged).map((uri) => nameOf(uri, session));
  const rest = left.length > 0 ? `\nNot looked at: ${left.slice(0, maxChanged).join(', ')}.` : '';
  return listed(found, ` of the ${asked.length} changed in this turn`, session) + doubt + rest;
}

/** What is known of a file as it is now, and what to add if that may not be all. */
async function ofFile(
  uri: vscode.Uri,
  signal: AbortSignal,
): Promise<{ readonly found: readonly Problem[]; readonly doubt: string }> {
  if ((await stat(uri.fsPath)).size > maxFile) {
    return { found: [], doubt: '\nA file is too large to be looked at.' };
  }
  const { document, isStale } = await openCurrent(uri, signal);
  const asked = /^(?:java|type)script/.test(document.languageId)
    ? await askTypeScript(uri)
    : undefined;
  const doubt = isStale && asked === undefined ? await whenReported(uri, signal) : '';
  const known = problemsOfFile(uri);
  // Of a file without a tab, only TypeScript's own answer is known; other sources say theirs themselves.
  const rest = asked === undefined ? known : known.filter(({ source }) => !/^ts\b/.test(source));
  const found = [...(asked ?? []), ...rest].sort((a, b) => a.line - b.line);
  return { found, doubt };
}

/**
 * What TypeScript says of a file, exactly as it is now, whether or not it has a tab. VS Code's own extension for
 * TypeScript has this command; without it, `undefined`.
 */
async function askTypeScript(uri: vscode.Uri): Promise<readonly Problem[] | undefined> {
  const command = typeScriptCommand;
  if (!(await vscode.commands.getCommands(true)).includes(command)) {
    return undefined;
  }
  const answers = await Promise.all(
    ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'].map((request) =>
      tryAsk(command, request, uri),
    ),
  );
  return answers.includes(undefined)
    ? undefined
    : answers.flatMap((body) =>
        asArray(body).flatMap((written) => readTypeScript(uri.fsPath, written)),
      );
}

/** The answer's body; `undefined` without one. */
async function tryAsk(command: string, request: string, file: vscode.Uri): Promise<unknown> {
  try {
    const answer = await askOnce(command, request, { file });
    return isObject(answer) ? answer['body'] : undefined;
  } catch {
    return undefined;
  }
}

function readTypeScript(file: string, written: unknown): readonly Problem[] {
  const start = isObject(written) ? written['start'] : undefined;
  if (!isObject(written) || !isObject(start)) {
    return [];
  }
  const { text, category, code } = written;
  const severity = severities.find((name) => name === category) ?? 'hint';
  const [line, column] = [Number(start['line']) || 1, Number(start['offset']) || 1];
  const source = `ts ${String(code)}`;
  return [{ path: file, severity, line, column, message: String(text), source }];
}

function head(count: number, where: string): string {
  return `${count} problems ${where}${count > 0 ? ':' : '.'}`;
}

/** Problems of several files. */
function listed(found: readonly Problem[], which: string, session: ServedSession): string {
  const files = [...new Set(found.map((problem) => problem.path))];
  const lines = files.flatMap((file) => [
    '',
    nameOf(vscode.Uri.file(file), session),
    ...found.filter((problem) => problem.path === file).map(row),
  ]);
  return head(found.length, `in ${files.length} files${which}`) + bound(lines);
}

function row({ severity, line, column, message, source }: Problem): string {
  const text = message.slice(0, maxMessage).replaceAll(/\s*\n\s*/g, ' ');
  return `  ${line}:${column}: ${severity}: ${text}${source === '' ? '' : ` [${source.slice(0, 100)}]`}`;
}

function bound(lines: readonly string[]): string {
  const rest = lines.length > maxLines ? '\n[The rest is left out.]' : '';
  return lines.length === 0 ? '' : `\n${lines.slice(0, maxLines).join('\n')}${rest}`;
}
