import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../../model/agent';
import type { Agents } from '../../model/agents/agents';
import { agentNames, sessionName } from '../../model/agents/whose';
import type { KeptWork } from '../../model/kept/keptWork';
import type { Sessions } from '../../model/session/sessions';
import { cleanText } from '../../model/text/titles';
import { showInformationMessage } from '../../platform/ui/messages';
import type { SavedTranscript } from '../../shared/transcript/webviewMessages';
import { type Disposable, DisposableStore, toDisposable } from '../../util/disposable';
import type { Attention } from '../../views/attention/attention';
import { plainLabel } from '../../views/plainLabel';
import type { TranscriptPanels } from '../../views/transcript/tabs/panels';

/**
 * Time to wait for tabs that are restored with the window, in ms: they report the interruption
 * themselves.
 */
const settleMs = 2_000;

export interface InterruptedParts {
  readonly work: Pick<KeptWork, 'read' | 'interrupted' | 'see'>;
  readonly attention: Pick<Attention, 'onDidShow' | 'isVisible'>;
  readonly agents: Pick<Agents, 'get'>;
  readonly sessions: Pick<Sessions, 'all'>;
  readonly panels: Pick<TranscriptPanels, 'open'>;
}

interface Interrupted {
  readonly agent: Agent;
  readonly saved: SavedTranscript;
  readonly title: string;
}

/**
 * Notifies the user once of turns that the previous window interrupted. A turn counts as seen once
 * its tab is visible.
 */
export function tellOfInterrupted(parts: InterruptedParts): Disposable {
  const { work, attention, sessions } = parts;
  const store = new DisposableStore();
  const see = (shown: object): void => {
    const session = sessions.all.find((open) => open === shown);
    if (session !== undefined) {
      work.see(session.agent.id, session.info.sessionId);
    }
  };
  store.add(attention.onDidShow(see));
  void work.read().then(() => {
    for (const session of sessions.all.filter((open) => attention.isVisible(open))) {
      see(session);
    }
    const timer = setTimeout(() => void tell(parts), settleMs);
    store.add(toDisposable(() => clearTimeout(timer)));
  });
  return store;
}

async function tell(parts: InterruptedParts): Promise<void> {
  // A session whose agent is no longer configured can't be continued.
  const known = parts.work.interrupted.flatMap((saved) => {
    const agent = parts.agents.get(saved.agentId);
    return agent === undefined ? [] : [{ agent, saved, title: saved.title }];
  });
  const [first] = known;
  if (first === undefined) {
    return;
  }
  const text =
    known.length === 1
      ? l10n.t('{0} was interrupted when the window was reloaded or closed.', sessionName(first))
      : l10n.t(
          '{0} sessions were interrupted when the window was reloaded or closed.',
          known.length,
        );
  if ((await showInformationMessage(text, l10n.t('Show'))) === undefined) {
    return;
  }
  const chosen = known.length === 1 ? first : await choose(known);
  if (chosen !== undefined) {
    await parts.panels.open(chosen.agent, chosen.saved);
  }
}

async function choose(all: readonly Interrupted[]): Promise<Interrupted | undefined> {
  const items = all.map((interrupted) => ({
    label: plainLabel(cleanText(interrupted.title, 60)),
    description: plainLabel(agentNames([interrupted.agent])),
    interrupted,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Interrupted Sessions'),
    placeHolder: l10n.t('Choose a session to continue'),
    matchOnDescription: true,
  });
  return picked?.interrupted;
}
