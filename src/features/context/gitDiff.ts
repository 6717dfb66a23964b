import * as l10n from '@vscode/l10n';
import type { ContextPart, ContextReader } from '../../model/session/providedContext';
import { gitProgram } from '../../platform/gitProgram';
import type { ContextSuggestion } from '../../shared/transcript/questions';
import { type Comparison, comparisons, diffText } from './model/diffText';
import { isWritten } from './model/isWritten';

const source = 'diff';
const mentions: Readonly<Record<Comparison, string>> = {
  uncommitted: '@diff',
  staged: '@diff:staged',
  base: '@diff:base',
};

/** `@diff`: what Git says has changed in the session's folder. */
export const gitDiff: ContextReader = {
  async read(about, { cwd }, signal): Promise<readonly ContextPart[]> {
    const comparison = comparisons.find((each) => each === about);
    const git = await gitProgram();
    if (git === undefined) {
      throw new Error(l10n.t('Git wasn’t found'));
    }
    const run = { git, cwd, environment: process.env, signal };
    const text = comparison === undefined ? '' : await diffText(run, comparison);
    return text === ''
      ? []
      : [{ uri: `acp-sessions:${about}.diff`, name: getName(comparison), text }];
  },

  suggest(typed): Promise<readonly ContextSuggestion[]> {
    return Promise.resolve(
      comparisons.flatMap((about) => {
        const mention = mentions[about];
        return isWritten(typed, mention)
          ? [{ source, about, mention, name: getName(about), detail: getName(about) }]
          : [];
      }),
    );
  },
};

function getName(comparison: Comparison | undefined): string {
  switch (comparison) {
    case 'staged':
      return l10n.t('Staged changes');
    case 'base':
      return l10n.t('Changes of the branch');
    default:
      return l10n.t('Uncommitted changes');
  }
}
