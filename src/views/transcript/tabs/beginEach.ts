import * as l10n from '@vscode/l10n';
import type { WorkspaceFolder } from '../../../model/ports';
import type { Preparation } from '../../../model/session/preparation';
import type { Session } from '../../../model/session/session';
import { cleanText } from '../../../model/text/titles';
import { showErrorMessage } from '../../../platform/ui/messages';
import { failureText } from '../../../shared/failure';
import type { Draft } from '../../../shared/transcript/prompt';
import type { MadePlace, MakePlace } from './newPlaces';

/** A session that has begun, and the place that was made for it. */
export interface BegunSession {
  readonly session: Session;
  readonly place: MadePlace | undefined;
}

/** One that couldn't begin; the place may be there nevertheless. */
interface Failed {
  readonly preparation: Preparation;
  readonly place: MadePlace | undefined;
}

type Settle = () => Promise<readonly MakePlace[] | undefined>;

/**
 * Begins a session of each, one after the other: Git makes one worktree of a repository at a time. `settle`: for each in
 * a place of its own. One that fails doesn't hold up the others, unless no place can be made for any, or the user
 * cancels. `begun` is called as soon as each has begun. Never rejects.
 */
export async function beginEach(
  all: readonly Preparation[],
  settle: Settle | undefined,
  begun: (one: BegunSession) => Promise<void>,
): Promise<readonly Failed[]> {
  const failed: Failed[] = [];
  let settling: ReturnType<Settle> | undefined;
  for (const [at, preparation] of all.entries()) {
    let place: MadePlace | undefined;
    const find = async (signal: AbortSignal): Promise<WorkspaceFolder | undefined> => {
      settling ??= settle?.();
      place = await (await settling)?.[at]?.(signal);
      return place?.folder;
    };
    const session = await preparation.begin(settle && find);
    if (session !== undefined) {
      await begun({ session, place });
      continue;
    }
    failed.push({ preparation, place });
    const isSettled = await settling?.then(
      (makers) => makers !== undefined,
      () => false,
    );
    if (isSettled === false || preparation.phase.kind === 'cancelled') {
      break;
    }
  }
  return failed;
}

/** A draft for a session, with the files of its place. */
export function draftFor({ place }: BegunSession, draft: Draft): Promise<Draft> {
  return place?.moved(draft) ?? Promise.resolve(draft);
}

/** Says which couldn't begin, where the page doesn't, and what is there nevertheless. */
export function sayFailed({ preparation, place }: Failed): void {
  const { agent, phase } = preparation;
  if (phase.kind === 'failed') {
    const reason = failureText(phase.failure);
    const name = cleanText(agent.current.title, 60);
    void showErrorMessage(
      place === undefined
        ? l10n.t('{0} couldn’t begin: {1}', name, reason)
        : l10n.t('{0} is there, but the session couldn’t begin: {1}', place.folder.name, reason),
    );
  }
}
