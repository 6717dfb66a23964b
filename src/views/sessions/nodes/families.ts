import type { SessionRow } from '../../../model/agent';

/** Where a row's session was forked. */
export interface RowOrigin {
  /** The key of its origin's row. */
  readonly key: string;
  readonly turn: number;
}

/** Rows in which branches follow their origin. */
export interface Families {
  readonly rows: readonly SessionRow[];
  /** The row that gives a family its place, by the keys of its members: the one that came first. */
  readonly leads: ReadonlyMap<string, SessionRow>;
}

const noLeads: Families['leads'] = new Map();

/**
 * Puts branches under their origin, in the order of the turns at which they were forked, and branches of branches under
 * those. A family is where its first row was, so that a new branch of an old session is as easy to find as any new
 * session. Origins that aren't among the rows, and circles, make no family.
 */
export function familiesOf(
  rows: readonly SessionRow[],
  originOf: (row: SessionRow) => RowOrigin | undefined,
): Families {
  const forked = rows.flatMap((row) => {
    const origin = originOf(row);
    return origin === undefined ? [] : [{ row, ...origin, origin: origin.key }];
  });
  if (forked.length === 0) {
    return { rows, leads: noLeads };
  }
  const present = new Set(rows.map(({ key }) => key));
  const parents = new Map(
    forked.flatMap(({ row, origin }) => (present.has(origin) ? [[row.key, origin] as const] : [])),
  );
  const roots = rootsOf(parents);
  const children = new Map<string, SessionRow[]>();
  for (const { row } of forked.toSorted((a, b) => a.turn - b.turn)) {
    const parent = roots.has(row.key) ? parents.get(row.key) : undefined;
    if (parent !== undefined) {
      const others = children.get(parent) ?? [];
      others.push(row);
      children.set(parent, others);
    }
  }
  return gathered(rows, roots, children);
}

function gathered(
  rows: readonly SessionRow[],
  roots: ReadonlyMap<string, string>,
  children: ReadonlyMap<string, readonly SessionRow[]>,
): Families {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const together: SessionRow[] = [];
  const leads = new Map<string, SessionRow>();
  for (const lead of rows) {
    if (leads.has(lead.key)) {
      continue;
    }
    const root = byKey.get(roots.get(lead.key) ?? lead.key) ?? lead;
    const waiting = [root];
    for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
      together.push(row);
      leads.set(row.key, lead);
      waiting.push(...(children.get(row.key) ?? []).toReversed());
    }
  }
  return { rows: together, leads };
}

/** The first ancestor of each row that has a parent, by its key; none for rows that are, or come from, their own ancestor. */
function rootsOf(parents: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const roots = new Map<string, string>();
  const circular = new Set<string>();
  for (const start of parents.keys()) {
    const path = new Set<string>();
    let key = start;
    for (;;) {
      const next = parents.get(key);
      if (path.has(key) || circular.has(key)) {
        for (const each of path) {
          circular.add(each);
        }
        break;
      }
      const known = roots.get(key) ?? (next === undefined ? key : undefined);
      if (known !== undefined) {
        for (const each of path) {
          roots.set(each, known);
        }
        break;
      }
      path.add(key);
      key = next ?? key;
    }
  }
  return roots;
}
