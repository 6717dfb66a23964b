import { constants } from 'node:fs';
import { openRegularFile } from '../../../model/files/regularFile';
import { type TraceHeader, traceEnding, traceLimits } from '../../../protocol/trace/traceFormat';
import { type TraceEnd, TraceRecorder } from '../../../protocol/trace/traceRecorder';

export { type TraceEnd, type TraceHeader, type TraceRecorder, traceEnding };

/** The size at which a recording ends. */
export const maxTraceBytes = traceLimits.bytes;

const writing = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;

/** Begins a trace in a file that only the user may read; rejects if it can't be written. */
export async function recordTrace(file: string, header: TraceHeader): Promise<TraceRecorder> {
  const handle = await openRegularFile(file, writing);
  try {
    await handle.chmod(0o600);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return new TraceRecorder(
    { write: (text) => handle.appendFile(text), close: () => handle.close() },
    header,
  );
}
