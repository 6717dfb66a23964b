import * as l10n from '@vscode/l10n';
import type { SessionRow } from '../../../model/agent';
import { getStanding, type Stands } from '../../attention/standing';
import type { RowGroup } from './nodes';
import type { RowFacts } from './rowFacts';
import { getLook, type Look } from './sessionRow';

/** The group above all others. */
export const needsGroup: RowGroup = { key: 'needs', label: l10n.t('Needs You'), icon: 'bell' };

/** What concerns the user about a session, in the order in which it shows. */
const needs = [
  'needsYou',
  'asksElsewhere',
  'failed',
  'interrupted',
  'unread',
  'review',
  'running',
  'runsElsewhere',
] as const satisfies readonly (Look | 'review')[];

type Need = (typeof needs)[number];

/** The place of a row among those that need the user, the most urgent first; `undefined`: it doesn't. */
export function getNeed(
  { info }: Pick<SessionRow, 'info'>,
  facts: RowFacts,
  session: Stands | undefined,
  isUnread: boolean,
): number | undefined {
  if (facts.archived) {
    return undefined;
  }
  const look = getLook(getStanding(session, isUnread), facts, info.state);
  const need: Look | Need = facts.review && isAtRest(look) ? 'review' : look;
  const place = needs.findIndex((each) => each === need);
  return place === -1 ? undefined : place;
}

function isAtRest(look: Look): boolean {
  return look === 'idle' || look === 'open' || look === 'loading';
}
