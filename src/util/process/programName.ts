/** The name of a command's program, without its folder and the endings of Windows. */
export function programName(command: string): string {
  return command.replace(/^.*[\\/]/s, '').replace(/\.(?:cmd|exe)$/i, '');
}
