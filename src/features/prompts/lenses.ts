import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents';
import { promptLanguage } from '../../platform/ids';
import type { Attachment } from '../../shared/transcript/prompt';
import { plainLabel } from '../../views/plainLabel';
import { boundName, type PromptBindings } from './bindings';
import { promptsCommandIds } from './commandIds';

export interface LensSources {
  readonly bindings: PromptBindings;
  readonly agents: Pick<Agents, 'get' | 'onDidChange'>;
  /** The attachments of a prompt that aren't written in it. */
  readonly enclosures: (document: vscode.Uri) => readonly Attachment[];
  readonly onDidChange: vscode.Event<vscode.Uri>;
}

/** The CodeLenses above a prompt, which send it, choose its session and remove its attachments. */
export function promptLenses({
  bindings,
  agents,
  enclosures,
  onDidChange,
}: LensSources): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const top = new vscode.Range(0, 0, 0, 0);
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses: ({ uri }) => {
      const session = bindings.get(uri);
      const send = session
        ? l10n.t('Send to {0}', plainLabel(boundName(session, agents)))
        : l10n.t('Send to a Session…');
      return [
        new vscode.CodeLens(top, {
          title: send,
          command: promptsCommandIds.sendPrompt,
        }),
        ...(session
          ? [
              new vscode.CodeLens(top, {
                title: l10n.t('Choose Session…'),
                command: promptsCommandIds.choosePromptSession,
              }),
            ]
          : []),
        ...enclosures(uri).map(
          (attachment) =>
            new vscode.CodeLens(top, {
              title: l10n.t('Remove {0}', plainLabel(attachment.name)),
              command: promptsCommandIds.removeFromPrompt,
              arguments: [uri, attachment.name],
            }),
        ),
      ];
    },
  };
  return vscode.Disposable.from(
    changed,
    bindings.onDidChange(() => changed.fire()),
    agents.onDidChange(() => changed.fire()),
    onDidChange(() => changed.fire()),
    vscode.languages.registerCodeLensProvider({ language: promptLanguage }, provider),
  );
}
