import type { Terminal } from '../../../../model/ports';
import type { TerminalExit } from '../../../../protocol/agentRequests';
import { terminalSequences } from '../../../../util/terminalSequences';
import type { TaskStep } from './taskPlan';

/** How a task was left. */
export interface TaskEnd {
  readonly output: string;
  /** `undefined` as long as it goes on running. */
  readonly exit: TerminalExit | undefined;
  /** It was ended because it ran for too long. */
  readonly isLate: boolean;
}

/** In ms. */
interface Patience {
  /** How long a command must be quiet to have begun. */
  readonly quietMs: number;
  /** How long that is awaited. */
  readonly mostMs: number;
}

/** UTF-16 units of the output of one command that are told. */
const maxOutput = 20_000;

/** Waits until a command that is to go on running has begun: it has said what it says first, or has ended. */
export async function begun(
  terminal: Pick<Terminal, 'onDidChange' | 'exited'>,
  { quietMs, mostMs }: Patience,
): Promise<void> {
  let listening = { dispose: (): void => undefined };
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let most: ReturnType<typeof setTimeout> | undefined;
  const isQuiet = new Promise<void>((resolve) => {
    most = setTimeout(resolve, mostMs);
    listening = terminal.onDidChange(() => {
      clearTimeout(quiet);
      quiet = setTimeout(resolve, quietMs);
    });
  });
  try {
    await Promise.race([isQuiet, terminal.exited]);
  } finally {
    listening.dispose();
    clearTimeout(quiet);
    clearTimeout(most);
  }
}

/** How a command ended, and the end of what it said, for the model. */
export function describeEnd(
  { label }: Pick<TaskStep, 'label'>,
  line: string,
  { output, exit, isLate }: TaskEnd,
): string {
  const told = output.replace(terminalSequences, '').replaceAll('\r\n', '\n').trimEnd();
  const end =
    exit === undefined
      ? 'goes on running'
      : isLate
        ? 'was ended because it ran for too long'
        : exit.signal === null
          ? `ended with exit code ${exit.exitCode ?? '?'}`
          : `was ended by ${exit.signal}`;
  const isCut = told.length > maxOutput;
  const cut = isCut ? `[Earlier output is left out.]\n${told.slice(-maxOutput)}` : told;
  return [
    `Task "${label}" (${line}) ${end}.`,
    cut === '' ? 'It printed nothing.' : `Output:\n${cut}`,
  ].join('\n');
}
