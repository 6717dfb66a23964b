import * as l10n from '@vscode/l10n';
import type { WriteRequest } from '../../protocol/agentRequests';
import type { AcpError } from '../../protocol/errors';
import { refusal } from '../../protocol/refusal';
import type { PermissionOption } from '../../shared/requests/agentQuestions';
import type { ToolKind } from '../../shared/transcript/content';
import type { OwnAsk, ToolCallEntry } from '../../shared/transcript/entries';
import { type AgentCommand, commandLine } from '../calls/commandLine';
import type { PermissionRules } from '../ports';
import type { RuledPlace, Ruling } from '../rules/permissionRule';
import type { Asked as Ruled } from '../rules/ruledAct';
import type { FilesEdit } from './filesEdit';
import type { Act, Grants } from './grants';
import type { OwnRun } from './ownRun';
import type { OwnQuestion, PendingRequests } from './pendingRequests';

export interface ConsentHost {
  readonly agentId: string;
  readonly rules: PermissionRules;
  /** The place in which rules look for what a request names. */
  readonly place: RuledPlace;
  readonly requests: Pick<PendingRequests, 'ask' | 'noteRuled' | 'cancellations'>;
  readonly grants: Grants;
  /** A lasting permission was granted, which can be revoked. */
  changed(): void;
}

/** Maximum number of queued questions of one session, including the one shown. */
const maxWaitingQuestions = 100;

const kindOf = { write: 'edit', command: 'execute' } as const;

/**
 * Decides whether an agent may change a file or run a command: by rule, by an earlier permission, or by
 * asking the user. Asks one question at a time, so that one answer can settle the questions after it.
 * Everything but a yes rejects with a `refusal`.
 */
export class Consent {
  readonly #host: ConsentHost;
  #row: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(host: ConsentHost) {
    this.#host = host;
  }

  /**
   * `file`: its real path; `named`: what a permitted call may have named it; `oldText` is read when the user is asked,
   * `null` for a new file.
   */
  async mayWrite(
    request: WriteRequest,
    { file, named }: { readonly file: string; readonly named: string | undefined },
    oldText: () => Promise<string | null>,
    signal: AbortSignal,
  ): Promise<void> {
    const about = { title: file, toolKind: 'edit' as const, locations: [{ path: file }] };
    await this.#decide(
      'write',
      [{ type: 'write', file }],
      {
        isCovered: () => this.#host.grants.takeWrite(named),
        isSeen: () => true,
        allowAlways: () => this.#host.grants.allowAlways('write'),
        quiet: () => ask({ act: 'write' }, about),
        full: async () => {
          const newText = request.content;
          const diff = { type: 'diff', path: file, oldText: await oldText(), newText } as const;
          return ask({ act: 'write' }, { ...about, content: [diff], locations: [] });
        },
      },
      signal,
    );
  }

  /** One answer decides about all files, by their real paths: one rule that rejects a file rejects them all. */
  async mayEdit({ title, files }: FilesEdit, signal: AbortSignal): Promise<void> {
    const own = { act: 'edit' } as const;
    const toolKind = 'edit' as const;
    const locations = files.map(({ path }) => ({ path }));
    const content = files.map((file) => ({ type: 'diff', ...file }) as const);
    await this.#decide(
      'write',
      files.map(({ path: file }) => ({ type: 'write', file })),
      {
        // No call of the agent names what is written.
        isCovered: () => this.#host.grants.takeWrite(undefined),
        isSeen: () => true,
        allowAlways: () => this.#host.grants.allowAlways('write'),
        quiet: () => ask(own, { title, toolKind, locations }),
        full: () => Promise.resolve(ask(own, { title, toolKind, content })),
      },
      signal,
    );
  }

  /** `folder`: the command's working directory; `isWithin`: it is one that the agent may use. */
  async mayRun(
    request: AgentCommand,
    folder: string,
    isWithin: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { command, args, env, shell } = request;
    const line = commandLine(request);
    const hasEnv = Object.keys(env).length > 0;
    // What is long is cut at its end, which may only be that of the command: it is shown above, too.
    const rawInput = {
      ...(hasEnv && { env }),
      folder,
      command: line,
      ...(shell === undefined ? { program: command, arguments: args } : { shell }),
    };
    const question = ask(
      { act: 'command', folder },
      { title: line, toolKind: 'execute', rawInput },
    );
    const { grants } = this.#host;
    await this.#decide(
      'command',
      // What no rule says anything about is asked about besides: the variables.
      [{ type: 'command', request: { ...request, env: {} }, folder }],
      {
        isCovered: () => grants.takeCommand(request, folder, isWithin),
        ...this.#askedWith([env], question),
      },
      signal,
    );
  }

  /**
   * Rules that reject a command count; those that allow one by its words don't, as its line may not be all that runs.
   */
  async mayRunOwn(
    { title, folder, line, before = [], details, variables = [] }: OwnRun,
    signal: AbortSignal,
  ): Promise<void> {
    const rawInput = { ...details, folder, ...(line !== undefined && { command: line }) };
    const question = ask({ act: 'run', folder }, { title, toolKind: 'execute', rawInput });
    const requests = [...before, line ?? title].map((command) => ({
      ...{ sessionId: '', command, args: [], env: {}, shell: 'sh' },
    }));
    await this.#decide(
      'command',
      requests.map((request) => ({ type: 'command', request, folder })),
      {
        isCovered: () => this.#host.grants.isAlways('command'),
        ...this.#askedWith(variables, question),
        isByKind: true,
      },
      signal,
    );
  }

  /** How commands that set these variables are asked about: no permission for commands covers the variables. */
  #askedWith(
    variables: readonly Readonly<Record<string, string>>[],
    question: OwnQuestion,
  ): Omit<Asked, 'isCovered' | 'isByKind'> {
    const { grants } = this.#host;
    return {
      isSeen: () => variables.every((env) => grants.hasVariables(env)),
      allowAlways: (isCovered) => {
        for (const env of variables) {
          grants.allowVariables(env);
        }
        if (!isCovered) {
          grants.allowAlways('command');
        }
      },
      quiet: () => question,
      full: (isCovered) =>
        Promise.resolve(isCovered ? { ...question, options: optionsForVariables() } : question),
    };
  }

  /** Asks whether the agent may use a folder that it has named; rules don't apply. */
  async mayUseFolder(folder: string, signal: AbortSignal): Promise<boolean> {
    return this.#inRow(signal, async () => {
      const question = ask({ act: 'folder' }, { title: folder, toolKind: 'other' });
      const answer = await this.#host.requests.ask(question, signal);
      if (answer === undefined) {
        throw cancelled();
      }
      if (answer === 'allow_always') {
        this.#host.changed();
      }
      return answer === 'allow_always';
    });
  }

  async #decide(
    act: Act,
    ruled: readonly Ruled[],
    asked: Asked,
    signal: AbortSignal,
  ): Promise<void> {
    const { requests } = this.#host;
    const ruling = await this.#ruling(kindOf[act], ruled);
    if (ruling === 'reject') {
      requests.noteRuled(asked.quiet(), 'reject_once');
      throw refusal('refusedByRule', 'A rule of the user rejects this');
    }
    const isRuled = ruling === 'allow' || (ruling === 'allowOne' && asked.isByKind !== true);
    const isSettled = (): boolean => {
      if (!asked.isSeen()) {
        return false;
      }
      const isCovered = asked.isCovered();
      if (!isCovered && isRuled) {
        requests.noteRuled(asked.quiet(), 'allow_once');
      }
      return isCovered || isRuled;
    };
    if (isSettled()) {
      return;
    }
    await this.#inRow(signal, async () => {
      // The previous answer may have covered this question, too.
      if (!isSettled()) {
        const isCovered = isRuled || (!asked.isSeen() && asked.isCovered());
        await this.#askPerson(asked, isCovered, signal);
      }
    });
  }

  /** Reading a file needs no consent, but a rule with a path may reject it. */
  async mayRead(file: string): Promise<void> {
    const ruling = this.#host.rules.decide(
      this.#host.agentId,
      'read',
      { type: 'read', file },
      this.#host.place,
    );
    // Rules by kind alone decide only what an agent asks for.
    if (ruling instanceof Promise && (await ruling) === 'reject') {
      throw refusal('refusedByRule', 'A rule of the user rejects reading this file');
    }
  }

  /** Rejects with `cancelled` if everything was canceled while the rules looked at files. */
  async #ruling(kind: ToolKind, ruled: readonly Ruled[]): Promise<Ruling | undefined> {
    const { rules, requests, agentId, place } = this.#host;
    const rulings = ruled.map((one) => rules.decide(agentId, kind, one, place));
    if (!rulings.some((ruling) => ruling instanceof Promise)) {
      return ofAll(rulings as readonly (Ruling | undefined)[]);
    }
    const era = requests.cancellations;
    const decided = ofAll(await Promise.all(rulings.map((ruling) => Promise.resolve(ruling))));
    if (requests.cancellations !== era) {
      throw cancelled();
    }
    return decided;
  }

  async #askPerson(asked: Asked, isCovered: boolean, signal: AbortSignal): Promise<void> {
    const answer = await this.#host.requests.ask(await asked.full(isCovered), signal);
    if (answer === 'allow_always') {
      asked.allowAlways(isCovered);
      this.#host.changed();
    } else if (answer === undefined) {
      throw cancelled();
    } else if (answer !== 'allow_once') {
      throw refusal('refusedByUser', 'Not allowed by the user');
    }
  }

  /** Runs `work` after the earlier ones; rejects when everything was canceled meanwhile. */
  async #inRow<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { requests } = this.#host;
    if (this.#waiting >= maxWaitingQuestions) {
      throw refusal('tooMany', `${maxWaitingQuestions} questions of this session wait already`);
    }
    const era = requests.cancellations;
    this.#waiting++;
    const mine = this.#row.then(() => {
      if (signal.aborted || requests.cancellations !== era) {
        throw cancelled();
      }
      return work();
    });
    this.#row = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      this.#waiting--;
    }
  }
}

/**
 * One act to decide about. `quiet` makes the question to record for a rule, `full` the one with all
 * details for the user.
 */
interface Asked {
  /** Takes the permission that covers the act, if there is one. */
  isCovered(): boolean;
  /** Whether the act has nothing, such as variables, that a rule or a permission for it doesn't cover. */
  isSeen(): boolean;
  /** `isCovered`: the question was only about what isn't seen. */
  full(isCovered: boolean): Promise<OwnQuestion>;
  allowAlways(isCovered: boolean): void;
  quiet(): OwnQuestion;
  /** Whether only a rule for all acts of the kind allows it. */
  readonly isByKind?: true;
}

function ask(
  own: OwnAsk,
  about: Pick<ToolCallEntry, 'title' | 'toolKind'> & Partial<ToolCallEntry>,
): OwnQuestion {
  const toolCall: ToolCallEntry = {
    kind: 'toolCall',
    // Must differ from the agent's ids.
    toolCallId: crypto.randomUUID(),
    status: 'pending',
    content: [],
    locations: [],
    ...about,
  };
  return { own, toolCall, options: optionsFor(own.act) };
}

/** The ruling for what is only done as a whole. */
function ofAll(rulings: readonly (Ruling | undefined)[]): Ruling | undefined {
  if (rulings.includes('reject')) {
    return 'reject';
  }
  const isAllowed = rulings.every((ruling) => ruling !== undefined);
  return isAllowed && rulings.includes('allowOne')
    ? 'allowOne'
    : isAllowed
      ? rulings[0]
      : undefined;
}

function option(kind: PermissionOption['kind'], name: string): PermissionOption {
  return { optionId: kind, name, kind };
}

/** The options for a command that is allowed but for its variables. */
function optionsForVariables(): readonly PermissionOption[] {
  return [
    option('allow_once', l10n.t('Allow Once')),
    option('allow_always', l10n.t('Allow These Variables for This Session')),
    option('reject_once', l10n.t('Reject')),
  ];
}

function optionsFor(act: OwnAsk['act']): readonly PermissionOption[] {
  const always = option('allow_always', l10n.t('Allow for This Session'));
  const reject = option('reject_once', l10n.t('Reject'));
  return act === 'folder'
    ? [always, reject]
    : [option('allow_once', l10n.t('Allow Once')), always, reject];
}

function cancelled(): AcpError {
  return refusal('cancelled', 'Nobody decides about this any more');
}
