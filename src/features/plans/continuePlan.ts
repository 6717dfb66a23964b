import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandServices } from '../../commands/session/commandServices';
import { agentsBeside, composeIn } from '../../commands/session/compose';
import { titleAbout } from '../../model/agents/whose';
import { cleanText } from '../../model/text/titles';
import type { Draft } from '../../shared/transcript/prompt';
import { plainLabel } from '../../views/plainLabel';
import type { PanelSession } from '../../views/transcript/tabs/panelSession';
import { findPlan } from './findPlan';
import { getModeChoices, type ModeChoice } from './model/modeChoices';
import { getPlanDraft } from './model/planDraft';

interface Way extends vscode.QuickPickItem {
  readonly continue?: (draft: Draft) => Promise<void>;
}

/**
 * "Continue with This Plan…": puts a prompt with the plan into the composer of this session, in another mode, or of a
 * new one. The user sends it.
 */
export async function continuePlan(services: CommandServices, argument: unknown): Promise<void> {
  const found = findPlan(services, argument);
  if (found === undefined) {
    return;
  }
  const { session } = found.panel;
  const here = (mode: ModeChoice | undefined) => async (draft: Draft) => {
    await mode?.set?.();
    found.panel.edit(draft);
  };
  const ways: readonly Way[] = [
    ...(session.writable.kind === 'yes' ? waysHere(session, here) : []),
    separator(l10n.t('New Session')),
    ...agentsBeside(services.agents, session.agent.id).map((agent) => ({
      label: plainLabel(agent.title),
      continue: (draft: Draft) => composeIn(services, agent, session.info.cwd, draft),
    })),
  ];
  const picked = await vscode.window.showQuickPick(ways, {
    title: titleAbout(l10n.t('Continue with This Plan'), session.agent),
    placeHolder: l10n.t('Where? You send the prompt with the plan yourself.'),
    matchOnDescription: true,
  });
  await picked?.continue?.(getPlanDraft(found.plan));
}

function separator(label: string): Way {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function waysHere(
  session: PanelSession,
  here: (mode: ModeChoice | undefined) => Required<Way>['continue'],
): readonly Way[] {
  const modes = getModeChoices(session);
  const title = l10n.t('This Session');
  return modes.length === 0
    ? [{ label: title, continue: here(undefined) }]
    : [
        separator(title),
        ...modes.map((mode) => ({
          label: plainLabel(mode.name),
          description: mode.set
            ? cleanText(mode.description ?? '', 200)
            : l10n.t('the mode that it is in'),
          continue: here(mode),
        })),
      ];
}
