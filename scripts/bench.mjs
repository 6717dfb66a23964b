// @ts-check
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { benchAgainst } from './bench/against.mjs';
import { projectFolder } from './paths.mjs';
import { reportAndFail, setUp } from './setup/index.mjs';
import { runLogged, SetupError } from './setup/steps.mjs';

const usage = `npm run bench -- [<row>…]
       npm run bench -- --against <commit> [--pairs <count>] <row>…`;

/** Fewer say nothing on a machine that isn't quiet. */
const fewestPairs = 7;

/**
 * Measures the shipped bundles end to end and prints one table; names limit it to the rows of these names. With
 * `--against`, it compares these rows with those of another commit, and fails if one is slower.
 */
async function bench() {
  const { against, pairs, rows } = readArguments();
  const [first, ...others] = rows;
  await setUp({ hosts: ['newest'], browser: true });
  if (against !== undefined && first !== undefined) {
    const isFine = await benchAgainst({ commit: against, rows: [first, ...others], pairs });
    if (!isFine) process.exitCode = 1;
    return;
  }
  await runLogged('build', process.execPath, ['esbuild.mjs', '--tests', 'bench', '--production'], {
    cwd: projectFolder,
  });
  const program = path.join('out', 'bench', 'bench.main.mjs');
  const { status } = spawnSync(process.execPath, [program, ...rows], {
    cwd: projectFolder,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}

function readArguments() {
  const { values, positionals: rows } = parseArgs({
    allowPositionals: true,
    options: { against: { type: 'string' }, pairs: { type: 'string' } },
  });
  const { against } = values;
  const pairs = Number(values.pairs ?? fewestPairs);
  const isPlain = against === undefined && values.pairs === undefined;
  if (!isPlain && (against === undefined || rows.length === 0 || !(pairs >= fewestPairs))) {
    throw new SetupError(`${usage}\nThere are at least ${fewestPairs} pairs.`);
  }
  return { against, pairs, rows };
}

bench().catch(reportAndFail);
