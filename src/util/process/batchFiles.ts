// Windows runs batch files with cmd.exe, which has no safe way to pass on every argument.

const batch = /\.(?:bat|cmd)$/i;

/**
 * Whether cmd.exe might run parts of the arguments. It reads the line of a batch file twice: as it is
 * started, and again where the file passes its arguments on, when a quotation mark may already have
 * ended the quotes around another argument. It replaces variables first of all, even in quotes and
 * despite carets: the program's environment may come from the same source as the arguments.
 */
export function isUnsafeBatch(program: string, args: readonly string[]): boolean {
  return (
    batch.test(program) &&
    ([program, ...args].some((text) => /[%\r\n\0]/.test(text)) ||
      (args.some((arg) => arg.includes('"')) && args.some((arg) => /[&|<>^()]/.test(arg))))
  );
}

/**
 * The same for a terminal of the editor, which quotes only arguments with a space: no argument of a
 * batch file may contain anything that means something to cmd.exe.
 */
export function isUnsafeBatchInTerminal(program: string, args: readonly string[]): boolean {
  return (
    batch.test(program) &&
    (/[%"&^]/.test(program) || args.some((arg) => /[%\r\n\0"&|<>^()!]/.test(arg)))
  );
}
