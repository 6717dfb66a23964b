import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type {
  ContextPart,
  ContextReader,
  ContextSession,
} from '../../model/session/providedContext';
import { knownProblems } from '../../platform/files/problems';
import type { Problem } from '../../shared/problem';
import type { ContextSuggestion } from '../../shared/transcript/questions';
import { mapAtOnce } from '../../util/async';
import { isWritten } from './model/isWritten';
import {
  aboutProblems,
  type ProblemsOf,
  problemsText,
  readAboutProblems,
} from './model/problemsText';

const source = 'problems';
/** Files that are suggested by name. */
const maxFiles = 5;
const filesAtOnce = 8;

/** `@problems`: what the Problems view shows of the session's folders, or of one file. */
export const problems: ContextReader = {
  async read(about, session): Promise<readonly ContextPart[]> {
    const wanted = readAboutProblems(about);
    const found = wanted ? select(await problemsOf(session), wanted) : [];
    const text = problemsText(found, (file) => path.relative(session.cwd, file));
    return found.length === 0
      ? []
      : [{ uri: 'acp-sessions:problems.txt', name: l10n.t('Problems'), text }];
  },

  async suggest(typed, session): Promise<readonly ContextSuggestion[]> {
    if (!isWritten(typed, '@problems')) {
      return [];
    }
    const all = await problemsOf(session);
    const files = [...new Set(all.map((problem) => problem.path))];
    const choices = [
      { wanted: { of: 'all' }, mention: '@problems', name: l10n.t('Problems') },
      { wanted: { of: 'errors' }, mention: '@problems:errors', name: l10n.t('Errors') },
      ...files.slice(0, maxFiles).map((file) => ({
        wanted: { of: 'file' as const, path: file },
        mention: `@problems:${path.basename(file).replaceAll(/\s/g, '-')}`,
        name: l10n.t('Problems of {0}', path.basename(file)),
      })),
    ] as const;
    return choices.flatMap(({ wanted, mention, name }) => {
      const found = select(all, wanted);
      return found.length > 0 && isWritten(typed, mention)
        ? [{ source, about: aboutProblems(wanted), mention, name, detail: countText(found) }]
        : [];
    });
  },
};

function select(all: readonly Problem[], wanted: ProblemsOf): readonly Problem[] {
  switch (wanted.of) {
    case 'all':
      return all;
    case 'errors':
      return all.filter(({ severity }) => severity === 'error');
    case 'file':
      return all.filter((problem) => problem.path === wanted.path);
  }
}

function countText(found: readonly Problem[]): string {
  const errors = found.filter(({ severity }) => severity === 'error').length;
  const warnings = found.filter(({ severity }) => severity === 'warning').length;
  if (errors + warnings === 0) {
    return found.length === 1 ? l10n.t('1 note') : l10n.t('{0} notes', found.length);
  }
  return [
    ...(errors > 0 ? [errors === 1 ? l10n.t('1 error') : l10n.t('{0} errors', errors)] : []),
    ...(warnings > 0
      ? [warnings === 1 ? l10n.t('1 warning') : l10n.t('{0} warnings', warnings)]
      : []),
  ].join(', ');
}

/** The problems of files that the session may read. */
async function problemsOf(session: ContextSession): Promise<readonly Problem[]> {
  return knownProblems(async (files) => {
    const allowed = await mapAtOnce(files, filesAtOnce, (file) => session.has(file));
    return new Set(files.filter((_, at) => allowed[at]));
  });
}
