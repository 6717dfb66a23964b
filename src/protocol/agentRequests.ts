import type { ElicitationAsk, FormValues, PermissionOption } from '../shared/requests';
import type { ToolCallPatch } from './updates';

/** What an agent may ask of us, checked and normalised. Every request belongs to a session, but for elicitations. */

/** PE-2. */
export interface PermissionRequest {
  readonly sessionId: string;
  readonly toolCall: ToolCallPatch;
  readonly options: readonly PermissionOption[];
}

/** `undefined` is the outcome `cancelled`. */
export type PermissionAnswer = { readonly optionId: string } | undefined;

/** FS-2. */
export interface ReadRequest {
  readonly sessionId: string;
  /** Absolute (TR-11). */
  readonly path: string;
  /** 1-based. */
  readonly line?: number;
  /** Lines. */
  readonly limit?: number;
}

/** FS-3. */
export interface WriteRequest {
  readonly sessionId: string;
  /** Absolute (TR-11). */
  readonly path: string;
  readonly content: string;
}

/** TE-2. */
export interface CreateTerminalRequest {
  readonly sessionId: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute; the session's own without it. */
  readonly cwd?: string;
  /** Bytes of output to keep. */
  readonly outputByteLimit?: number;
}

export interface TerminalRef {
  readonly sessionId: string;
  readonly terminalId: string;
}

/** TE-5. One of them is set. */
export interface TerminalExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** TE-4. */
export interface TerminalOutput {
  readonly output: string;
  readonly truncated: boolean;
  readonly exitStatus?: TerminalExit;
}

/** EL-5: in the scope of a session, or of another request of ours. */
export interface ElicitationRequest {
  readonly sessionId?: string;
  readonly toolCallId?: string;
  readonly message: string;
  readonly ask: ElicitationAsk;
}

/** EL-10: values only with the acceptance of a form. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly values?: FormValues }
  | { readonly action: 'decline' | 'cancel' };

/**
 * Answers what an agent asks. `signal` aborts when the agent takes its request back, or goes; an answer
 * after that is dropped. What rejects reaches the agent as a code only (T-35): throw `AcpError` with
 * `invalidParams`, `gone` (a session or file that isn't there), `unsupported` or `cancelled`.
 */
export interface AgentRequests {
  requestPermission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer>;
  /** Resolves with the text. */
  readTextFile(request: ReadRequest, signal: AbortSignal): Promise<string>;
  writeTextFile(request: WriteRequest, signal: AbortSignal): Promise<void>;
  /** Resolves with the terminal's id, at once. */
  createTerminal(request: CreateTerminalRequest, signal: AbortSignal): Promise<string>;
  terminalOutput(ref: TerminalRef): Promise<TerminalOutput>;
  waitForTerminalExit(ref: TerminalRef, signal: AbortSignal): Promise<TerminalExit>;
  killTerminal(ref: TerminalRef): Promise<void>;
  releaseTerminal(ref: TerminalRef): Promise<void>;
  elicit(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer>;
  /** What a person did outside is done (EL-14). */
  elicitationCompleted(elicitationId: string): void;
}
