import { go, snapshot } from 'fuzzysort';
import { isSpelled } from '../util/spelled';
import type { ListedFile } from './folderListing';

interface Ranked {
  readonly file: ListedFile;
  readonly score: number;
}

const leastScore = 0.1;
/**
 * Number of files scored in detail: the likeliest ones, since scoring all would cost too much time
 * and memory.
 */
const mostCandidates = 200;

/** The best matches for `query`, or the first files if it is empty. */
export function rank(
  files: readonly ListedFile[],
  query: string,
  limit: number,
): readonly Ranked[] {
  if (query === '') {
    return files.slice(0, limit).map((file, index) => ({ file, score: -index }));
  }
  const found = go(query, snapshot(candidatesOf(files, query), { key: 'path' }), {
    limit,
    threshold: leastScore,
  });
  return found.map(({ obj, score }) => ({ file: obj, score }));
}

/** Files with the query in their names first, then in their paths, then with its letters in order. */
function candidatesOf(files: readonly ListedFile[], query: string): readonly ListedFile[] {
  const wanted = query.toLowerCase();
  const named: ListedFile[] = [];
  const placed: ListedFile[] = [];
  const spelled: ListedFile[] = [];
  for (const file of files) {
    const path = file.path.toLowerCase();
    const at = path.lastIndexOf(wanted);
    if (at !== -1) {
      const isNamed = path.indexOf('/', at) === -1;
      (isNamed ? named : placed).push(file);
      if (named.length === mostCandidates) {
        break;
      }
    } else if (spelled.length < mostCandidates && isSpelled(wanted, path)) {
      spelled.push(file);
    }
  }
  return [...named, ...placed, ...spelled].slice(0, mostCandidates);
}
