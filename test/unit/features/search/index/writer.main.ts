import { WorkerSearchIndex } from '../../../../../src/features/search/workerSearchIndex';
import { part, program } from './indexes';

/** Writes to the index of the given folder until it is killed, and reports each session written. */
const nothing = (): void => undefined;
const index = new WorkerSearchIndex({
  program,
  folder: process.argv[2] ?? '',
  limit: () => 100e6,
  log: { error: nothing, warn: nothing, info: nothing, debug: nothing, trace: nothing },
});
for (let count = 0; ; count++) {
  const texts = Array.from(
    { length: 400 },
    (_, at) => `word${at} of session ${count} ${Math.random()}`,
  );
  await index.put(part(`s${count % 5}`, texts, { version: `${count}` }));
  process.send?.(count);
}
