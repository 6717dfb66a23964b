import { findTimestamp } from '../../../model/text/timestamps';
import { getRef } from '../../../shared/sessionRef';
import type { CommandServices } from '../commandServices';
import { findOpenSession, getTargets } from '../sessionTarget';

export function pinSessions(
  services: CommandServices,
  argument: unknown,
  selection: unknown,
  pinned: boolean,
): Promise<void> {
  return services.marks.setPinned(getTargets(services, argument, selection).map(getRef), pinned);
}

export async function markRead(
  services: CommandServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const targets = getTargets(services, argument, selection);
  for (const target of targets) {
    const session = findOpenSession(services, target);
    if (session !== undefined) {
      services.attention.setRead(session);
    }
  }
  await services.marks.setRead(
    targets.map((target) => ({
      ...getRef(target),
      updatedAt: findTimestamp(target.info.updatedAt),
    })),
  );
}

export function markUnread(
  services: CommandServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  return services.marks.setUnread(getTargets(services, argument, selection).map(getRef));
}
