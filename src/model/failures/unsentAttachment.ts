/** An attachment that couldn't be prepared for its prompt. */
export class UnsentAttachment extends Error {
  constructor(
    readonly attachment: string,
    reason: unknown,
  ) {
    super(reason instanceof Error ? reason.message : String(reason), { cause: reason });
  }
}
