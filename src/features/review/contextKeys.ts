export const reviewContextKeys = {
  /** Whether changes wait for review. */
  reviewing: 'acpSessions.reviewing',
  /** Whether the file in the active editor has changes that wait for review. */
  reviewedFile: 'acpSessions.reviewedFile',
  /** `all` in an editor of all changes, `file` in one of a file's changes, otherwise `none`. */
  reviewEditor: 'acpSessions.reviewEditor',
  /** Whether the session whose tab has focus is followed. */
  followed: 'acpSessions.followed',
  /** Whether any session is followed. */
  following: 'acpSessions.following',
} as const;
