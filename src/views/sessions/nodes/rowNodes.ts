import * as l10n from '@vscode/l10n';
import type { SessionList, SessionRow } from '../../../model/agent';
import type { WorkspaceFolder } from '../../../model/ports';
import { dateGroup } from '../../dates';
import { type Arrangement, arrange } from './arrangement';
import { folderGroup } from './folderFacts';
import type { GroupNode, ListParent, RowGroup, SessionNode, SessionsNode } from './nodes';

/** Maximum number of rows that are easy to scan without groups. */
const maxUngroupedRows = 8;

const pinnedGroup: RowGroup = { key: 'pinned', label: l10n.t('Pinned'), icon: 'pinned' };
const stateGroups = {
  open: {
    key: 'open',
    label: l10n.t({ message: 'Open', comment: ['Sessions that are open'] }),
    icon: 'comment-discussion',
  },
  others: { key: 'others', label: l10n.t('Not Open'), icon: 'comment' },
  archived: { key: 'archived', label: l10n.t('Archived'), icon: 'archive' },
} as const satisfies Readonly<Record<string, RowGroup>>;

/** How lists are shown. */
export interface ListView {
  readonly arrangement: Pick<
    Arrangement,
    | 'choices'
    | 'findAlias'
    | 'getFacts'
    | 'getNeed'
    | 'getPlace'
    | 'groups'
    | 'hidden'
    | 'isInWorktree'
  >;
  /** Whether rows of several agents show. */
  readonly isShared: boolean;
  /** The folders of the workspace. */
  readonly folders: readonly WorkspaceFolder[];
  /** ms since the epoch. */
  readonly now: number;
}

/** The rows of one list, or of several in one order. */
export interface RowSource {
  readonly rows: readonly SessionRow[];
  /** How many of the first rows are in order, whatever is still read. */
  readonly sure: number;
  listOf(row: SessionRow): SessionList;
}

/** What a look at the rows has brought. */
export interface RowsLook {
  readonly children: readonly (GroupNode | SessionNode)[];
  /** The number of rows that a rule hides, or would hide. */
  readonly hidden: number;
  /** Whether any row shows, here or among those that need the user. */
  readonly isShown: boolean;
  /** The groups and rows that changed. */
  readonly changed: readonly (GroupNode | SessionNode)[];
}

/** The nodes of sessions below one parent, alone or in groups. */
export class RowNodes {
  readonly #parent: ListParent;
  readonly #key: string;
  readonly #groups = new Map<string, GroupNode>();
  #sessions = new Map<string, SessionNode>();
  #needs: ReadonlyMap<SessionNode, number> = new Map();

  /** `key` is part of every group's ID and unique in the tree. */
  constructor(parent: ListParent, key: string) {
    this.#parent = parent;
    this.#key = key;
  }

  find(rowKey: string): SessionNode | undefined {
    return this.#sessions.get(rowKey);
  }

  get all(): Iterable<SessionNode> {
    return this.#sessions.values();
  }

  /** Those that need the user, the most urgent first, each with its place. They show elsewhere, and have no parent here. */
  get needs(): ReadonlyMap<SessionNode, number> {
    return this.#needs;
  }

  update(source: RowSource, view: ListView): RowsLook {
    const { arrangement } = view;
    const before = this.#needs;
    // Agents that show apart from the others have no groups of their own.
    const inGroups = this.#parent === undefined && arrangement.choices.grouping === 'own';
    const { needing, grouped, pinned, rest, hidden } = arrange(
      {
        rows: source.rows,
        sure: source.sure,
        surroundings: rememberedSurroundings(source, view),
        needBefore: (key) => this.#needBefore(key, before),
        inGroups,
      },
      arrangement,
    );
    const changed: SessionNode[] = [];
    const shown = [...needing.keys(), ...pinned.rows, ...grouped.keys(), ...rest.rows];
    const sessions = this.#updateSessions(shown, source, changed);
    this.#needs = new Map(
      [...needing].flatMap(([{ key }, need]) => {
        const node = this.#sessions.get(key);
        return node === undefined ? [] : [[node, need] as const];
      }),
    );
    const others = sessions.slice(needing.size);
    const changedGroups: GroupNode[] = [];
    const children = [
      ...this.#grouped(others.slice(0, pinned.rows.length), () => pinnedGroup, changedGroups),
      ...(inGroups ? this.#ownGroups(grouped, view, changedGroups) : []),
      ...this.#arranged(
        others.slice(pinned.rows.length + grouped.size),
        rest.leads,
        view,
        changedGroups,
      ),
    ];
    this.#forgetGroups(children);
    const single = changed.filter(({ parent }) => !changedGroups.some((group) => group === parent));
    return {
      children,
      hidden,
      isShown: sessions.length > 0,
      changed: [...changedGroups, ...single],
    };
  }

  /**
   * Takes over a row that is where it was. Returns its node if it looks different, `false` if the row may have moved,
   * or shows or hides others: then all must be looked at.
   */
  updateRow(row: SessionRow, view: ListView): readonly SessionNode[] | false {
    const node = this.#sessions.get(row.key);
    const { choices } = view.arrangement;
    if (node === undefined || choices.isFiltered || choices.sorting !== 'time') {
      return false;
    }
    const { arrangement } = view;
    const need = this.#needs.get(node);
    const isPlaced =
      arrangement.getNeed(row, arrangement.getFacts(row), need) === need &&
      arrangement.hidden([row.title]).size === arrangement.hidden([node.row.title]).size &&
      (row.updatedAt === node.row.updatedAt || (need === undefined && isInPlace(node, row, view)));
    if (!isPlaced) {
      return false;
    }
    const isOld = !isDrawnAs(node.row, row);
    node.row = row;
    return isOld ? [node] : [];
  }

  #needBefore(key: string, before: ReadonlyMap<SessionNode, number>): number | undefined {
    const node = this.#sessions.get(key);
    return node && before.get(node);
  }

  #updateSessions(
    rows: readonly SessionRow[],
    source: RowSource,
    changed: SessionNode[],
  ): readonly SessionNode[] {
    const before = this.#sessions;
    this.#sessions = new Map();
    return rows.map((row) => {
      const list = source.listOf(row);
      const known = before.get(row.key);
      const node = known?.list === list ? known : this.#makeSession(row, list);
      if (!isDrawnAs(node.row, row)) {
        changed.push(node);
      }
      node.row = row;
      this.#sessions.set(row.key, node);
      return node;
    });
  }

  /** `leads`: the rows whose dates their families share. */
  #arranged(
    sessions: readonly SessionNode[],
    leads: ReadonlyMap<string, SessionRow>,
    view: ListView,
    changed: GroupNode[],
  ): readonly (GroupNode | SessionNode)[] {
    const { arrangement, now } = view;
    const { rowGrouping: chosen, timeGrouping } = arrangement.choices;
    const rowGrouping = chosen === 'own' ? timeGrouping : chosen;
    if (rowGrouping === 'date' && sessions.length > maxUngroupedRows) {
      const findDate = (row: SessionRow) => (leads.get(row.key) ?? row).updatedAt;
      return this.#grouped(sessions, ({ row }) => dateGroup(findDate(row), now), changed);
    }
    if (rowGrouping === 'folder') {
      return this.#grouped(sessions, (node) => getFolderGroup(node, view), changed);
    }
    if (rowGrouping === 'state') {
      const states = Object.values(stateGroups);
      const groups = new Map(sessions.map((node) => [node, stateGroup(node, arrangement)]));
      const place = (node: SessionNode) => states.findIndex((each) => each === groups.get(node));
      const inOrder = sessions.toSorted((a, b) => place(a) - place(b));
      return this.#grouped(inOrder, (node) => groups.get(node) ?? stateGroups.others, changed);
    }
    for (const node of sessions) {
      node.parent = this.#parent;
    }
    return sessions;
  }

  /** The user's groups. Without a filter, empty ones show, too: something may be dropped there. */
  #ownGroups(
    grouped: ReadonlyMap<SessionRow, string>,
    { arrangement }: ListView,
    changed: GroupNode[],
  ): readonly GroupNode[] {
    const members = new Map<string, SessionNode[]>(arrangement.groups.map(({ id }) => [id, []]));
    for (const [{ key }, group] of grouped) {
      const node = this.#sessions.get(key);
      if (node !== undefined) {
        members.get(group)?.push(node);
      }
    }
    return arrangement.groups.flatMap((own) => {
      const sessions = members.get(own.id) ?? [];
      if (sessions.length === 0 && arrangement.choices.isFiltered) {
        return [];
      }
      const node = this.#getGroup({ key: `own:${own.id}`, label: own.name, icon: 'tag', own });
      const isRenamed = node.group.label !== own.name || node.group.own?.color !== own.color;
      node.group = { ...node.group, label: own.name, own };
      if (fillGroup(node, sessions) || isRenamed) {
        changed.push(node);
      }
      return [node];
    });
  }

  #forgetGroups(rows: readonly SessionsNode[]): void {
    const used = new Set(rows);
    for (const [key, group] of this.#groups) {
      if (!used.has(group)) {
        this.#groups.delete(key);
      }
    }
  }

  #grouped(
    sessions: readonly SessionNode[],
    getGroup: (node: SessionNode) => RowGroup,
    changed: GroupNode[],
  ): readonly GroupNode[] {
    const members = new Map<string, SessionNode[]>();
    const groups: GroupNode[] = [];
    for (const node of sessions) {
      const group = getGroup(node);
      let rows = members.get(group.key);
      if (rows === undefined) {
        rows = [];
        members.set(group.key, rows);
        groups.push(this.#getGroup(group));
      }
      rows.push(node);
    }
    for (const group of groups) {
      if (fillGroup(group, members.get(group.group.key) ?? [])) {
        changed.push(group);
      }
    }
    return groups;
  }

  #getGroup(of: RowGroup): GroupNode {
    let group = this.#groups.get(of.key);
    if (group === undefined) {
      const id = `group:${this.#key}:${of.key}`;
      group = { kind: 'group', id, parent: this.#parent, group: of, sessions: [] };
      this.#groups.set(of.key, group);
    }
    return group;
  }

  #makeSession(row: SessionRow, list: SessionList): SessionNode {
    const id = `session:${listKey(list)}:${row.info.sessionId}`;
    return { kind: 'session', id, parent: this.#parent, list, row };
  }
}

/** A part of the IDs of all nodes of a list, unique in the tree. */
export function listKey({ agent, folder }: SessionList): string {
  return `${agent.id.length}:${agent.id}:${folder?.path ?? ''}`;
}

/** Puts rows below a group; returns whether they are others than before. */
export function fillGroup(group: GroupNode, sessions: readonly SessionNode[]): boolean {
  for (const node of sessions) {
    node.parent = group;
  }
  const isSame = sameNodes(group.sessions, sessions);
  group.sessions = sessions;
  return !isSame;
}

export function sameNodes(a: readonly SessionsNode[], b: readonly SessionsNode[]): boolean {
  return a.length === b.length && a.every((node, index) => node === b[index]);
}

/** The surroundings of the rows of one look: those of one folder have the same. */
function rememberedSurroundings(source: RowSource, view: ListView): (row: SessionRow) => string {
  const known = new Map<SessionList, Map<string, string>>();
  return (row) => {
    const list = source.listOf(row);
    const folders = known.get(list) ?? new Map<string, string>();
    known.set(list, folders);
    const found = folders.get(row.info.cwd) ?? surroundings(row, list, view);
    folders.set(row.info.cwd, found);
    return found;
  };
}

/** Agent, folder and branch, without what all rows share: the only agent, and the list's own folder. */
function surroundings(
  row: SessionRow,
  { agent, folder }: SessionList,
  { arrangement, isShared }: ListView,
): string {
  const { cwd, worktree } = arrangement.getPlace(row);
  const below = folder !== undefined && cwd.startsWith(folder.path) ? folder.path.length : 0;
  return `${isShared ? agent.title : ''} ${cwd.slice(below)} ${worktree?.branch ?? ''}`;
}

function getFolderGroup({ row, list }: SessionNode, { arrangement, folders }: ListView): RowGroup {
  const { folder } = list;
  return folderGroup(arrangement.getPlace(row).cwd, folder === undefined ? folders : [folder]);
}

function stateGroup({ row }: SessionNode, arrangement: ListView['arrangement']): RowGroup {
  const { open, archived } = arrangement.getFacts(row);
  return archived ? stateGroups.archived : open ? stateGroups.open : stateGroups.others;
}

/** Whether a row with another time is still between those around it, and of the same date. */
function isInPlace(node: SessionNode, row: SessionRow, { now, arrangement }: ListView): boolean {
  const { parent } = node;
  if (parent?.kind === 'group' && parent.group.own !== undefined) {
    return true;
  }
  // Elsewhere, the place of a group depends on the time of its first row.
  if (parent?.kind !== 'group' || arrangement.choices.rowGrouping !== 'date') {
    return false;
  }
  const at = parent.sessions.indexOf(node);
  const time = row.updatedAt ?? -Infinity;
  const above = parent.sessions[at - 1]?.row.updatedAt ?? (at === 0 ? Infinity : -Infinity);
  const below = parent.sessions[at + 1]?.row.updatedAt ?? -Infinity;
  const isSameDate = dateGroup(row.updatedAt, now).key === dateGroup(node.row.updatedAt, now).key;
  return above >= time && time >= below && isSameDate;
}

/** A row that was only remembered is drawn again once its agent has listed it, with what else that tells. */
function isDrawnAs(before: SessionRow, now: SessionRow): boolean {
  return (
    before.title === now.title &&
    before.updatedAt === now.updatedAt &&
    before.unlisted === now.unlisted &&
    before.info.state === now.info.state &&
    before.info.openElsewhere === now.info.openElsewhere &&
    before.info.archived === now.info.archived &&
    before.info.gitBranch === now.info.gitBranch
  );
}
