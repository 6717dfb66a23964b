import { refusal } from '../../protocol/refusal';

/** A change of several files that is one act: it is asked about once, and nothing of it is done without a yes. */
export interface FilesEdit {
  /** What is done, for the user. */
  readonly title: string;
  readonly files: readonly FileEdit[];
}

export interface FileEdit {
  readonly path: string;
  /** The text that the new one was made of; line ends don't matter. */
  readonly oldText: string;
  readonly newText: string;
}

/** More can't be looked through in a card. */
export const maxEditedFiles = 50;
/** UTF-16 units of the new texts. */
export const maxEdited = 1_000_000;

/** Some files of an edit are written, and the next one couldn't be, for the reason that is its cause. */
export class PartlyWrittenError extends Error {
  /** How many files were written, the first ones of the edit. */
  readonly written: number;

  constructor(written: number, cause: unknown) {
    super(`Only the first ${written} files were written`, { cause });
    this.written = written;
  }
}

/** Rejects an edit that the user couldn't decide about. */
export function mustBeBounded({ files }: FilesEdit): void {
  const size = files.reduce((sum, { newText }) => sum + newText.length, 0);
  if (files.length === 0 || files.length > maxEditedFiles) {
    throw refusal(
      'invalidParams',
      `It changes ${files.length} files; at most ${maxEditedFiles} can be changed at once`,
    );
  }
  if (size > maxEdited) {
    throw refusal(
      'invalidParams',
      `The changed files are too long, more than ${maxEdited} characters`,
    );
  }
}

/** Whether two texts are equal but for their line ends and the byte order mark, which editors keep to themselves. */
export function isSameText(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

function plain(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
}
