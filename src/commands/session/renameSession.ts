import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { titleAbout } from '../../model/agents/whose';
import { getTitle } from '../../model/list/promptTitles';
import { cleanText } from '../../model/text/titles';
import { plainMessage } from '../../platform/ui/messages';
import { getRef } from '../../shared/sessionRef';
import { DisposableStore } from '../../util/disposable';
import { chosenTargets, type RowServices } from './chosenTargets';
import type { CommandServices } from './commandServices';
import type { CommandTarget } from './sessionTarget';

/**
 * "Rename…": at the session's agent if it can, or only in the user's views; where the agent can't, only there. Does
 * nothing with several rows, because it isn't clear which one is meant.
 */
export async function renameSession(services: RowServices, argument: unknown): Promise<void> {
  const [target, another] = await chosenTargets(services, argument, undefined);
  if (target === undefined || another !== undefined) {
    return;
  }
  const { capabilities } = await target.agent.connect();
  await (capabilities.title ? retitle(services, target) : nameLocally(services, target));
}

async function retitle(services: CommandServices, target: CommandTarget): Promise<void> {
  const answer = await askForTitle(services, target);
  if (answer === undefined) {
    return;
  }
  const { agent, info } = target;
  const { text, isLocal } = answer;
  if (isLocal) {
    await setLocalName(services, target, text);
  } else if (text !== target.title) {
    await services.signIn.retrying(agent, () => services.sessions.rename(agent, info, text));
    // A local name would hide the new title.
    await services.marks.setAlias(getRef(target), undefined);
  }
}

interface TitleAnswer {
  readonly text: string;
  /** Whether the name is for the user's own views only. */
  readonly isLocal: boolean;
}

/** Asks for a title of at least one character, or for a local name, which may be empty to remove it. */
async function askForTitle(
  { marks }: CommandServices,
  target: CommandTarget,
): Promise<TitleAnswer | undefined> {
  const { agent, title } = target;
  const store = new DisposableStore();
  const input = store.add(vscode.window.createInputBox());
  input.title = titleAbout(l10n.t('Rename Session'), agent);
  input.value = title;
  const { alias } = marks.get(agent.id, target.info.sessionId);
  input.prompt =
    alias === undefined
      ? ''
      : l10n.t('“{0}” is a local name. The agent’s title is “{1}”.', alias, getTitle(target.info));
  const renameLocally: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('eye'),
    tooltip: l10n.t(
      'Rename Locally ({0} keeps its title; empty: no local name)',
      agentName(target),
    ),
  };
  input.buttons = [renameLocally];
  store.add(input.onDidChangeValue(() => (input.validationMessage = undefined)));
  input.show();
  try {
    return await new Promise((resolve) => {
      store.add(input.onDidTriggerButton(() => resolve({ text: input.value, isLocal: true })));
      store.add(
        input.onDidAccept(() => {
          if (input.value.trim() === '') {
            input.validationMessage = l10n.t('A session needs a title.');
          } else {
            resolve({ text: input.value, isLocal: false });
          }
        }),
      );
      store.add(input.onDidHide(() => resolve(undefined)));
    });
  } finally {
    store.dispose();
  }
}

/** For agents that keep their titles. */
async function nameLocally(services: CommandServices, target: CommandTarget): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: titleAbout(l10n.t('Rename Session Locally'), target.agent),
    prompt: l10n.t(
      '{0} keeps its title; this name shows in your views. Leave it empty for none.',
      agentName(target),
    ),
    placeHolder: getTitle(target.info),
    value: target.title,
  });
  if (name !== undefined) {
    await setLocalName(services, target, name);
  }
}

/** Keeps a name that the agent doesn't get; its own title, or none, removes it. */
async function setLocalName(
  { marks }: CommandServices,
  target: CommandTarget,
  name: string,
): Promise<void> {
  const isOwn = name.trim() !== getTitle(target.info);
  await marks.setAlias(getRef(target), isOwn ? name : undefined);
}

function agentName({ agent }: CommandTarget): string {
  return plainMessage(cleanText(agent.title, 60));
}
