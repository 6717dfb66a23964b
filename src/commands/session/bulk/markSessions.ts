import { timestampOf } from '../../../model/text/timestamps';
import { refOf } from '../../../shared/sessionRef';
import type { CommandServices } from '../commandServices';
import { openSessionOf, targetsOf } from '../sessionTarget';

export function pinSessions(
  services: CommandServices,
  argument: unknown,
  selection: unknown,
  pinned: boolean,
): Promise<void> {
  return services.marks.setPinned(targetsOf(services, argument, selection).map(refOf), pinned);
}

export async function markRead(
  services: CommandServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const targets = targetsOf(services, argument, selection);
  for (const target of targets) {
    const session = openSessionOf(services, target);
    if (session !== undefined) {
      services.attention.setRead(session);
    }
  }
  await services.marks.setRead(
    targets.map((target) => ({ ...refOf(target), updatedAt: timestampOf(target.info.updatedAt) })),
  );
}

export function markUnread(
  services: CommandServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  return services.marks.setUnread(targetsOf(services, argument, selection).map(refOf));
}
