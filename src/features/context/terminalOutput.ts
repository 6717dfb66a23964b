import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ContextPart, ContextReader } from '../../model/session/providedContext';
import type { ContextSuggestion } from '../../shared/transcript/questions';
import { isWritten } from './model/isWritten';
import { mentionOf } from './model/mentionOf';
import { ranCommandName, ranCommandText } from './model/ranCommand';
import type { TerminalCommands } from './terminalCommands';

const source = 'terminal';
const uri = 'acp-sessions:terminal.txt';

/** `@terminal`: the last command of the active terminal with its output; `@terminal:…` that of another one. */
export function terminalOutput(commands: TerminalCommands): ContextReader {
  const named = () => namedTerminals(commands);
  return {
    read(about): Promise<readonly ContextPart[]> {
      const terminal =
        about === ''
          ? commands.terminals[0]
          : commands.terminals.find((each) => commands.idOf(each) === about);
      const last = terminal && commands.lastOf(terminal);
      return Promise.resolve(
        last === undefined ? [] : [{ uri, name: l10n.t('Terminal'), text: ranCommandText(last) }],
      );
    },

    suggest(typed): Promise<readonly ContextSuggestion[]> {
      const found = named().flatMap(({ terminal, about, mention, name }) => {
        const last = isWritten(typed, mention) ? commands.lastOf(terminal) : undefined;
        return last === undefined
          ? []
          : [{ source, about, mention, name, detail: ranCommandName(last) }];
      });
      return Promise.resolve(found);
    },
  };
}

interface NamedTerminal {
  readonly terminal: vscode.Terminal;
  readonly about: string;
  readonly mention: string;
  readonly name: string;
}

/** The first one without a name, then all but a single one by theirs, which become unique by numbers. */
function namedTerminals(commands: TerminalCommands): readonly NamedTerminal[] {
  const [first, ...rest] = commands.terminals;
  if (first === undefined) {
    return [];
  }
  const mentions = new Set<string>();
  const byName = (rest.length === 0 ? [] : [first, ...rest]).map((terminal) => {
    const own = mentionOf('terminal', terminal.name);
    let mention = own;
    for (let count = 2; mentions.has(mention); count++) {
      mention = `${own}-${count}`;
    }
    mentions.add(mention);
    const name = l10n.t('Terminal “{0}”', terminal.name);
    return { terminal, about: commands.idOf(terminal) ?? '', mention, name };
  });
  return [
    { terminal: first, about: '', mention: '@terminal', name: l10n.t('Terminal') },
    ...byName,
  ];
}
