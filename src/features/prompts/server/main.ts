import '../../../model/text/l10n';
import process from 'node:process';
import { createConnection } from 'vscode-languageserver/node';
import { PromptServer } from './server';

/**
 * Runs as a separate process: with `--node-ipc` from VS Code, with `--stdio`, the default, from
 * other editors.
 */
const connection =
  process.argv.length > 2 ? createConnection() : createConnection(process.stdin, process.stdout);
// Over IPC, no stream closes when the client exits.
process.once('disconnect', () => process.exit(0));
new PromptServer(connection).listen();
