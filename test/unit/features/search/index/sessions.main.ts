import process from 'node:process';
import { WorkerSearchIndex } from '../../../../../src/features/search/workerSearchIndex';
import { faultVariable, faultyProgram } from './faults';
import { part, program } from './indexes';

/**
 * Puts sessions into the index of a folder, as a window does, and reports whether each was stored; exits after the
 * last. Arguments: the folder, the prefix of the sessions' ids, and their number. With a fault in the environment its
 * worker is the faulty one.
 */
const [, , folder = '', prefix = '', count = '0'] = process.argv;
const nothing = (): void => undefined;
const index = new WorkerSearchIndex({
  program: process.env[faultVariable] ? faultyProgram : program,
  folder,
  limit: () => 100e6,
  log: { error: nothing, warn: nothing, info: nothing, debug: nothing, trace: nothing },
});
for (let at = 0; at < Number(count); at++) {
  const texts = Array.from({ length: 200 }, (_, n) => `word${n} of ${prefix} ${Math.random()}`);
  try {
    await index.put(part(`${prefix}${at}`, texts));
    process.send?.({ put: `${prefix}${at}` });
  } catch (error) {
    process.send?.({ failed: String(error) });
  }
}
index.dispose();
process.disconnect();
