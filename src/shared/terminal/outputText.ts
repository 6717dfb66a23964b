import { terminalSequences } from '../../util/terminalSequences';
import type { TerminalSize } from './terminalScreen';
import { TerminalText } from './terminalText';

/** Characters with which a program does more than end a line. */
const acts = /[\b\u001b\u0090\u009b\u009d]|\r(?!\n)/;
/** Characters at the end that are put on a screen; from those before, which few read, sequences are only left out. */
const maxDrawn = 250_000;

/** Terminal output as it is shown, without its styles. */
export function outputText(output: string, size?: TerminalSize): string {
  if (!acts.test(output)) {
    return output.replaceAll('\r\n', '\n');
  }
  const least = output.length - maxDrawn;
  const start = least > 0 ? output.indexOf('\n', least) + 1 || least : 0;
  const terminal = new TerminalText(size);
  terminal.write(output.slice(start));
  const lines = terminal.lines.map((line) => line.map(({ text }) => text).join(''));
  return output.slice(0, start).replace(terminalSequences, '') + lines.join('\n');
}
