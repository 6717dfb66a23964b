import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { version } from '../../package.json';
import { DemoAgent } from './demoAgent';
import { seedSample } from './sample/seed';
import type { AgentOptions } from './sessions/demoSessions';
import { SessionStore } from './store/sessionStore';
import { getMessage } from './vocabulary/requestErrors';

const usage = `Usage:
  node demoAgent.js --store <folder> [--page-size <n>] [--cleanup-days <n>] [--pace <factor>] [--session-options]
  node demoAgent.js --seed-sample <folder> <cwd>

Serves ACP over stdin and stdout. Sessions are kept in <folder>.
  --page-size     sessions on a page of session/list (20)
  --cleanup-days  at the start, delete sessions untouched for so many days (0: never)
  --pace          multiplies every pause of an answer: 0 for none (1)
  --session-options
                  tells the options of a session before there is one
  --seed-sample   writes a sample history for the folder <cwd>, then exits
`;

/** Serves until the client closes stdin. Only ACP messages are written to stdout. */
async function serve(store: SessionStore, options: AgentOptions): Promise<void> {
  // The client is gone, so the only thing left is to exit.
  process.stdout.on('error', () => process.exit(1));
  await new DemoAgent(store, options, async (text) => {
    if (!process.stdout.write(text)) {
      await once(process.stdout, 'drain');
    }
  }).serve(process.stdin);
}

async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      store: { type: 'string' },
      'page-size': { type: 'string', default: '20' },
      'cleanup-days': { type: 'string', default: '0' },
      pace: { type: 'string', default: '1' },
      'session-options': { type: 'boolean', default: false },
      'seed-sample': { type: 'boolean', default: false },
    },
  });
  if (values['seed-sample']) {
    const [folder, cwd] = positionals;
    if (folder === undefined || cwd === undefined || positionals.length > 2) {
      throw new Error('--seed-sample needs the folder of the store and the folder of the sessions');
    }
    await seedSample(await SessionStore.open(folder), cwd, Date.now());
    return;
  }
  if (values.store === undefined || positionals.length > 0) {
    throw new Error('--store <folder> is needed, and nothing without a name');
  }
  const pageSize = parseNumber('--page-size', values['page-size'], 1);
  const pace = parseNumber('--pace', values.pace, 0);
  const cleanupDays = parseNumber('--cleanup-days', values['cleanup-days'], 0);
  const store = await SessionStore.open(values.store);
  if (cleanupDays > 0) {
    await store.deleteUntouched(cleanupDays, Date.now());
  }
  const tellsOptions = values['session-options'];
  await serve(store, { version, pageSize, pace, tellsOptions, now: Date.now });
}

function parseNumber(name: string, value: string, least: number): number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number) || number < least) {
    throw new Error(`${name} must be a number of at least ${least}, not ${JSON.stringify(value)}`);
  }
  return number;
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`demo agent: ${getMessage(error)}\n\n${usage}`);
    process.exit(2);
  },
);
