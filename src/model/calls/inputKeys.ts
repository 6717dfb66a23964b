/** How agents call the members of a tool's input that say what runs, without case, `_` and `-`. */
const commandNames = new Set(['command', 'cmd', 'script', 'commandline']);
const listNames = new Set(['commands', 'parsedcmd', 'parsedcommand']);

export function plainKey(key: string): string {
  return key.toLowerCase().replaceAll(/[_-]/g, '');
}

/** Whether one command stands under this key. */
export function namesCommand(key: string): boolean {
  return commandNames.has(plainKey(key));
}

/** Whether several commands stand under this key. */
export function listsCommands(key: string): boolean {
  return listNames.has(plainKey(key));
}

/** Whether what follows a command stands under this key. */
export function namesArguments(key: string): boolean {
  return plainKey(key) === 'args';
}
