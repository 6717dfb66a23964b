import { asArray, isObject, type JsonObject, parseJson } from '../../../../util/json';
import { isCount, isPath, isText } from '../record/readLine';
import type { Claim, Work } from './work';

/** Bounds of what is written and read of one work. */
export const workBounds = { bytes: 8 * 1024 * 1024, folders: 100, claims: 10_000 };

const version = 1;
const certainties: readonly unknown[] = [
  'written',
  'changed',
  'named',
  'made',
  'removed',
  'seen',
] satisfies Claim['by'][];

const kinds: readonly unknown[] = ['turn', 'save', 'decision'] satisfies Work['kind'][];

/** The beginning of a work, as a line of its file. */
export function beginLine(work: Work): string {
  const { agentId, sessionId, folders, trees, began, kind } = work;
  return line({ type: 'work', version, agentId, sessionId, folders, trees, began, kind });
}

export function claimsLine(claims: readonly Claim[]): string {
  return line({ type: 'claims', claims });
}

export function endLine(at: number): string {
  return line({ type: 'end', at });
}

/** Reads the file of a work; `undefined` if it isn't one. A line that is torn or damaged says nothing. */
export function readWork(text: string): Work | undefined {
  const lines = text
    .split('\n')
    .map((it) => parseJson(it))
    .filter(isObject);
  const begun = lines.map(readBegin).find((work) => work !== undefined);
  if (begun === undefined) {
    return undefined;
  }
  const claims = lines
    .filter(({ type }) => type === 'claims')
    .flatMap((it) => asArray(it['claims']).flatMap((claim) => readClaim(claim) ?? []));
  const ends = lines.flatMap(({ type, at }) => (type === 'end' && isCount(at) ? [at] : []));
  return { ...begun, ended: ends[0], claims: byFile(claims.slice(0, workBounds.claims)) };
}

function byFile(claims: readonly Claim[]): Work['claims'] {
  const found = new Map<string, Claim[]>();
  for (const claim of claims) {
    const own = found.get(claim.file) ?? [];
    own.push(claim);
    found.set(claim.file, own);
  }
  return found;
}

function readBegin(value: JsonObject): Work | undefined {
  const { type, agentId, sessionId, began, kind } = value;
  const [folders, trees] = [asArray(value['folders']), asArray(value['trees'])];
  return type === 'work' &&
    value['version'] === version &&
    isText(agentId) &&
    isText(sessionId) &&
    isCount(began) &&
    kinds.includes(kind) &&
    folders.length <= workBounds.folders &&
    folders.every(isPath) &&
    trees.every(isPath)
    ? {
        ...{ agentId, sessionId, folders, trees, began, kind: kind as Work['kind'] },
        ...{ ended: undefined, claims: new Map() },
      }
    : undefined;
}

function readClaim(value: unknown): Claim | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { file, from, to, by } = value;
  return isPath(file) && isCount(from) && isCount(to) && certainties.includes(by)
    ? { file, from, to, by: by as Claim['by'] }
    : undefined;
}

function line(value: JsonObject): string {
  return `${JSON.stringify(value)}\n`;
}
