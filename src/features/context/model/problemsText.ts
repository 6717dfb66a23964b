import { type Problem, severities } from '../../../shared/problem';

/** What is attached: all problems or the errors of the session's folders, or those of one file. */
export type ProblemsOf =
  | { readonly of: 'all' | 'errors' }
  | { readonly of: 'file'; readonly path: string };

const maxProblems = 500;
const maxMessage = 1000;

export function aboutProblems(wanted: ProblemsOf): string {
  return wanted.of === 'file' ? `file:${wanted.path}` : wanted.of;
}

/** `undefined` if it isn't written by `aboutProblems`. */
export function readAboutProblems(about: string): ProblemsOf | undefined {
  if (about === 'all' || about === 'errors') {
    return { of: about };
  }
  return about.startsWith('file:') ? { of: 'file', path: about.slice(5) } : undefined;
}

/** One line a problem, by file, the most severe first; at most 500. `show` names a file. */
export function problemsText(problems: readonly Problem[], show: (path: string) => string): string {
  const sorted = [...problems].sort(
    (a, b) =>
      rank(a) - rank(b) || a.path.localeCompare(b.path) || a.line - b.line || a.column - b.column,
  );
  const lines = sorted.slice(0, maxProblems).map((problem) => {
    const { path, line, column, severity, source } = problem;
    const message = problem.message.slice(0, maxMessage).replaceAll(/\s+/g, ' ').trim();
    return `${show(path)}:${line}:${column} ${severity}: ${message}${source && ` (${source})`}`;
  });
  const left = sorted.length - lines.length;
  return [...lines, ...(left > 0 ? [`(${left} more)`] : [])].join('\n');
}

function rank({ severity }: Problem): number {
  return severities.indexOf(severity);
}
