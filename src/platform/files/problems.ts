import * as vscode from 'vscode';
import { type Problem, severities } from '../../shared/problem';

/** The problems that VS Code knows of files, those that `readable` lets through. */
export async function knownProblems(
  readable: (files: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<readonly Problem[]> {
  const all = vscode.languages
    .getDiagnostics()
    .filter(([uri, found]) => uri.scheme === 'file' && found.length > 0);
  const allowed = await readable(all.map(([uri]) => uri.fsPath));
  return all
    .filter(([uri]) => allowed.has(uri.fsPath))
    .flatMap(([uri, found]) => found.map((each) => toProblem(uri.fsPath, each)));
}

/** The problems of one file. */
export function problemsOfFile(uri: vscode.Uri): readonly Problem[] {
  return vscode.languages.getDiagnostics(uri).map((each) => toProblem(uri.fsPath, each));
}

/** Of VS Code's, in the file of this path. */
export function toProblem(
  file: string,
  { message, range, severity, code, source }: vscode.Diagnostic,
): Problem {
  const number = typeof code === 'object' ? code.value : code;
  return {
    path: file,
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: severities[severity],
    message,
    source: [source, number].filter((part) => part !== undefined && part !== '').join(' '),
  };
}
