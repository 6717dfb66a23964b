import * as l10n from '@vscode/l10n';
import type {
  ContextPart,
  ContextReader,
  ContextSession,
} from '../../model/session/providedContext';
import type { Session } from '../../model/session/session';
import type { Sessions } from '../../model/session/sessions';
import { getRef, readSessionRef } from '../../shared/sessionRef';
import type { ContextSuggestion } from '../../shared/transcript/questions';
import { parseJson } from '../../util/json';
import { latestText } from '../transcriptText/model/latestText';
import { getMarkdown, getTextSource } from '../transcriptText/model/sessionText';
import { isWritten } from './model/isWritten';
import { mentionOf } from './model/mentionOf';

const source = 'session';
/** UTF-16 units of a conversation: its latest part. */
const maxText = 150_000;
const maxSuggestions = 10;

/** `@session:…`: the conversation of another session that is open in this window, of any agent. */
export function otherSessions(sessions: Pick<Sessions, 'all'>): ContextReader {
  return {
    async read(about, asking, signal): Promise<readonly ContextPart[]> {
      const ref = readSessionRef(parseJson(about));
      const found = others(sessions, asking).find((session) => isOf(session, ref));
      if (found === undefined) {
        throw new Error(l10n.t('The session isn’t open in this window any more'));
      }
      const pieces = await getMarkdown(getTextSource(found), signal);
      const text = latestText(pieces.join(''), maxText);
      return [{ uri: 'acp-sessions:session.md', name: nameOf(found), text }];
    },

    suggest(typed, asking): Promise<readonly ContextSuggestion[]> {
      const found = others(sessions, asking).map((session) => ({
        source,
        about: JSON.stringify(getRef(session)),
        mention: mentionOf('session', session.title),
        name: nameOf(session),
        detail: `${session.title} · ${session.agent.title}`,
      }));
      return Promise.resolve(
        found.filter(({ mention }) => isWritten(typed, mention)).slice(0, maxSuggestions),
      );
    },
  };
}

/** Those with something to tell, without the one that asks. */
function others({ all }: Pick<Sessions, 'all'>, asking: ContextSession): readonly Session[] {
  return all.filter((session) => !isOf(session, asking) && session.shown.entries.length > 0);
}

function isOf(session: Session, ref: Partial<ContextSession> | undefined): boolean {
  const { agentId, sessionId } = getRef(session);
  return agentId === ref?.agentId && sessionId === ref.sessionId;
}

function nameOf(session: Session): string {
  return l10n.t('Session “{0}”', session.title);
}
