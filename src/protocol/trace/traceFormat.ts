import { isObject, type JsonObject, parseJson } from '../../util/json';
import { defaultMaxMessageBytes } from '../lineSplitter';
import type { MessageDirection } from '../messageTap';

/** The file of a recorded connection: lines of JSON, the first of which is the header; see docs/traces.md. */
export const traceFormat = 'acp-sessions-trace';
export const traceVersion = 1;
/** The ending of a trace's name, without its dot. */
export const traceEnding = 'ndjson';

export interface TraceHeader {
  /** The version of the client that has recorded it. */
  readonly client: string;
  readonly agent: string;
  /** When the recording began, as ISO 8601. */
  readonly began: string;
  /** `middle`: the agent was running already, so the beginning of the connection isn't in the trace. */
  readonly from: 'start' | 'middle';
  /** The version of the protocol that was spoken then, if the trace begins in the middle. */
  readonly protocol?: number;
  /** `placeholders`: texts are replaced by placeholders of the same length. */
  readonly texts: 'kept' | 'placeholders';
}

/** What a trace may have; no more is recorded, and no more is read. */
export interface TraceLimits {
  readonly bytes: number;
  readonly lines: number;
  /** Maximum size of a line: a message, and what the line adds. */
  readonly lineBytes: number;
}

export const traceLimits: TraceLimits = {
  bytes: 256 * 1024 * 1024,
  lines: 1_000_000,
  lineBytes: defaultMaxMessageBytes + 1024,
};

/** A line of a trace after its header. */
export type TraceLine =
  | {
      readonly kind: 'message';
      readonly direction: MessageDirection;
      readonly message: JsonObject;
      /** The time since the recording began. */
      readonly ms: number;
    }
  /** A mark between two recordings that were put into one file. */
  | { readonly kind: 'note' };

const directions = { in: 'fromAgent', out: 'toAgent' } as const;

export function headerLine(header: TraceHeader): string {
  return `${JSON.stringify({ format: traceFormat, version: traceVersion, ...header })}\n`;
}

/** `ms`: since the recording began. */
export function messageLine(ms: number, direction: MessageDirection, message: unknown): string {
  const dir = direction === 'fromAgent' ? 'in' : 'out';
  return `${JSON.stringify({ t: Math.round(ms), dir, msg: message })}\n`;
}

/** The last line of a trace that ended by itself: why. */
export function endLine(ms: number, ended: string): string {
  return `${JSON.stringify({ t: Math.round(ms), dir: 'note', ended })}\n`;
}

/** Whether a line is the header of a trace, of any version. */
export function isHeader(value: unknown): value is JsonObject {
  return isObject(value) && value['format'] === traceFormat;
}

/** Reads a line after the header; `undefined` if it isn't one. */
export function readTraceLine(line: string): TraceLine | undefined {
  const value = parseJson(line);
  if (!isObject(value)) {
    return undefined;
  }
  const { dir, msg, t } = value;
  if (dir === 'note') {
    return { kind: 'note' };
  }
  const isMessage = (dir === 'in' || dir === 'out') && isObject(msg) && msg['jsonrpc'] === '2.0';
  const ms = typeof t === 'number' ? t : 0;
  return isMessage ? { kind: 'message', direction: directions[dir], message: msg, ms } : undefined;
}
