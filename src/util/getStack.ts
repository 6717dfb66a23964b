/** What was thrown, for the log: with the places that it came through where it has them. */
export function getStack(error: unknown): string {
  return (error instanceof Error ? error.stack : undefined) ?? String(error);
}
