import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../model/session/session';
import type { Sessions } from '../../model/session/sessions';
import { cleanText } from '../../model/text/titles';
import { literalLine } from '../../shared/literal';
import type { PermissionEntry } from '../../shared/transcript/entries';
import { plainLabel } from '../plainLabel';
import type { TranscriptPanels } from '../transcript/tabs/panels';

type Waiting = Sessions['waiting'][number];

/** The requests that wait for the user's answer, across all sessions. */
export class Requests {
  readonly #sessions: Pick<Sessions, 'waiting'>;
  readonly #panels: Pick<TranscriptPanels, 'show'>;
  #shown: Waiting | undefined;

  constructor(sessions: Pick<Sessions, 'waiting'>, panels: Pick<TranscriptPanels, 'show'>) {
    this.#sessions = sessions;
    this.#panels = panels;
  }

  /** Shows the request after the one shown last; `false` when none waits. */
  async showNext(): Promise<boolean> {
    const next = nextOf(this.#sessions.waiting, this.#shown);
    if (next === undefined) {
      return false;
    }
    await this.#show(next);
    return true;
  }

  /** Lets the user choose a request, and answer a permission request in place. */
  async pick(): Promise<void> {
    const items = this.#sessions.waiting.map((waiting) => ({ ...describe(waiting), waiting }));
    const picked = await vscode.window.showQuickPick(items, {
      title: l10n.t('Waiting Requests'),
      placeHolder:
        items.length === 0
          ? l10n.t('No agent is waiting for an answer')
          : l10n.t('Choose one to answer'),
      matchOnDescription: true,
    });
    if (picked === undefined) {
      return;
    }
    const { session, index } = picked.waiting;
    const entry = session.transcript.entries[index];
    if (entry?.kind !== 'permission' || !(await answerPermission(session, entry))) {
      await this.#show(picked.waiting);
    }
  }

  async #show(waiting: Waiting): Promise<void> {
    this.#shown = waiting;
    (await this.#panels.show(waiting.session)).reveal(waiting.index);
  }
}

function nextOf(all: readonly Waiting[], shown: Waiting | undefined): Waiting | undefined {
  const at = all.findIndex(
    ({ session, index }) => session === shown?.session && index === shown.index,
  );
  return all[(at + 1) % Math.max(1, all.length)];
}

function describe({ session, index }: Waiting): vscode.QuickPickItem {
  const entry = session.transcript.entries[index];
  const [icon, text] =
    entry?.kind === 'permission'
      ? ['shield', literalLine(entry.toolCall.title)]
      : entry?.kind === 'elicitation'
        ? ['question', entry.message]
        : ['question', l10n.t('A question')];
  return {
    label: `$(${icon}) ${plainLabel(cleanText(text, 200))}`,
    description: plainLabel(`${cleanText(session.agent.title, 60)} · ${session.title}`),
  };
}

/** Splits a title into rows of at most 70 characters: a list cuts what is wider than itself. */
const wholeRow = /.{1,70}/gsu;
/** Longer requests are answered in the transcript only. */
const mostRows = 8;

/** `true` when it was answered or dismissed; `false` when it must be shown in its transcript. */
async function answerPermission(session: Session, entry: PermissionEntry): Promise<boolean> {
  const rows = entryRows(entry);
  if (rows.length > mostRows) {
    return false;
  }
  const show: vscode.QuickPickItem = { label: `$(go-to-file) ${l10n.t('Show in Transcript')}` };
  const text = rows.map((row): vscode.QuickPickItem => ({ label: plainLabel(row) }));
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const options = entry.options.map(({ optionId, name }) => ({
    label: plainLabel(cleanText(name, 120)),
    optionId,
  }));
  const items: (vscode.QuickPickItem & { optionId?: string })[] = [
    ...text,
    { ...separator, label: l10n.t('Answer') },
    show,
    ...options,
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t(
      '{0} asks in “{1}”',
      cleanText(session.agent.title, 40),
      cleanText(session.title, 60),
    ),
    placeHolder: l10n.t('Allow this?'),
  });
  if (picked === undefined) {
    return true;
  }
  if (picked.optionId === undefined) {
    return false;
  }
  session.requests.answerPermission(entry.requestId, picked.optionId);
  return true;
}

/** Everything that the user decides about, on rows that fit. */
function entryRows({ toolCall, own }: PermissionEntry): readonly string[] {
  const folder = own?.act === 'command' ? l10n.t('It runs in {0}.', literalLine(own.folder)) : '';
  const question = own?.act === 'folder' ? l10n.t('Let it read and write files there?') : '';
  return [literalLine(toolCall.title), folder, question].flatMap(rowsOf);
}

function rowsOf(text: string): readonly string[] {
  return cleanText(text, 10_000).match(wholeRow) ?? [];
}
