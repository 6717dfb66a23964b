import * as l10n from '@vscode/l10n';
import { outputText } from '../../../shared/terminal/outputText';
import type { Draft } from '../../../shared/transcript/prompt';
import { withoutSecrets } from '../../../util/secrets/secretText';
import type { CheckRun } from './checkRuns';

const uri = 'acp-sessions:check.txt';
/** What goes along of the output: its last lines, and UTF-16 units of them. */
const maxLines = 200;
const maxLength = 50_000;
const maxNameLength = 60;

/**
 * A prompt that asks to fix what a check says, with the end of its output as text without terminal sequences, and without
 * what looks like a secret.
 */
export function fixDraft({ order, terminal, reason, isEarlier }: CheckRun): Draft {
  const { output = '', truncated = false } = terminal?.output ?? {};
  const all = withoutSecrets(outputText(output)).trimEnd();
  const end = all.split('\n').slice(-maxLines).join('\n').slice(-maxLength);
  const isCut = truncated || end.length < all.length;
  const command = withoutSecrets(order.command);
  const text = [
    `$ ${command}`,
    `(in ${order.cwd})`,
    ...(reason === undefined ? [] : [reason]),
    '',
    ...(isCut ? ['[… only the end of the output]'] : []),
    end || (isEarlier ? '(its output was not kept)' : '(no output)'),
  ].join('\n');
  const line = command.replaceAll(/\s+/g, ' ');
  const name = line.length > maxNameLength ? `${line.slice(0, maxNameLength)}…` : line;
  return {
    text: l10n.t('The check failed. Fix what its output says.'),
    attachments: [{ type: 'text', uri, name, text, detail: name }],
  };
}
