import { Buffer } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { LineSplitter } from '../rpc/lineSplitter';
import { TraceError } from './traceError';
import type { TraceLimits } from './traceFormat';

const chunkBytes = 128 * 1024;

/**
 * The lines of an open file, those of one chunk after the other; `undefined` is one that is too long. Rejects with
 * `TraceError` if the file has more bytes than a trace may have.
 */
export async function* linesOf(
  file: Pick<FileHandle, 'read'>,
  { bytes, lineBytes }: TraceLimits,
): AsyncGenerator<readonly (string | undefined)[]> {
  let lines: (string | undefined)[] = [];
  const splitter = new LineSplitter({
    maxBytes: lineBytes,
    onLine: (line) => lines.push(line),
    onOversize: () => lines.push(undefined),
  });
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) {
      break;
    }
    position += bytesRead;
    if (position > bytes) {
      throw new TraceError('tooLarge');
    }
    splitter.push(buffer.subarray(0, bytesRead));
    yield lines;
    lines = [];
  }
  splitter.end();
  yield lines;
}
