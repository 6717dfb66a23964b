/** Whether a text after `@` may become this mention, or is it already. */
export function isWritten(typed: string, mention: string): boolean {
  const name = mention.slice(1).toLowerCase();
  const written = typed.toLowerCase();
  return name.startsWith(written) || written.startsWith(`${name}:`);
}
