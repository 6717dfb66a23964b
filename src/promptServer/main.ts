import './l10n';
import process from 'node:process';
import { createConnection } from 'vscode-languageserver/node';
import { PromptServer } from './server';

/** A process of its own: `--node-ipc` from VS Code, `--stdio` from any other editor, which is also the default. */
const connection =
  process.argv.length > 2 ? createConnection() : createConnection(process.stdin, process.stdout);
// Over IPC the end of the other side closes no stream.
process.once('disconnect', () => process.exit(0));
new PromptServer(connection).listen();
