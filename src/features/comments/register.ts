import * as vscode from 'vscode';
import { commentsFolder, FolderOfTexts } from '../../platform/storage/storedTexts';
import { Lazy } from '../../util/lazy';
import { part } from '../../util/part';
import { feature } from '../feature';
import { type CommentsCommandId, commentsCommandIds as ids } from './commandIds';
import type { Commenting } from './commenting';
import { maxCommentBytes } from './model/comment';
import { commentSource } from './model/commentPrompt';

const load = part(() => import('./commenting'));

/** Comments on lines, which go to an agent together. */
export const comments = feature({ commandIds: ids }, (core) => {
  const { context, lifetime, promptContext, reviews } = core;
  const texts = new FolderOfTexts(commentsFolder(context, vscode.workspace), 2 * maxCommentBytes);
  const log = core.log.component('comments');
  /** Made with the first comment, or the first change that waits for review. */
  const commenting = new Lazy<Commenting>(async () => {
    const { Commenting } = await load();
    const made = lifetime.own(new Commenting({ ...core, log }, texts));
    await made.begin();
    return made;
  });
  lifetime.beforeEnd(async () => (await commenting.made?.catch(() => undefined))?.end());
  // The user is told if it can't be loaded.
  const begin = (): void => void commenting.get().catch(() => undefined);
  const beginIfWaiting = (): void => {
    if (commenting.made === undefined && reviews.all.some(({ pending }) => pending.length > 0)) {
      begin();
    }
  };
  lifetime.own(reviews.onDidChange(beginIfWaiting));
  beginIfWaiting();
  const beginIfKept = async (): Promise<void> => {
    if ((await texts.names()).length > 0) {
      begin();
    }
  };
  void beginIfKept();
  const readAgain = async (): Promise<void> => (await commenting.made)?.readAgain();
  lifetime.own(whenFocused(() => (commenting.made ? readAgain() : beginIfKept())));
  promptContext.provide(commentSource, {
    read: async (about, session) => (await commenting.get()).reader.read(about, session),
    suggest: async (typed, session) =>
      (await commenting.made)?.reader.suggest(typed, session) ?? [],
  });
  const run = (id: CommentsCommandId) => async (argument: unknown) =>
    (await commenting.get()).run(id, argument);
  return {
    commands: {
      [ids.comment]: run(ids.comment),
      [ids.saveComment]: run(ids.saveComment),
      [ids.suggestLines]: run(ids.suggestLines),
      [ids.takeComment]: run(ids.takeComment),
      [ids.sendComments]: run(ids.sendComments),
      [ids.showCommentedTurn]: run(ids.showCommentedTurn),
      [ids.moveComment]: run(ids.moveComment),
      [ids.resolveComment]: run(ids.resolveComment),
      [ids.reopenComment]: run(ids.reopenComment),
      [ids.deleteComment]: run(ids.deleteComment),
      [ids.editComment]: run(ids.editComment),
      [ids.saveEditedComment]: run(ids.saveEditedComment),
      [ids.cancelEditedComment]: run(ids.cancelEditedComment),
    },
    parts: { commenting },
  };
});

function whenFocused(show: () => Promise<void>): vscode.Disposable {
  return vscode.window.onDidChangeWindowState(({ focused }) => {
    if (focused) {
      // The user is told if comments can't be loaded.
      void show().catch(() => undefined);
    }
  });
}
