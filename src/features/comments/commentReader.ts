import * as l10n from '@vscode/l10n';
import type { ProvidedReviews } from '../../model/changes/providedReviews';
import type { ContextPart, ContextSession } from '../../model/session/providedContext';
import type { Session } from '../../model/session/session';
import type { Sessions } from '../../model/session/sessions';
import { findHunks } from '../../model/text/compareTexts';
import type { SessionRef } from '../../shared/sessionRef';
import type { Attachment, Draft } from '../../shared/transcript/prompt';
import type { ContextSuggestion } from '../../shared/transcript/questions';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Effort } from '../../util/effort';
import { getBeginning } from '../../util/textParts';
import type { FollowDocuments } from './followDocuments';
import { type Comment, digest, type Lines } from './model/comment';
import { commentSource, getPart } from './model/commentPrompt';
import type { CommentStore } from './model/commentStore';
import { nameIn, nameOfComments, unsentOf } from './sendComments';

interface ReaderParts {
  readonly comments: CommentStore;
  readonly follow: Pick<FollowDocuments, 'find' | 'textOf'>;
  readonly reviews: Pick<ProvidedReviews, 'of'>;
  readonly sessions: Pick<Sessions, 'find' | 'onDidHappen'>;
}

/** What `about` says for all that wait. */
const all = 'all';
const mention = '@comments';
/** Steps to compare a file with what it was, see `Effort`. */
const steps = 1_000_000;
const maxHunk = 20_000;

/** Reads comments when a prompt with them is sent, and notes what becomes of them. */
export class CommentReader implements Disposable {
  readonly #parts: ReaderParts;
  readonly #store = new DisposableStore();

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    this.#store.add(
      parts.sessions.onDidHappen(({ session, turn }) => {
        if (turn !== undefined) {
          void this.#turnEnded(session, turn.began);
        }
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  async read(about: string, session: ContextSession): Promise<readonly ContextPart[]> {
    const known = this.#parts.comments.of(session);
    const ids = about.split(',');
    const asked = about === all ? unsentOf(known) : known.filter(({ id }) => ids.includes(id));
    const parts: ContextPart[] = [];
    for (const { id } of asked) {
      const found = await this.#parts.follow.find(session, id);
      if (found !== undefined) {
        const { comment, text } = found;
        const hunk = comment.isLost ? undefined : await this.#findHunk(session, comment);
        const name = nameIn(session.cwd, comment.file);
        const { first, last, isLost = false } = comment;
        parts.push(
          getPart(comment, {
            first,
            last,
            isLost,
            name,
            text,
            ...(hunk !== undefined && { hunk }),
          }),
        );
      }
    }
    const open = this.#parts.sessions.find(session.agentId, session.sessionId);
    if (open !== undefined) {
      this.#awaitTurn(
        open,
        about,
        asked.map(({ id }) => id),
      );
    }
    return parts;
  }

  suggest(typed: string, session: ContextSession): readonly ContextSuggestion[] {
    const { length } = unsentOf(this.#parts.comments.of(session));
    return length > 0 && mention.startsWith(`@${typed.toLowerCase()}`)
      ? [
          {
            ...{ source: commentSource, about: all, mention },
            name: l10n.t('Comments on lines'),
            detail: nameOfComments(length),
          },
        ]
      : [];
  }

  /** The change of a file that the lines are in, if it waits for review. */
  async #findHunk(session: SessionRef, comment: Comment): Promise<string | undefined> {
    const { file } = comment;
    const review = this.#parts.reviews.of(session.agentId, session.sessionId);
    if (!review?.pending.some((one) => one.file === file && one.form === 'text')) {
      return undefined;
    }
    const before = await review.baseline(file);
    const now = await this.#parts.follow.textOf(file);
    if (before === undefined || now === undefined) {
      return undefined;
    }
    const hunks = findHunks(before ?? '', now, new Effort(steps)) ?? [];
    const own = hunks.filter((hunk) =>
      comment.isBefore
        ? touches(comment, hunk.oldStart, hunk.oldLines)
        : touches(comment, hunk.newStart, hunk.newLines),
    );
    const text = own
      .map(
        ({ oldStart, oldLines, newStart, newLines, lines }) =>
          `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${lines.join('\n')}`,
      )
      .join('\n');
    const part = getBeginning(text, maxHunk);
    return text === '' ? undefined : part.length < text.length ? `${part}\n[…]` : part;
  }

  /** Marks the comments once the prompt with them is under way, which may still fail before. */
  #awaitTurn(session: Session, about: string, ids: readonly string[]): void {
    const has = ({ attachments }: Draft): boolean =>
      attachments.some((attachment: Attachment) => isAbout(attachment, about));
    const listener = this.#store.add(
      session.onDidChangeState(() => {
        const { queue, running } = session.turns.unfinished;
        const turn = session.turns.current;
        if (turn.kind === 'idle') {
          listener.dispose();
        } else if (turn.kind === 'running' && turn.began !== undefined) {
          const isSteered = !queue.some(({ draft }) => has(draft));
          if ((running !== undefined && has(running)) || isSteered) {
            listener.dispose();
            this.#sent(session, ids, turn.began);
          }
        }
      }),
    );
  }

  #sent(session: Session, ids: readonly string[], began: number): void {
    const ref = { agentId: session.agent.id, sessionId: session.info.sessionId };
    for (const id of ids) {
      const known = this.#parts.comments.get(ref, id);
      if (known !== undefined) {
        this.#parts.comments.replace(ref, {
          ...known,
          ...{ began, state: 'sent', sentText: digest(known.text) },
        });
      }
    }
  }

  /** A turn that got comments has ended: says of which it has changed the lines. */
  async #turnEnded({ agent, info }: Session, began: number): Promise<void> {
    const ref = { agentId: agent.id, sessionId: info.sessionId };
    const own = this.#parts.comments
      .of(ref)
      .filter((comment) => comment.state === 'sent' && comment.began === began);
    for (const { id } of own) {
      const comment = (await this.#parts.follow.find(ref, id))?.comment;
      const isChanged =
        comment?.isLost || (comment !== undefined && digest(comment.text) !== comment.sentText);
      if (comment?.state === 'sent' && isChanged) {
        this.#parts.comments.replace(ref, { ...comment, state: 'changed' });
      }
    }
  }
}

function isAbout(attachment: Attachment, about: string): boolean {
  return (
    attachment.type === 'context' &&
    attachment.source === commentSource &&
    attachment.about === about
  );
}

/** Whether lines, counted from 0, are among those of a hunk, counted from 1. */
function touches({ first, last }: Lines, start: number, count: number): boolean {
  return first + 1 < start + count && last + 1 >= start;
}
