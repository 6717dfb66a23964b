import '../../../model/text/l10n';
import path from 'node:path';
import process from 'node:process';
import * as l10n from '@vscode/l10n';
import { openTrace } from '../model/openedTrace';
import { problemWith } from '../model/traceWords';
import { ReplayAgent } from './replayAgent';

const usage = `Usage:
  node replayAgent.js <trace> <folder>

Serves ACP over stdin and stdout from a recorded trace, whose sessions are said to be in <folder>.
`;

/** Serves until the client closes stdin. Only ACP messages are written to stdout. */
async function main([trace, folder, ...rest]: readonly string[]): Promise<number> {
  if (trace === undefined || folder === undefined || rest.length > 0) {
    process.stderr.write(usage);
    return 2;
  }
  const { stdin, stdout, stderr } = process;
  // The client is gone, so the only thing left is to exit.
  stdout.on('error', () => process.exit(1));
  try {
    const opened = await openTrace(trace, new AbortController().signal);
    await new ReplayAgent(opened, folder, stdout).serve(stdin);
    return 0;
  } catch (error) {
    const name = path.basename(trace);
    stderr.write(`${l10n.t('{0} can’t be replayed. {1}', name, problemWith(error))}\n`);
    return 1;
  }
}

void main(process.argv.slice(2)).then((code) => process.exit(code));
