import type { FailureCode } from '../../shared/failure';
import { applyDefaults } from '../session/defaults';
import type { Session } from '../session/session';
import type { Sessions } from '../session/sessions';
import type { KeptWork } from './keptWork';
import { toSavedTranscript } from './savedTranscript';

/** What a load ends with when the agent doesn't keep sessions that were never prompted; agents differ (T-61). */
const unknownSession: ReadonlySet<FailureCode> = new Set(['gone', 'protocol', 'unsupported']);

/** Whether a new session should take the place of this one: it was never prompted, and its agent doesn't have it. */
export function needsRenewal({ phase, unprompted }: Session): boolean {
  return (
    unprompted !== undefined && phase.kind === 'failed' && unknownSession.has(phase.failure.code)
  );
}

/**
 * Creates the session that takes the place of one that was never prompted: in the same folder, with the mode and
 * options that the user has chosen, and with the prompts that weren't sent, which are held. It is the same one if the
 * agent gives it the same id. Rejects with `AcpError`, also when `signal` aborts.
 */
export async function renew(
  sessions: Sessions,
  session: Session,
  signal?: AbortSignal,
): Promise<Session> {
  const { agent, info, unprompted = {} } = session;
  const folder = { name: '', path: info.cwd };
  const made = await sessions.create(agent, folder, signal, { instead: session });
  await applyChoices(made, unprompted);
  if (made !== session) {
    made.turns.restore(session.turns.unsent, undefined);
  }
  return made;
}

/** Sets what the user has chosen before, and tells what the agent doesn't take any more. */
export async function applyChoices(
  session: Session,
  choices: NonNullable<Session['unprompted']>,
): Promise<void> {
  for (const title of await applyDefaults(session, choices)) {
    session.noteBefore({ sessionUpdate: 'notice', severity: 'info', title });
  }
}

/** What the user has written in the one session belongs to the other from now on. */
export function moveDraft(work: Pick<KeptWork, 'move'>, from: Session, to: Session): void {
  work.move(toSavedTranscript(from), toSavedTranscript(to));
}
