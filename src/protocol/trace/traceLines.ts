import { Buffer } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { LineSplitter } from '../lineSplitter';
import { TraceError } from './traceError';

const chunkBytes = 128 * 1024;

/**
 * The lines that end in each chunk, one chunk after the other; `undefined` is one with more bytes than `lineBytes`.
 */
export async function* getLines(
  chunks: AsyncIterable<Uint8Array>,
  lineBytes: number,
): AsyncGenerator<readonly (string | undefined)[]> {
  let lines: (string | undefined)[] = [];
  const splitter = new LineSplitter({
    maxBytes: lineBytes,
    onLine: (line) => lines.push(line),
    onOversize: () => lines.push(undefined),
  });
  for await (const chunk of chunks) {
    splitter.push(chunk);
    yield lines;
    lines = [];
  }
  splitter.end();
  yield lines;
}

/**
 * An open file from its start, in chunks that are valid until the next one. Rejects with `TraceError` if it has more
 * bytes than that.
 */
export async function* getChunks(
  file: Pick<FileHandle, 'read'>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) {
      return;
    }
    position += bytesRead;
    if (position > bytes) {
      throw new TraceError('tooLarge');
    }
    yield buffer.subarray(0, bytesRead);
  }
}
