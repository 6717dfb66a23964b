import type { CommandServices } from '../../commands/session/commandServices';
import { findTarget, unknownSession } from '../../commands/session/sessionTarget';
import { originOf } from '../../model/marks/origin';
import { showInformationMessage } from '../../platform/ui/messages';
import { getRef, readSessionRef, type SessionRef } from '../../shared/sessionRef';
import type { Admission } from '../../views/transcript/tabs/admission';
import type { TranscriptPanel } from '../../views/transcript/tabs/panel';
import { forkedAt } from './branchPlaces';

export interface OriginServices extends CommandServices {
  readonly admission: Pick<Admission, 'find'>;
}

/** "Go to Origin": shows the session that this one was forked from, or continues, at the prompt of that turn. */
export async function openOrigin(services: OriginServices, argument: unknown): Promise<void> {
  const named = readSessionRef(argument) ?? refOfTarget(services, argument);
  const origin = named && services.marks.get(named.agentId, named.sessionId).origin;
  if (named === undefined || origin === undefined) {
    return;
  }
  const from = originOf(named.agentId, origin);
  const panel = await openKnown(services, from);
  const session = panel && services.sessions.find(from.agentId, from.sessionId);
  await session?.load();
  const index = panel && forkedAt(origin, panel.outline);
  if (index !== undefined) {
    panel?.reveal(index);
  }
}

/** Shows a session that was forked from another one, or continues it. */
export async function openFork(services: OriginServices, argument: unknown): Promise<void> {
  const named = readSessionRef(argument);
  if (named !== undefined) {
    await openKnown(services, named);
  }
}

async function openKnown(
  { agents, admission, panels }: OriginServices,
  named: SessionRef,
): Promise<TranscriptPanel | undefined> {
  const agent = agents.get(named.agentId);
  const info = admission.find(named);
  if (agent === undefined || info === undefined) {
    void showInformationMessage(unknownSession());
    return undefined;
  }
  return panels.open(agent, info);
}

function refOfTarget(services: OriginServices, argument: unknown): SessionRef | undefined {
  const target = findTarget(services, argument);
  return target && getRef(target);
}
