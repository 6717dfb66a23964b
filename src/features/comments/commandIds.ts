/** The feature's commands, as the manifest names them. */
export const commentsCommandIds = {
  comment: 'acpSessions.comments.comment',
  saveComment: 'acpSessions.comments.save',
  suggestLines: 'acpSessions.comments.suggest',
  takeComment: 'acpSessions.comments.take',
  sendComments: 'acpSessions.comments.send',
  showCommentedTurn: 'acpSessions.comments.showTurn',
  moveComment: 'acpSessions.comments.move',
  resolveComment: 'acpSessions.comments.resolve',
  reopenComment: 'acpSessions.comments.reopen',
  deleteComment: 'acpSessions.comments.delete',
  editComment: 'acpSessions.comments.edit',
  saveEditedComment: 'acpSessions.comments.saveEdit',
  cancelEditedComment: 'acpSessions.comments.cancelEdit',
} as const;

export type CommentsCommandId = (typeof commentsCommandIds)[keyof typeof commentsCommandIds];
