import * as l10n from '@vscode/l10n';
import type { Session } from '../../../model/session/session';
import { showInformationMessage } from '../../../platform/ui/messages';
import type { Entry } from '../../../shared/transcript/entries';
import type { WorktreeServices } from '../worktreeServices';

/** Entries that are looked through, and characters of a message that are kept. */
const maxEntries = 200;
const maxLength = 5_000;

const prompt = (): string =>
  l10n.t(
    'Propose a message for a commit of all changes in this worktree that aren’t committed. Answer with the message alone: a first line of at most 72 characters and, if it is needed, a text below an empty line. Change nothing and commit nothing.',
  );

/** Asks a session's agent, as the user would, in its transcript. */
export async function askForMessage(
  { panels }: Pick<WorktreeServices, 'panels'>,
  session: Session,
): Promise<void> {
  session.turns.submit({ text: prompt(), attachments: [] });
  await panels.open(session.agent, session.info);
  void showInformationMessage(
    l10n.t('The message is proposed when you choose Commit… again, after the agent has answered.'),
  );
}

/** What the agent has answered, if that was the last prompt. */
export function proposedMessage({
  transcript,
  isBusy,
}: Pick<Session, 'transcript' | 'isBusy'>): string | undefined {
  const last = transcript.entries.slice(-maxEntries);
  const asked = last.findLastIndex(({ kind }) => kind === 'user');
  if (isBusy || asked === -1 || textOf(last[asked])?.trim() !== prompt()) {
    return undefined;
  }
  const answer = textOf(last.slice(asked + 1).findLast(({ kind }) => kind === 'agent'));
  return answer === undefined ? undefined : cleaned(answer) || undefined;
}

function textOf(entry: Entry | undefined): string | undefined {
  return entry?.kind === 'agent' || entry?.kind === 'user'
    ? entry.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
    : undefined;
}

/** Without the fences around it, and without characters that can't be seen. */
function cleaned(text: string): string {
  const fenced = /```[^\n]*\n([\s\S]*?)\n```/.exec(text);
  return (fenced?.[1] ?? text)
    .slice(0, maxLength)
    .replace(/[^\P{C}\n\t]/gu, '')
    .trim();
}
