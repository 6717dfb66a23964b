import { sessionKey } from '../../model/list/sessionInfo';
import type { Session } from '../../model/session/session';
import { cleanText } from '../../model/text/titles';
import type { GlanceTask } from '../../shared/glance/glance';
import { outputText } from '../../shared/terminal/outputText';
import type { BackgroundTask } from '../../shared/transcript/backgroundTask';

type WithTasks = Pick<Session, 'agent' | 'info' | 'title'> & {
  readonly tasks: Pick<Session['tasks'], 'all'>;
};

/** As many as anyone looks through, of all sessions. */
const maxTasks = 50;
const maxLineLength = 200;

/** What the agents run beside their turns, in the order of the sessions; `findTitle`: the user's own name, if any. */
export function glanceTasks<T extends WithTasks>(
  sessions: readonly T[],
  findTitle: (session: T) => string | undefined,
): readonly GlanceTask[] {
  return sessions
    .flatMap((session) => (session.tasks.all?.listed ?? []).map((task) => ({ session, task })))
    .slice(0, maxTasks)
    .map(({ session, task: { id, kind, title, canStop, stop, output, size } }) => {
      const line = lastLine(output, size);
      return {
        key: sessionKey(session.agent.id, session.info.sessionId),
        ...{ id, kind, title, session: findTitle(session) ?? session.title },
        ...(line !== undefined && { line }),
        ...(canStop && { canStop }),
        ...(stop !== undefined && { stop }),
      };
    });
}

function lastLine(output = '', size?: BackgroundTask['size']): string | undefined {
  const lines = outputText(output, size).split('\n');
  return lines.map((line) => cleanText(line, maxLineLength)).findLast(Boolean);
}
