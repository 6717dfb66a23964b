import * as l10n from '@vscode/l10n';
import type { Agent } from '../../model/agent';
import type { Sessions } from '../../model/session/sessions';
import { cleanText } from '../../model/text/titles';
import { showWarningMessage } from '../../platform/ui/messages';
import type { ListMemory } from './model/listMemory';
import type { TranscriptCache } from './model/transcriptCache';

export interface ForgetServices {
  readonly sessions: Pick<Sessions, 'all'>;
  readonly transcriptCache: Pick<TranscriptCache, 'forgetAgent'>;
  readonly listMemory: Pick<ListMemory, 'forgetAgent'>;
}

/** "Forget Cached Sessions…": of an agent that isn't in the settings any more. */
export async function forgetAgent(
  { sessions, transcriptCache, listMemory }: ForgetServices,
  agent: Agent | undefined,
): Promise<void> {
  if (agent?.config.removed === undefined) {
    return;
  }
  const forget = l10n.t('Forget');
  const answer = await showWarningMessage(
    l10n.t('Forget the cached sessions of {0}?', cleanText(agent.title, 60)),
    {
      modal: true,
      detail: l10n.t(
        'Their cached transcripts in this workspace are deleted, and its row goes. What the agent itself keeps of them stays.',
      ),
    },
    forget,
  );
  if (answer === forget) {
    const open = sessions.all.filter((session) => session.agent === agent);
    await Promise.all(open.map((session) => session.close()));
    await transcriptCache.forgetAgent(agent.id);
    listMemory.forgetAgent(agent.id);
  }
}
