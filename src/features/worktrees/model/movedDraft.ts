import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { pathOfAttached } from '../../../model/files/fileUri';
import { isInside } from '../../../model/files/roots';
import type { Attachment, Draft } from '../../../shared/transcript/prompt';

/** The draft with the files of another worktree, where that has them. */
export async function movedDraft(draft: Draft, from: string, to: string): Promise<Draft> {
  const attachments = await Promise.all(
    draft.attachments.map((attachment) => moved(attachment, from, to)),
  );
  return { ...draft, attachments };
}

async function moved(attachment: Attachment, from: string, to: string): Promise<Attachment> {
  if (attachment.type !== 'file' && attachment.type !== 'selection') {
    return attachment;
  }
  const file = pathOfAttached(attachment.uri);
  if (file === undefined || !isInside(file, [from])) {
    return attachment;
  }
  try {
    const counterpart = path.join(to, path.relative(from, file));
    // A link of the branch may lead to what only the user has.
    const isThere = isInside(await realpath(counterpart), [await realpath(to)]);
    return isThere ? { ...attachment, uri: pathToFileURL(counterpart).href } : attachment;
  } catch {
    return attachment;
  }
}
