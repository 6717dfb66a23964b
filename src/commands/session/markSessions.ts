import { timestampOf } from '../../model/text/timestamps';
import type { SessionCommands } from './sessionCommands';
import { idOf, openSessionOf, targetsOf } from './target';

export function pinSessions(
  commands: SessionCommands,
  argument: unknown,
  selection: unknown,
  pinned: boolean,
): Promise<void> {
  return commands.marks.setPinned(targetsOf(commands, argument, selection).map(idOf), pinned);
}

export async function markRead(
  commands: SessionCommands,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const targets = targetsOf(commands, argument, selection);
  for (const target of targets) {
    const session = openSessionOf(commands, target);
    if (session !== undefined) {
      commands.attention.setRead(session);
    }
  }
  await commands.marks.setRead(
    targets.map((target) => ({ ...idOf(target), updatedAt: timestampOf(target.info.updatedAt) })),
  );
}

export function markUnread(
  commands: SessionCommands,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  return commands.marks.setUnread(targetsOf(commands, argument, selection).map(idOf));
}
