import * as l10n from '@vscode/l10n';
import { listFirst } from '../../../model/text/listFirst';
import { cleanText } from '../../../model/text/titles';
import { showInformationMessage, showWarningMessage } from '../../../platform/ui/messages';
import type { ReportProgress } from '../../../platform/ui/withCancel';
import { type BroughtFiles, bringIgnored, type NotBroughtReason } from '../model/ignoredFiles';
import { WorktreeTrouble } from '../model/trouble';
import { worktreeIncludeFiles } from '../settings';
import { gitFor, type WorktreeServices } from '../worktreeServices';

/** Files that a sentence names; the log has all. */
const maxNamedFiles = 5;

/**
 * Brings the ignored files into a new worktree that VS Code's setting and the repository's `.worktreeinclude` name, and
 * says which: the agent can read them there. The worktree is of use without them, so this never fails.
 */
export async function bringIgnoredFiles(
  services: WorktreeServices,
  from: string,
  to: string,
  { signal, report }: { readonly signal: AbortSignal; readonly report: ReportProgress },
): Promise<void> {
  const log = services.log.component('worktrees');
  try {
    report(l10n.t('copying ignored files…'));
    const { realPath } = services;
    const globs = worktreeIncludeFiles(from);
    const files = await bringIgnored(gitFor(signal), { from, to, globs, realPath, signal });
    for (const { name, reason } of files.left) {
      log.info(`Not copied into ${to}: ${name} (${reason})`);
    }
    tell(files);
  } catch (error) {
    if (!(error instanceof WorktreeTrouble)) {
      throw error;
    }
    if (error.problem !== 'cancelled') {
      void showWarningMessage(
        l10n.t('No ignored files were copied into the new worktree. {0}', error.message),
      );
    }
  }
}

function tell({ brought, left, leftOutPatterns }: BroughtFiles): void {
  const said = [
    ...(brought.length > 0
      ? [
          l10n.t(
            'Copied into the new worktree, where the agent can read them, although Git ignores them: {0}.',
            getList(brought),
          ),
        ]
      : []),
    ...leftSentences(left),
    ...(leftOutPatterns.length > 0
      ? [
          l10n.t(
            'Patterns of “git.worktreeIncludeFiles” and “.worktreeinclude” that are too long or too many counted for nothing: {0}.',
            getList(leftOutPatterns),
          ),
        ]
      : []),
  ];
  const isWhole = left.length === 0 && leftOutPatterns.length === 0;
  if (said.length > 0) {
    void (isWhole ? showInformationMessage : showWarningMessage)(said.join(' '));
  }
}

function leftSentences(left: BroughtFiles['left']): readonly string[] {
  const reasons = [...new Set(left.map(({ reason }) => reason))];
  return reasons.map((reason) =>
    leftSentence(
      reason,
      getList(left.filter((file) => file.reason === reason).map(({ name }) => name)),
    ),
  );
}

function leftSentence(reason: NotBroughtReason, names: string): string {
  switch (reason) {
    case 'there':
      return l10n.t('Not copied, because the branch has files of these names: {0}.', names);
    case 'notAFile':
      return l10n.t('Not copied, because they are links, or no regular files: {0}.', names);
    case 'tooLarge':
      return l10n.t('Not copied, because each is larger than 100 MB: {0}.', names);
    case 'tooMuch':
      return l10n.t(
        'Not copied, because together they are too many, too large, or took too long: {0}.',
        names,
      );
    case 'failed':
      return l10n.t('Not copied, because they couldn’t be read or written: {0}.', names);
  }
}

function getList(names: readonly string[]): string {
  return listFirst(names, maxNamedFiles)
    .map((name) => cleanText(name, 100))
    .join(', ');
}
