import type { FileHandle } from 'node:fs/promises';
import { openWithFacts } from '../../../model/files/regularFile';
import type { ProtocolChoice } from '../../../model/ports';
import { TraceError } from '../../../protocol/trace/traceError';
import { traceLimits } from '../../../protocol/trace/traceFormat';
import { readTrace, type Trace } from '../../../protocol/trace/traceReader';

/** A trace that has been read. Its file stays open, so it can't be replaced by another one. */
export interface OpenedTrace {
  readonly trace: Trace;
  readonly file: FileHandle;
}

/** Rejects if the file can't be read, or isn't a trace, and when `signal` aborts. */
export async function openTrace(file: string, signal: AbortSignal): Promise<OpenedTrace> {
  const { handle, facts } = await openWithFacts(file);
  try {
    if (facts.size > traceLimits.bytes) {
      throw new TraceError('tooLarge');
    }
    return { trace: await readTrace(handle, signal), file: handle };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** What there is to know of a trace before it is replayed. */
export interface CheckedTrace {
  /** The version of the protocol that it is read in: the one in which it was recorded, if that is known here. */
  readonly protocol: ProtocolChoice;
  /** Number of lines that can't be used. */
  readonly unusable: number;
}

/** Reads a file to find out whether it can be replayed; rejects like `openTrace`. */
export async function checkTrace(path: string, signal: AbortSignal): Promise<CheckedTrace> {
  const { trace, file } = await openTrace(path, signal);
  await file.close();
  return { protocol: trace.protocolVersion === 2 ? '2' : '1', unusable: trace.unusable };
}
