import type { DemoUpdate } from './updates';

/** Whose an update is: a subagent with a session, or the one that a call of the session has started. */
export type UpdateOwner = { readonly session: string } | { readonly call: string };

/** Marks an update as a subagent's, for the file and on the wire. */
export function ownedBy(update: DemoUpdate, owner: UpdateOwner): DemoUpdate {
  const mark =
    'session' in owner
      ? { demoAgent: { session: owner.session } }
      : { claudeCode: { parentToolUseId: owner.call } };
  return { ...update, _meta: { ...update._meta, ...mark } };
}

/** The session that an update was marked with by `ownedBy`. */
export function sessionOf({ _meta }: DemoUpdate): string | undefined {
  const mark = _meta?.['demoAgent'] as { readonly session?: unknown } | undefined;
  return typeof mark?.session === 'string' ? mark.session : undefined;
}
