import type { Core } from '../../core/core';
import type { Log } from '../../model/ports';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { type CommentsCommandId, commentsCommandIds as ids } from './commandIds';
import * as actions from './commentActions';
import { CommentReader } from './commentReader';
import { CommentThreads } from './commentThreads';
import { FollowDocuments } from './followDocuments';
import { listComments } from './model/commentPrompt';
import { CommentStore, type CommentTexts } from './model/commentStore';
import {
  nameIn,
  type SendingParts,
  sendComments,
  sendTo,
  showCommentedTurn,
  unsentOf,
} from './sendComments';
import { takeComment } from './takeComment';

type Services = Pick<Core, 'sessions' | 'panels' | 'reviews' | 'documents'> & {
  readonly log: Log;
};

const commands: Readonly<
  Record<CommentsCommandId, (parts: SendingParts, argument: unknown) => unknown>
> = {
  [ids.comment]: (parts) => actions.comment(parts),
  [ids.saveComment]: actions.saveComment,
  [ids.suggestLines]: actions.suggestLines,
  [ids.takeComment]: takeComment,
  [ids.sendComments]: sendComments,
  [ids.showCommentedTurn]: showCommentedTurn,
  [ids.moveComment]: actions.moveComment,
  [ids.resolveComment]: actions.resolveComment,
  [ids.reopenComment]: actions.reopenComment,
  [ids.deleteComment]: actions.deleteComment,
  [ids.editComment]: actions.editComment,
  [ids.saveEditedComment]: actions.saveEditedComment,
  [ids.cancelEditedComment]: actions.cancelEditedComment,
};

/** Everything about comments, loaded once there are any, or may be. */
export class Commenting implements Disposable {
  readonly comments: CommentStore;
  readonly reader: CommentReader;
  readonly #parts: SendingParts;
  readonly #store = new DisposableStore();
  /** Never rejects. */
  #saved: Promise<unknown> = Promise.resolve();

  constructor(services: Services, texts: CommentTexts) {
    const { sessions, log } = services;
    this.comments = this.#store.add(new CommentStore({ texts, sessions, log }));
    const follow = this.#store.add(new FollowDocuments(this.comments));
    const threads = this.#store.add(new CommentThreads(services, this.comments));
    const parts = { ...services, comments: this.comments, follow, threads };
    this.#parts = parts;
    this.reader = this.#store.add(new CommentReader(parts));
    services.reviews.provideComments({
      count: (session) => unsentOf(this.comments.of(session)).length,
      asText: (session, folder) =>
        listComments(unsentOf(this.comments.of(session)), (file) => nameIn(folder, file)),
      send: (session) => sendTo(parts, session),
      onDidChange: this.comments.onDidChange,
    });
  }

  /** Shows what other windows have written meanwhile. Never rejects. */
  async readAgain(): Promise<void> {
    if (await this.comments.readAgain()) {
      this.#parts.follow.settleAll();
    }
  }

  /** Shows what an earlier window has left. */
  async begin(): Promise<void> {
    await this.comments.read();
    this.#parts.follow.settleAll();
  }

  end(): Promise<void> {
    return this.comments.end();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Does what a command says; what was saved just before is sent, too. */
  async run(id: CommentsCommandId, argument: unknown): Promise<void> {
    if (id === ids.sendComments) {
      await this.#saved;
    }
    const done = Promise.resolve(commands[id](this.#parts, argument));
    if (id === ids.saveComment || id === ids.saveEditedComment) {
      this.#saved = done.catch(() => undefined);
    }
    await done;
  }
}
