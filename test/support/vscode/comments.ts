import type * as vscode from 'vscode';

/** All threads that there are, in the order in which they were made, for tests. */
export const threads: vscode.CommentThread[] = [];

/** All controllers that were made, for tests. */
export const controllers: vscode.CommentController[] = [];

/** Threads that nobody draws. */
export const comments = {
  createCommentController: (id, label) => {
    const controller: vscode.CommentController = {
      ...{ id, label },
      createCommentThread: (uri, range, all): vscode.CommentThread => {
        const thread: vscode.CommentThread = {
          ...{ uri, range, comments: all, collapsibleState: 0, canReply: true },
          dispose: () => {
            threads.splice(threads.indexOf(thread), 1);
          },
        };
        threads.push(thread);
        return thread;
      },
      dispose: () => undefined,
    };
    controllers.push(controller);
    return controller;
  },
} satisfies Partial<typeof vscode.comments>;

/** A text that nobody draws. */
export class MarkdownString implements Partial<vscode.MarkdownString> {
  value: string;

  constructor(value = '') {
    this.value = value;
  }
}
