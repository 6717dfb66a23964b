import { stat } from 'node:fs/promises';
import type { Connect } from '../../../model/agents/connect';
import type { AgentConfig } from '../../../model/ports';
import type {
  AgentCapabilities,
  AgentConnection,
  AgentInfo,
  AuthMethod,
} from '../../../protocol/agentConnection';
import { AcpError } from '../../../protocol/errors';
import type { Environment } from '../../../util/process/environment';
import type { startProcess } from '../../../util/process/startProcess';
import { lookUpNode, type NodeFacts, needsNode } from './nodeLookup';
import { refusals } from './probe';
import { lookUpProgram, type ProgramLookup } from './programLookup';

/** What a diagnosis needs from the parts that start agents for real. */
export interface DiagnosisTools {
  readonly connect: Connect;
  readonly startProcess: typeof startProcess;
  loginEnvironment(): Promise<Environment | undefined>;
}

export interface DiagnosisRequest {
  readonly config: AgentConfig;
  /** The folder in which the agent starts. */
  readonly cwd: string | undefined;
  /** The folder whose sessions it is asked for; `undefined` for those of all folders. */
  readonly listed: string | undefined;
  /** Otherwise nothing is started. */
  readonly trusted: boolean;
  readonly home: string;
  readonly signal: AbortSignal;
  onStep(step: StepKind): void;
}

export const stepKinds = ['command', 'node', 'start', 'initialize', 'list', 'end'] as const;
export type StepKind = (typeof stepKinds)[number];

/** A step that was begun. */
interface Step {
  readonly kind: StepKind;
  readonly outcome: 'done' | 'failed' | 'canceled';
  readonly ms: number;
}

/** Everything that was found out about an agent. Nothing in it is fit to be shown before it is cleaned. */
export interface Diagnosis {
  readonly config: AgentConfig;
  readonly cwd: string | undefined;
  readonly trusted: boolean;
  readonly steps: readonly Step[];
  readonly missingFolder: boolean;
  readonly lookup: ProgramLookup;
  readonly node?: NodeFacts;
  /** Why the agent couldn't be started or initialized. */
  readonly startError?: AcpError;
  readonly agent?: AgentAnswers;
  /** The first lines on stdout that aren't messages. */
  readonly noise: readonly string[];
  /** Whether they came before the answer to `initialize`. */
  readonly noiseFirst: boolean;
  /** The last lines on stderr. */
  readonly stderr: readonly string[];
}

/** What an agent has answered. */
interface AgentAnswers {
  /** The version of the protocol, as the agent has chosen it. */
  readonly protocolVersion: number;
  readonly info: AgentInfo;
  readonly capabilities: AgentCapabilities;
  readonly authMethods: readonly AuthMethod[];
  /** The first page of its sessions; absent if it can't list them, or wasn't asked. */
  readonly list?: { readonly sessions: number; readonly hasMore: boolean };
  readonly listError?: AcpError;
}

/** An agent with an address has no program here. */
const noLookup: ProgramLookup = { path: undefined, loginPath: undefined, loginFailed: false };

const maxNoise = 10;
const maxStderr = 20;

/**
 * Looks up an agent's command, starts it in a process of its own, initializes it, reads the first page of its sessions
 * and ends it. It sends no prompt, opens and changes no session, and refuses every request of the agent. Never rejects:
 * when `signal` aborts, it resolves with what is known by then.
 */
export async function diagnose(
  request: DiagnosisRequest,
  tools: DiagnosisTools,
): Promise<Diagnosis> {
  const { config, cwd, trusted, home, signal } = request;
  const steps = new Steps(request);
  const isHere = config.remote === undefined;
  const lookup = isHere
    ? await steps.run('command', () =>
        lookUpProgram(config, {
          ...{ cwd, home },
          loginEnvironment: trusted ? () => tools.loginEnvironment() : undefined,
        }),
      )
    : noLookup;
  const prints = new Prints();
  const missingFolder = isHere && cwd !== undefined && !(await isFolder(cwd));
  const facts = { config, cwd, trusted, missingFolder, lookup };
  const whole = (rest: Partial<Diagnosis>): Diagnosis => ({
    ...{ ...facts, ...rest, steps: steps.done },
    ...{ noise: prints.noise, noiseFirst: prints.noiseFirst, stderr: prints.stderr },
  });
  if (!trusted || signal.aborted) {
    return whole({});
  }
  const { program } = lookup;
  const node =
    program && needsNode(program) && !missingFolder
      ? await steps.run('node', () => lookUpNode(program, lookup, tools.startProcess, cwd, signal))
      : undefined;
  const withNode = node && { node };
  const started = await startAgent(request, tools, steps, prints);
  if (started instanceof AcpError) {
    prints.adopt(started);
    return whole({ ...withNode, startError: started });
  }
  try {
    return whole({ ...withNode, agent: await ask(started, request, steps) });
  } finally {
    await steps.run('end', () => started.close());
  }
}

/** Starts and initializes the agent, each a step of its own. */
async function startAgent(
  { config, signal }: DiagnosisRequest,
  { connect }: DiagnosisTools,
  steps: Steps,
  prints: Prints,
): Promise<AgentConnection | AcpError> {
  if (signal.aborted) {
    return new AcpError('cancelled', 'The diagnosis was canceled');
  }
  let step = steps.begin('start');
  const watch = {
    onStarted: (): void => {
      step.end('done');
      step = steps.begin('initialize');
    },
    onPrint: prints.add,
  };
  try {
    const connection = await connect(config, refusals, signal, {}, watch);
    prints.initialized = true;
    step.end('done');
    return connection;
  } catch (error) {
    step.end(steps.failure);
    return asAcpError(error);
  }
}

/** Reads the first page of the agent's sessions, if it can list them. */
async function ask(
  connection: AgentConnection,
  { listed, signal }: DiagnosisRequest,
  steps: Steps,
): Promise<AgentAnswers> {
  const { protocolVersion, info, capabilities, authMethods } = connection;
  const answers = { protocolVersion, info, capabilities, authMethods };
  if (!capabilities.list || signal.aborted) {
    return answers;
  }
  try {
    const page = await steps.run('list', () =>
      connection.listSessions(listed === undefined ? {} : { cwd: listed }, signal),
    );
    const list = { sessions: page.sessions.length, hasMore: page.nextCursor !== undefined };
    return { ...answers, list };
  } catch (error) {
    return { ...answers, listError: asAcpError(error) };
  }
}

function asAcpError(error: unknown): AcpError {
  return error instanceof AcpError
    ? error
    : new AcpError('malformed', String(error), {}, { cause: error });
}

/** Measures the steps. */
class Steps {
  readonly done: Step[] = [];
  readonly #request: Pick<DiagnosisRequest, 'signal' | 'onStep'>;

  constructor(request: Pick<DiagnosisRequest, 'signal' | 'onStep'>) {
    this.#request = request;
  }

  /** The outcome of a step that has failed. */
  get failure(): 'canceled' | 'failed' {
    return this.#request.signal.aborted ? 'canceled' : 'failed';
  }

  begin(kind: StepKind): { end(outcome: Step['outcome']): void } {
    const begun = performance.now();
    this.#request.onStep(kind);
    return {
      end: (outcome) => {
        this.done.push({ kind, outcome, ms: performance.now() - begun });
      },
    };
  }

  async run<T>(kind: StepKind, work: () => Promise<T>): Promise<T> {
    const step = this.begin(kind);
    try {
      const result = await work();
      step.end('done');
      return result;
    } catch (error) {
      step.end(this.failure);
      throw error;
    }
  }
}

/** The lines of an agent that aren't messages: the first on stdout, the last on stderr. */
class Prints {
  readonly noise: string[] = [];
  stderr: readonly string[] = [];
  noiseFirst = false;
  initialized = false;

  readonly add = (line: string, from: 'stdout' | 'stderr'): void => {
    if (from === 'stderr') {
      this.stderr = [...this.stderr, line].slice(-maxStderr);
      return;
    }
    this.noiseFirst ||= !this.initialized;
    if (this.noise.length < maxNoise) {
      this.noise.push(line);
    }
  };

  /** The transport has kept the last lines even if there were too many to pass on. */
  adopt({ facts: { stderr = [] } }: AcpError): void {
    if (stderr.length > 0) {
      this.stderr = stderr.slice(-maxStderr);
    }
  }
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}

/** The folder whose sessions an agent is asked for. One with an address is asked about all of its folders. */
export function listedFolder(
  { cwd, remote }: AgentConfig,
  folders: readonly { readonly path: string }[],
): string | undefined {
  return remote === undefined ? (cwd ?? folders[0]?.path) : undefined;
}
