import { SearchIndexError, type SearchIndexProblem } from '../model/search/searchIndex';
import { engineTrouble } from './lockedFs';

/** The index contradicts itself: it can only be made anew. */
export class DamagedIndexError extends Error {
  override readonly name = 'DamagedIndexError';
}

/** `broken`: the engine itself can't go on, and its worker must end. */
export type IndexProblem = SearchIndexProblem | 'damaged' | 'broken';

/** The engine has words only: these are of what it was asked to do. */
const ofRequest = /too big|too many|too large|fts5: syntax error|unterminated string/;
const ofLock = /locked/;
const ofMemory = /out of memory/;
/** What reads packed texts and JSON says when they are none. */
const ofReading = /^(?:Z_|ERR_BUFFER_TOO_LARGE|ERR_INVALID_ARG)/;

/** Whatever the engine complains of that isn't the disk's trouble is wrong in the file: nothing else is known to be. */
export function problemOf(error: unknown): IndexProblem {
  if (error instanceof SearchIndexError) {
    return error.problem;
  }
  switch (engineTrouble()) {
    case 'disk':
      return 'readOnly';
    case 'passing':
    case 'lockLost':
      return 'busy';
    case undefined:
      return ofContent(error);
  }
}

function ofContent(error: unknown): IndexProblem {
  const { name = '', message = '', code = '' } = error as Partial<NodeJS.ErrnoException>;
  if (name === 'RuntimeError' || ofMemory.test(message)) {
    return 'broken';
  }
  if (name === 'SQLite3Error' && ofLock.test(message)) {
    return 'busy';
  }
  const isOfFile =
    (name === 'SQLite3Error' && !ofRequest.test(message)) ||
    error instanceof DamagedIndexError ||
    error instanceof SyntaxError ||
    ofReading.test(code);
  return isOfFile ? 'damaged' : 'failed';
}

/** The disk's answer to what was asked of it without the engine. */
export function asReadOnly(error: unknown): SearchIndexError {
  return new SearchIndexError('readOnly', String(error));
}
