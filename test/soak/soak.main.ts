import { parseArgs } from 'node:util';
import { budgets } from './budgets';
import { type CheckOutcome, Runner } from './runner';
import type { Offered } from './workerMessages';

/** Runs the checks one after the other, each in a separate process, and prints one table. */

const usage = 'npm run soak -- [--only <part>] [--grep <text>] [--seed <number>] [--minutes <n>]';
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    grep: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string', default: '1' },
  },
});
const firstSeed = Number(values.seed);
const minutes = Number(values.minutes);
if (!Number.isSafeInteger(firstSeed) || !(minutes >= 0)) {
  throw new Error(`The seed is a whole number, the minutes are a number.\nUsage: ${usage}`);
}

const runner = new Runner();
const offered = await runner.offered();
const wanted = offered.filter(
  ({ part, name }) =>
    (values.only === undefined || part === values.only) &&
    (values.grep === undefined || name.includes(values.grep)),
);
if (wanted.length === 0) {
  const known = [...new Set(offered.map(({ part }) => part))].join(', ');
  console.error(`Nothing is named so. Parts: ${known}\nUsage: ${usage}`);
  process.exitCode = 1;
}
const failed: CheckOutcome[] = [];
let passed = 0;
for (const check of wanted) {
  // Generated input uses the given minutes, one seed after the other.
  const end = performance.now() + (check.repeats ? minutes * 60_000 : 0);
  for (let seed = firstSeed; seed === firstSeed || performance.now() < end; seed++) {
    const outcome = withinBounds(await runner.run(check, seed, false, { fresh: true, minutes }));
    console.log(line(outcome));
    if (outcome.failure === undefined) {
      passed++;
    } else {
      failed.push(outcome);
    }
  }
}
await runner.dispose();
if (failed.length > 0) {
  console.log('\nFailed:');
}
for (const outcome of failed) {
  console.log(`\n  ${outcome.part}: ${outcome.name}\n    ${outcome.failure ?? ''}`);
  console.log(`    again: ${again(outcome)}`);
}
console.log(`\n${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 || wanted.length === 0 ? 1 : 0;

/** Fails a check that passed but exceeded its memory or time budget. */
function withinBounds(outcome: CheckOutcome): CheckOutcome {
  const { peak, stretch, part } = outcome;
  if (outcome.failure !== undefined || part === 'cost') {
    return outcome;
  }
  if (peak > budgets.peak) {
    return { ...outcome, failure: `took ${mebibytes(peak)}, more than ${mebibytes(budgets.peak)}` };
  }
  return stretch > budgets.stretch
    ? { ...outcome, failure: `stood still for ${stretch} ms of processor time` }
    : outcome;
}

function line({ part, name, note, failure, peak, stretch }: CheckOutcome): string {
  const what = `${part}: ${name}`.padEnd(64);
  const cost = peak === 0 ? '' : `${mebibytes(peak)} at the peak, ${stretch} ms at a stretch`;
  const said = failure === undefined ? note : failure.slice(0, 100);
  return `${failure === undefined ? 'ok  ' : 'FAIL'} ${what} ${cost.padEnd(42)} ${said}`;
}

function again({ part, name, seed }: Pick<CheckOutcome, 'seed'> & Pick<Offered, 'part' | 'name'>) {
  return `npm run soak -- --only ${part} --grep ${JSON.stringify(name)} --seed ${seed} --minutes 0`;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}
