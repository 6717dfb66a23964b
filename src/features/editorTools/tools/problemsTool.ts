import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ServedSession } from '../../../model/session/ownServers';
import { asArray, isObject } from '../../../util/json';
import { type EditorTool, ToolRefusal, textArgument } from '../model/tool';
import { fileArgument, nameOf, readable } from './filePlaces';
import { askOnce } from './languageAnswers';
import { openCurrent, whenReported } from './settledProblems';

const maxProblems = 200;
const maxMessage = 1000;
/** Bytes of a file that is opened for its problems. */
const maxFile = 5_000_000;

interface Problem {
  readonly severity: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** Who says so, such as `ts 2322`. */
  readonly source: string;
}

const severities = ['error', 'warning', 'information', 'hint'];

/** Lists what compilers and linters say. */
export const problems: EditorTool = {
  name: 'problems',
  description:
    'Errors and warnings of compilers and linters, up to date after edits: of a file ("path"), or of all files that the editor knows them of.',
  properties: {
    path: { type: 'string', description: 'The file.' },
    severity: { type: 'string', enum: ['error', 'warning'], description: 'The least that counts.' },
  },
  run: async (args, session, signal) => {
    const uri = await fileArgument(args, session);
    const least = severities.indexOf(textArgument(args, 'severity') ?? 'hint');
    if (least < 0) {
      throw new ToolRefusal('"severity" is "error" or "warning".');
    }
    const counts = ({ severity }: Problem): boolean => severities.indexOf(severity) <= least;
    if (uri !== undefined) {
      return await ofFile(uri, session, counts, signal);
    }
    const all = vscode.languages.getDiagnostics();
    const allowed = await readable(
      all.map(([file]) => file),
      session,
    );
    const files = all
      .filter(([file]) => allowed.has(file.toString()))
      .map(([file, found]) => ({ file, found: found.map(toProblem).filter(counts) }))
      .filter(({ found }) => found.length > 0);
    const total = files.reduce((sum, { found }) => sum + found.length, 0);
    const lines = files.flatMap(({ file, found }) => [
      '',
      nameOf(file, session),
      ...found.map(row),
    ]);
    return `${head(total, `in ${files.length} files`)}${bound(lines, total)}\nSome languages report only files that are open: ask with a "path" to be sure of a file.`;
  },
};

async function ofFile(
  uri: vscode.Uri,
  session: ServedSession,
  counts: (problem: Problem) => boolean,
  signal: AbortSignal,
): Promise<string> {
  if ((await stat(uri.fsPath)).size > maxFile) {
    throw new ToolRefusal('The file is too large.');
  }
  const { document, isStale } = await openCurrent(uri, signal);
  const asked = /^(?:java|type)script/.test(document.languageId)
    ? await askTypeScript(uri)
    : undefined;
  const doubt = isStale && asked === undefined ? await whenReported(uri, signal) : '';
  const known = vscode.languages.getDiagnostics(uri).map(toProblem);
  // Of a file without a tab, only TypeScript's own answer is known; other sources say theirs themselves.
  const rest = asked === undefined ? known : known.filter(({ source }) => !/^ts\b/.test(source));
  const found = [...(asked ?? []), ...rest].filter(counts).sort((a, b) => a.line - b.line);
  const text =
    head(found.length, `in ${nameOf(uri, session)}`) + bound(found.map(row), found.length);
  return text + doubt;
}

/**
 * What TypeScript says of a file, exactly as it is now, whether or not it has a tab. VS Code's own extension for
 * TypeScript has this command; without it, `undefined`.
 */
async function askTypeScript(uri: vscode.Uri): Promise<readonly Problem[] | undefined> {
  const command = 'typescript.tsserverRequest';
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
    : answers.flatMap((body) => asArray(body).flatMap(readTypeScript));
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

function readTypeScript(written: unknown): readonly Problem[] {
  const start = isObject(written) ? written['start'] : undefined;
  if (!isObject(written) || !isObject(start)) {
    return [];
  }
  const { text, category, code } = written;
  const severity = severities.find((name) => name === category) ?? 'hint';
  const [line, column] = [Number(start['line']) || 1, Number(start['offset']) || 1];
  return [{ severity, line, column, message: String(text), source: `ts ${String(code)}` }];
}

function toProblem({ severity, range, message, source, code }: vscode.Diagnostic): Problem {
  const number = typeof code === 'object' ? code.value : code;
  return {
    severity: severities[severity] ?? 'hint',
    line: range.start.line + 1,
    column: range.start.character + 1,
    message,
    source: [source, number].filter((part) => part !== undefined && part !== '').join(' '),
  };
}

function head(count: number, where: string): string {
  return `${count} problems ${where}${count > 0 ? ':' : '.'}`;
}

function row({ severity, line, column, message, source }: Problem): string {
  const text = message.slice(0, maxMessage).replaceAll(/\s*\n\s*/g, ' ');
  return `  ${line}:${column}: ${severity}: ${text}${source === '' ? '' : ` [${source.slice(0, 100)}]`}`;
}

function bound(lines: readonly string[], total: number): string {
  const rest = lines.length > maxProblems ? `\n[The rest of ${total} is left out.]` : '';
  return lines.length === 0 ? '' : `\n${lines.slice(0, maxProblems).join('\n')}${rest}`;
}
