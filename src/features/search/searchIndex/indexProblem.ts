import { SearchIndexError, type SearchIndexProblem } from '../model/searchIndex';
import { engineTrouble } from './lockedFs';

/** The index contradicts itself and can only be rebuilt. */
export class DamagedIndexError extends Error {
  override readonly name = 'DamagedIndexError';
}

/** `broken`: the engine can't continue, so its worker must exit. */
export type IndexProblem = SearchIndexProblem | 'damaged' | 'broken';

/** The engine reports messages without codes: these concern the request rather than the file. */
const ofRequest = /too big|too many|too large|fts5: syntax error|unterminated string/;
const ofLock = /locked/;
const ofMemory = /out of memory/;
/** Error codes for packed texts that can't be decoded. */
const ofReading = /^(?:Z_|ERR_BUFFER_TOO_LARGE|ERR_INVALID_ARG)/;

/** Engine errors that the disk didn't cause are attributed to the file: no other cause is known. */
export function getProblem(error: unknown): IndexProblem {
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

/** A disk error that occurred outside of the engine. */
export function asReadOnly(error: unknown): SearchIndexError {
  return new SearchIndexError('readOnly', String(error));
}
