import process from 'node:process';
import { partOf, parts } from './allChecks';
import { Random } from './random';
import { Stretches } from './stretches';
import type { CheckOrder, Done, Ready } from './workerMessages';

/** Runs the requested checks one after the other, in a process that may run out of memory or hang. */

/** Uncaught errors and rejections of the current check. */
const uncaught: string[] = [];
process.on('unhandledRejection', (reason) => note(`unhandled rejection: ${text(reason)}`));
process.on('uncaughtException', (error) => note(`uncaught: ${text(error)}`));
process.on('message', (order: CheckOrder) => void answer(order));
process.on('disconnect', () => process.exit());

const ready: Ready = {
  type: 'ready',
  checks: Object.entries(parts).flatMap(([part, checks]) =>
    checks.map(({ name, wholeOnly = false, repeats = false, lasts = false, seconds = 60 }) => ({
      part,
      name,
      wholeOnly,
      repeats,
      lasts,
      seconds,
    })),
  ),
};
process.send?.(ready);

/** Printed immediately as well, because it may be why the check never ends. */
function note(trouble: string): void {
  uncaught.push(trouble);
  console.error(trouble);
}

async function answer({ part, name, seed, small, minutes }: CheckOrder): Promise<void> {
  uncaught.splice(0);
  const stretches = new Stretches();
  const check = partOf(part).find((one) => one.name === name);
  const failures: string[] = [];
  const said = await Promise.resolve(
    check?.run({
      seed,
      random: new Random(seed),
      small,
      minutes,
      size: (whole, short) => (small ? short : whole),
    }) ?? 'There is no such check',
  ).catch((error: unknown) => {
    failures.push(text(error));
    return '';
  });
  // Errors from work that the check left behind arrive on a later turn of the event loop.
  await new Promise((resolve) => setTimeout(resolve, 10));
  const all = [...failures, ...uncaught];
  const done: Done = {
    type: 'done',
    note: said,
    ...(all.length > 0 && { failure: all.slice(0, 5).join('; ') }),
    peak: process.resourceUsage().maxRSS * 1024,
    stretch: stretches.end(),
  };
  process.send?.(done);
}

function text(error: unknown): string {
  const full = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return full.split('\n').slice(0, 4).join(' | ').slice(0, 600);
}
