import { stat } from 'node:fs/promises';
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
    await stat(counterpart);
    return { ...attachment, uri: pathToFileURL(counterpart).href };
  } catch {
    return attachment;
  }
}
