import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandServices } from '../../commands/session/commandServices';
import { createSession } from '../../commands/session/newSession';
import { toSavedTranscript } from '../../model/kept/savedTranscript';
import type { Session } from '../../model/session/session';
import { cleanText } from '../../model/text/titles';
import { promptLanguage } from '../../platform/ids';
import { showInformationMessage } from '../../platform/ui/messages';
import { pickSession } from '../../views/picker/pickSession';
import { plainLabel } from '../../views/plainLabel';
import type { SavedPrompts } from '../../views/transcript/composer/savedPrompts';
import type { PromptLoader } from './promptLoader';

export interface PromptCommandServices extends CommandServices {
  readonly prompts: PromptLoader;
  readonly savedPrompts: SavedPrompts;
}

/** "Edit Prompt in Editor": opens the draft of the tab in use in an editor. */
export function editPrompt({ panels }: PromptCommandServices): void {
  if (panels.recent === undefined) {
    void showInformationMessage(l10n.t('Open a session first to edit its prompt.'));
    return;
  }
  panels.recent.send('editPrompt');
}

/** An empty one, for the session in use if there is one. */
async function newPrompt({ panels, prompts }: PromptCommandServices): Promise<void> {
  const shown = panels.recent?.session;
  // The editor's suggestions are those of a session.
  const session = shown?.first === undefined ? shown : await shown.first.begin();
  await (await prompts.load()).create(session && toSavedTranscript(session));
}

export async function sendPrompt({ prompts }: PromptCommandServices): Promise<void> {
  const document = promptDocument();
  if (document !== undefined) {
    await (await prompts.load()).send(document);
  }
}

export async function choosePromptSession({ prompts }: PromptCommandServices): Promise<void> {
  const document = promptDocument();
  if (document !== undefined) {
    const column = vscode.window.activeTextEditor?.viewColumn;
    await (await prompts.load()).chooseSession(document);
    // Called from the status bar or with a new session's tab on top, the editor would have lost the focus.
    await vscode.window.showTextDocument(document, column);
  }
}

/** Called by the CodeLens of an attachment that isn't written in the prompt. */
export async function removeFromPrompt(
  { prompts }: PromptCommandServices,
  uri: unknown,
  name: unknown,
): Promise<void> {
  if (uri instanceof vscode.Uri && typeof name === 'string') {
    (await prompts.load()).remove(uri, name);
  }
}

/** "Run Prompt…": a saved prompt of the workspace, in a session that the user chooses; or a new one. */
export async function runPrompt(services: PromptCommandServices): Promise<void> {
  const { savedPrompts, prompts } = services;
  const saved = await savedPrompts.read();
  const items = saved.map(({ uri, name, description }) => ({
    label: plainLabel(name),
    description: plainLabel(description),
    uri: vscode.Uri.parse(uri, true),
  }));
  const empty = {
    label: l10n.t('$(new-file) New Prompt'),
    description: l10n.t('an empty one, in an editor'),
    uri: undefined,
  };
  const picked = await vscode.window.showQuickPick([...items, empty], {
    title: l10n.t('Run Prompt'),
    placeHolder:
      saved.length > 0
        ? l10n.t('Which prompt?')
        : l10n.t(
            'This workspace has no saved prompts yet. Save one as .acp/prompts/name.prompt.acp in one of its folders.',
          ),
    matchOnDescription: true,
  });
  if (picked === empty) {
    await newPrompt(services);
    return;
  }
  const session = picked && (await chooseSession(services));
  if (picked?.uri && session) {
    await (await prompts.load()).run(picked.uri, session);
  }
}

type Choice = vscode.QuickPickItem & { readonly choose: () => Promise<Session | undefined> };

/** Asks for a session: an open one, any other one, or a new one. */
export async function chooseSession(services: CommandServices): Promise<Session | undefined> {
  const { sessions, panels } = services;
  const open = sessions.all.map(
    (session): Choice => ({
      label: `$(comment-discussion) ${plainLabel(session.title)}`,
      description: plainLabel(cleanText(session.agent.title, 60)),
      choose: () => Promise.resolve(session),
    }),
  );
  const others: readonly Choice[] = [
    {
      label: `$(add) ${l10n.t('New Session')}`,
      choose: () => createSession(services, undefined),
    },
    {
      label: `$(search) ${l10n.t('Another Session…')}`,
      choose: async () => {
        const picked = await pickSession(services);
        if (picked === undefined) {
          return undefined;
        }
        const { agent } = picked.list;
        const { info } = picked.row;
        await panels.open(agent, info, { where: 'side' });
        return sessions.find(agent.id, info.sessionId);
      },
    },
  ];
  const picked = await vscode.window.showQuickPick([...open, ...others], {
    title: l10n.t('Session of the Prompt'),
    placeHolder: l10n.t('For which session?'),
  });
  return picked?.choose();
}

/** The prompt in the active editor; tells the user if there is none. */
function promptDocument(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId === promptLanguage) {
    return document;
  }
  void showInformationMessage(l10n.t('Open a prompt first.'));
  return undefined;
}
