import type { Agent } from '../../../../src/model/agent';
import type { KnownCheck } from '../../../../src/model/checks/providedChecks';
import type { Standing } from '../../../../src/views/attention/standing';
import { type Appearance, getAppearance } from '../../../../src/views/sessions/nodes/appearance';
import { folderFacts, type RowPlace } from '../../../../src/views/sessions/nodes/folderFacts';
import type { SessionsNode } from '../../../../src/views/sessions/nodes/nodes';
import type { RowFacts } from '../../../../src/views/sessions/nodes/rowFacts';
import { rowDetails } from '../../../../src/views/sessions/nodes/sessionChoices';
import { now } from './fakes';

const here = { moved: false, gone: false };
const noFacts: RowFacts = {
  ...{ pinned: false, archived: false, alias: undefined },
  ...{ unread: false, open: false, interrupted: false, review: false },
};

interface Others {
  readonly place?: RowPlace;
  readonly changed?: number;
  readonly toReview?: number;
  readonly newer?: string;
  readonly icon?: string;
  readonly check?: KnownCheck;
  readonly shared?: Agent;
}

/** The appearance of a node at `now`, in this state and with these facts. */
export function look(
  node: SessionsNode,
  state: Standing = 'idle',
  facts: Partial<RowFacts> = {},
  { place, changed = 0, toReview, newer, icon, check, shared }: Others = {},
): Appearance {
  return getAppearance(node, {
    now,
    standing: () => state,
    getFolder: (row) => folderFacts(row, [], place ?? { ...here, cwd: row.row.info.cwd }),
    getFacts: () => ({ ...noFacts, ...facts }),
    changedFiles: () => changed,
    toReview: () => toReview,
    newerVersion: () => newer,
    findIcon: () => icon,
    check: () => check,
    findAgent: () => shared,
    details: rowDetails,
    hasSubagents: () => false,
    filter: 'pinned',
  });
}
