import type { Agent } from '../../../model/agent';
import { type NodeWord, nodeWords } from '../../../platform/ids';
import type { Standing } from '../../attention/standing';
import type { RowFacts } from './arrange';

const atWork: ReadonlySet<Standing> = new Set<Standing>(['running', 'needsYou', 'asksElsewhere']);

/**
 * The possible actions on a session, as far as its running agent supports them (LOAD-1, RES-1,
 * DEL-1, CLOSE-1).
 */
export function sessionWords(
  agent: Pick<Agent, 'supports'>,
  state: Standing,
  may: { readonly open: boolean; readonly delete: boolean },
): readonly NodeWord[] {
  const words: readonly [NodeWord, boolean][] = [
    [nodeWords.session, true],
    [nodeWords.openable, may.open],
    [nodeWords.resumable, state === 'idle' && agent.supports('resume')],
    [nodeWords.forkable, agent.supports('fork')],
    [nodeWords.renamable, agent.supports('title')],
    [nodeWords.deletable, may.delete],
    [nodeWords.open, state !== 'idle'],
    [nodeWords.closable, state !== 'idle' && agent.supports('close')],
    [nodeWords.stoppable, atWork.has(state)],
  ];
  return words.flatMap(([word, holds]) => (holds ? [word] : []));
}

/** The possible actions on a session that don't depend on its agent. */
export function markWords(facts: RowFacts): readonly NodeWord[] {
  const { pinned, archived, alias, unread, review, origin } = facts;
  return [
    pinned ? nodeWords.pinned : nodeWords.pinnable,
    archived ? nodeWords.archived : nodeWords.archivable,
    unread ? nodeWords.unread : nodeWords.readable,
    ...(alias === undefined ? [] : [nodeWords.named]),
    ...(review ? [nodeWords.reviewable] : []),
    ...(origin === undefined ? [] : [nodeWords.branch]),
  ];
}
