import fs from 'node:fs';
import path from 'node:path';
import type {
  Deleting,
  FileNow,
  NotReplaced,
  Replacement,
  ReviewFiles,
} from '../../src/features/review/model/reviewFiles';

/** The user's files on the disk, with unsaved documents beside them, as an editor would treat them. */
export class DiskFiles implements ReviewFiles {
  /** Texts of unsaved documents by file. */
  readonly unsaved = new Map<string, string>();
  readonly readOnly = new Set<string>();
  /** Called before a file is replaced. */
  onReplace: (file: string, replacement: Replacement) => void = () => undefined;

  look(file: string): Promise<FileNow> {
    // A file may be where its folder was.
    const facts =
      fs.existsSync(path.dirname(file)) && fs.statSync(path.dirname(file)).isDirectory()
        ? fs.lstatSync(file, { throwIfNoEntry: false })
        : undefined;
    if (facts === undefined) {
      return Promise.resolve({ kind: 'absent' });
    }
    if (!facts.isFile()) {
      return Promise.resolve({ kind: 'untouchable', reason: 'notAFile' });
    }
    const unsaved = this.unsaved.get(file);
    return Promise.resolve({
      kind: 'file',
      bytes: fs.readFileSync(file),
      isExecutable: (facts.mode & 0o100) !== 0,
      ...(unsaved !== undefined && { unsaved }),
    });
  }

  replace(
    files: readonly Replacement[],
    done: (file: string) => void,
  ): Promise<readonly NotReplaced[]> {
    const left: NotReplaced[] = [];
    for (const replacement of files) {
      const { file } = replacement;
      this.onReplace(file, replacement);
      const reason = this.#replace(replacement);
      if (reason === undefined) {
        done(file);
      } else {
        left.push({ file, reason });
      }
    }
    return Promise.resolve(left);
  }

  #replace({
    file,
    expected,
    wanted,
    isExecutable,
  }: Replacement): NotReplaced['reason'] | undefined {
    const now = fs.existsSync(file) ? fs.readFileSync(file) : undefined;
    if (!isSame(now, expected)) {
      return 'changedSince';
    }
    if (this.readOnly.has(file)) {
      return 'readOnly';
    }
    if (this.unsaved.has(file)) {
      return 'dirty';
    }
    if (wanted === undefined) {
      fs.rmSync(file, { force: true });
    } else {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      const temporary = `${file}.${process.pid}.tmp`;
      fs.writeFileSync(temporary, wanted, { mode: isExecutable ? 0o755 : 0o644 });
      fs.renameSync(temporary, file);
    }
    return undefined;
  }

  /** Set by tests where there is no trash. */
  onDelete: (files: readonly string[]) => Deleting = () => 'toTrash';

  howToDelete(files: readonly string[]): Promise<Deleting> {
    return Promise.resolve(this.onDelete(files));
  }

  /** UTF-16 with a mark, otherwise UTF-8. */
  decode(_file: string, bytes: Uint8Array): Promise<string | undefined> {
    if (isUtf16(bytes)) {
      return Promise.resolve(Buffer.from(bytes.subarray(2)).toString('utf16le'));
    }
    const text = Buffer.from(bytes).toString('utf8');
    return Promise.resolve(text.includes('\0') ? undefined : text.replace(/^\ufeff/, ''));
  }

  encode(_file: string, text: string, like: Uint8Array | undefined): Promise<Uint8Array> {
    if (isUtf16(like)) {
      return Promise.resolve(Buffer.from(`\ufeff${text}`, 'utf16le'));
    }
    const mark = like?.[0] === 0xef && like[1] === 0xbb && like[2] === 0xbf ? '\ufeff' : '';
    return Promise.resolve(Buffer.from(mark + text));
  }
}

function isUtf16(bytes: Uint8Array | undefined): boolean {
  return bytes?.[0] === 0xff && bytes[1] === 0xfe;
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === undefined || other === undefined
    ? one === other
    : Buffer.compare(one, other) === 0;
}
