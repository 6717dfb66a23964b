import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents';
import { cleanText } from '../../model/text/titles';
import { pickedIsPreview } from '../../platform/settings/settings';
import { showWarningMessage } from '../../platform/ui/messages';
import type { TranscriptPanels } from '../../views/transcript/tabs/panels';
import type { SearchHit, SearchIndex } from './model/searchIndex';
import { type Fits, findPlace } from './model/searchPlace';

export interface OpenHitServices {
  readonly agents: Agents;
  readonly panels: TranscriptPanels;
  readonly index: SearchIndex;
}

/** Opens the session of a hit, loading it if necessary, reveals the entry and highlights `words` there. */
export async function openHit(
  { agents, panels, index }: OpenHitServices,
  { session: indexed, entry }: Pick<SearchHit, 'session' | 'entry'>,
  fits: readonly Fits[],
  words?: readonly string[],
): Promise<void> {
  const { agentId, title, ...info } = indexed;
  const agent = agents.get(agentId);
  if (agent === undefined) {
    void showWarningMessage(
      l10n.t(
        'The agent of this session, {0}, is no longer configured. Add it in the settings to open its sessions.',
        cleanText(agentId, 60),
      ),
    );
    return;
  }
  const panel = await panels.open(agent, { ...info, title }, { preview: pickedIsPreview() });
  const { session } = panel;
  await session.load();
  if (session.phase.kind === 'failed') {
    // The tab shows the failure. A session that no longer exists leaves the index.
    if (session.phase.failure.code === 'gone') {
      await index.forget(agentId, info.sessionId);
      void showWarningMessage(
        l10n.t(
          '{1} no longer has “{0}”. It was removed from the search.',
          cleanText(title, 60),
          cleanText(agent.title, 60),
        ),
      );
    }
    return;
  }
  if (entry !== undefined) {
    const place = await findPlace(session.shown.entries, info.cwd, entry, fits);
    if (place === undefined) {
      vscode.window.setStatusBarMessage(
        l10n.t('The session has changed and no longer contains this entry'),
        5000,
      );
    } else {
      panel.reveal(place, words);
    }
  }
}
