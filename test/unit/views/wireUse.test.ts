import assert from 'node:assert/strict';
import fs from 'node:fs';
import { isObject } from '../../../src/util/json';
import { inProject } from '../../support/project';
import type { Raw } from '../protocol/peer';
import { type Exchange, exchangesIn, outcomeOf } from './wireConversation';

/**
 * What agents say must be shown or used: each member of the messages in `test/fixtures/messages` is changed in turn. If
 * the user then sees and can do the same as before, and the agent gets the same, nobody has used the member, and
 * `test/fixtures/unusedMembers.txt` must say why.
 */

/** An exchange in its conversation. */
interface Place {
  readonly exchanges: readonly Exchange[];
  readonly index: number;
}

const folder = inProject('test/fixtures/messages');
const places: readonly Place[] = fs.readdirSync(folder).flatMap((file) => {
  const exchanges = exchangesIn(fs.readFileSync(`${folder}/${file}`, 'utf8'));
  return exchanges.map((_, index) => ({ exchanges, index }));
});

/** The members in the file of reasons; one that ends in `*` stands for all with this beginning. */
const reasons = fs
  .readFileSync(inProject('test/fixtures/unusedMembers.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.slice(0, line.indexOf(': ')));

function covers(reason: string, member: string): boolean {
  return reason.endsWith('*') ? member.startsWith(reason.slice(0, -1)) : member === reason;
}

/** The kind of a message: its method, the kind of the update, or what it answers. */
function kindOf({ answers, method, params }: Raw): string {
  const update = method === 'session/update' ? ((params as Raw)['update'] as Raw) : undefined;
  return typeof answers === 'string'
    ? `answer to ${answers}`
    : String(update?.['sessionUpdate'] ?? method);
}

/** What every message of a kind has around its members. */
const shell = /^\.(?:params\.update|params|result|error)\.(?=.)/;

/**
 * A copy of a message, in which `visit` may replace what says something, such as `tool_call locations[].path`. `null`,
 * empty lists and empty objects say nothing, except that an empty object is a capability.
 */
function mapMembers(line: Raw, visit: (member: string, value: unknown) => unknown): Raw {
  const kind = kindOf(line);
  const map = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) {
      return value.map((item) => map(item, `${path}[]`));
    }
    const names = isObject(value) ? Object.keys(value) : [];
    if (isObject(value) && names.length > 0) {
      return Object.fromEntries(names.map((name) => [name, map(value[name], `${path}.${name}`)]));
    }
    const isSaid = isObject(value) ? path.includes('apabilities') : value !== null;
    return isSaid && shell.test(path) ? visit(`${kind} ${path.replace(shell, '')}`, value) : value;
  };
  return map(line, '') as Raw;
}

/** All members of the messages, with the exchanges that have them, by the kind of message. */
function findMembers(): ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<Place>>> {
  const kinds = new Map<string, Map<string, Set<Place>>>();
  for (const place of places) {
    for (const line of place.exchanges[place.index]?.lines ?? []) {
      mapMembers(line, (member, value) => {
        const members = kinds.get(kindOf(line)) ?? new Map<string, Set<Place>>();
        kinds.set(kindOf(line), members.set(member, (members.get(member) ?? new Set()).add(place)));
        return value;
      });
    }
  }
  return kinds;
}

/** Another value of the same type; not the same one each time, so that ids no longer match. */
function changed(value: unknown, count: number): unknown {
  switch (typeof value) {
    case 'string':
      return `${value} changed ${count}`;
    case 'number':
      return value + count;
    case 'boolean':
      return !value;
    default:
      return null;
  }
}

/** The outcomes of exchanges as they are. */
const outcomes = new Map<Place, Promise<string>>();

async function isUsedIn(place: Place, member: string): Promise<boolean> {
  const { exchanges, index } = place;
  const outcome = outcomes.get(place) ?? outcomeOf(exchanges, index);
  outcomes.set(place, outcome);
  let count = 0;
  const change = (line: Raw): Raw =>
    mapMembers(line, (each, value) => (each === member ? changed(value, ++count) : value));
  const others = exchanges.map((exchange, at) =>
    at === index ? { ...exchange, lines: exchange.lines.map(change) } : exchange,
  );
  return (await outcomeOf(others, index)) !== (await outcome);
}

async function isUsed(member: string, its: ReadonlySet<Place>): Promise<boolean> {
  for (const place of its) {
    if (await isUsedIn(place, member)) {
      return true;
    }
  }
  return false;
}

describe('what agents say is shown or used, or there is a reason why not', () => {
  const kinds = findMembers();

  before(async () => {
    // Some parts are loaded with their first use, which takes more turns of the event loop.
    for (const { exchanges, index } of places) {
      await outcomeOf(exchanges, index);
    }
  });

  for (const [kind, members] of kinds) {
    it(kind, async () => {
      const unused: string[] = [];
      for (const [member, its] of members) {
        if (!(await isUsed(member, its))) {
          unused.push(member);
        }
      }
      const given = reasons.filter((reason) => reason.startsWith(`${kind} `));
      assert.deepEqual(
        {
          without: unused.filter((member) => !given.some((reason) => covers(reason, member))),
          leftOver: given.filter((reason) => !unused.some((member) => covers(reason, member))),
        },
        { without: [], leftOver: [] },
      );
    });
  }

  it('every reason is about a message', () => {
    const isAbout = (reason: string): boolean =>
      [...kinds.keys()].some((kind) => reason.startsWith(`${kind} `));
    assert.deepEqual(
      reasons.filter((reason) => !isAbout(reason)),
      [],
    );
  });
});
