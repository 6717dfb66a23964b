import type {
  ElicitationAnswer,
  ElicitationRequest,
  PermissionAnswer,
  PermissionRequest,
} from '../../protocol/agentRequests';
import type { SessionUpdate, ToolCallPatch } from '../../protocol/updates';
import type {
  ElicitationAction,
  ElicitationState,
  FormErrors,
  FormValues,
  OfferedRule,
  PermissionOption,
  PermissionState,
} from '../../shared/requests/agentQuestions';
import { isSecret } from '../../shared/requests/secretField';
import type {
  Asker,
  ElicitationEntry,
  OwnAsk,
  PermissionEntry,
  ToolCallEntry,
} from '../../shared/transcript/entries';
import { asksAboutOwn, type OwnServer } from '../calls/ownTools';
import type { PermissionRules } from '../ports';
import type { RuledPlace, Ruling } from '../rules/permissionRule';
import { ifPlain } from '../rules/plainRun';
import type { Asked } from '../rules/ruledAct';
import { callAbove } from '../transcript/callAbove';
import { asToolCall } from '../transcript/reduceToolCall';
import type { Transcript } from '../transcript/transcript';
import { ownValues, validateForm } from './formValidation';

type Question = Pick<
  PermissionEntry,
  'toolCall' | 'options' | 'own' | 'from' | 'title' | 'description'
> & {
  /** Whether it is drawn in a row of its own, even if there is one of its call. */
  readonly isAlone?: true;
};

/** `reads`: one of our tools that only read is asked about, which just this answer allows. */
type Decision = Ruling | 'own';

/** A subagent that asks. */
interface AskingSubagent {
  readonly transcript: Transcript;
  readonly asker: Asker;
}

interface Waiting<Answer> {
  /** The index, which changes when the entry moves. */
  index: number;
  readonly settle: (answer: Answer) => void;
}

export interface PendingRequestsHost {
  readonly agentId: string;
  readonly transcript: Transcript;
  readonly rules: PermissionRules;
  /** The place in which rules look for what a request names: the session, or its subagent with this number. */
  place(number: number): RuledPlace;
  /** Our own MCP server, once the agent has asked for its tools. */
  ownServer(): OwnServer | undefined;
  /** Whether all new requests are answered with `cancelled` (T-27). */
  isRefusing(): boolean;
  /**
   * The waiting requests have changed; `asked`: one was added. `numbers`: those of the subagents that
   * wait for an answer.
   */
  changed(asked: boolean, numbers: ReadonlySet<number>): void;
  /**
   * The user or a rule has chosen this option for the request of the agent, or of its subagent with
   * this number.
   */
  permitted(toolCall: ToolCallEntry, option: PermissionOption['kind'], number: number): void;
  /** The subagent that made this call, for agents whose subagents have no session (SUB-3). */
  findCaller(toolCall: ToolCallPatch): AskingSubagent | undefined;
  /**
   * A terminal may be named for the first time, in this transcript; `scope`: the number of the
   * subagent in whose session.
   */
  shown(update: SessionUpdate, transcript: Transcript, scope: number): void;
}

/** A question about an agent's act that comes from the extension, not from the agent. */
export interface OwnQuestion {
  readonly own: OwnAsk;
  readonly toolCall: ToolCallEntry;
  readonly options: readonly PermissionOption[];
  readonly from?: Asker;
}

/** The requests of one subagent. */
export type SubagentRequests = Pick<
  PendingRequests,
  'permission' | 'elicit' | 'ask' | 'noteRuled' | 'cancellations' | 'canceled'
>;

/** Request ids are unique in the window. */
let lastRequestId = 0;

export function newRequestId(): number {
  return ++lastRequestId;
}

/**
 * The agent's requests in one session that are waiting for the user. Each is an entry of the
 * transcript, which stays after its answer. Only an explicit answer counts as a yes (PE-7).
 */
export class PendingRequests {
  readonly #host: PendingRequestsHost;
  readonly #permissions = new Map<number, Waiting<PermissionAnswer>>();
  readonly #elicitations = new Map<number, Waiting<ElicitationAnswer>>();
  /** Entries of opened web pages, by the agent's elicitation id (EL-14). */
  readonly #opened = new Map<string, number>();
  #waiting: readonly number[] = [];
  #cancellations = 0;
  #canceled = new AbortController();
  /** How often `cancelRequest` was called, by the subagent's number. */
  readonly #cancellationsOf = new Map<number, number>();

  constructor(host: PendingRequestsHost) {
    this.#host = host;
    host.transcript.onDidMove((to) => this.#move(to));
  }

  /** Indexes of the waiting entries, ascending. The same array as long as nothing has changed. */
  get waiting(): readonly number[] {
    return this.#waiting;
  }

  /** How often `cancelAll` was called. */
  get cancellations(): number {
    return this.#cancellations;
  }

  /** Aborted by the next `cancelAll`. */
  get canceled(): AbortSignal {
    return this.#canceled.signal;
  }

  /** The requests of a subagent, which are shown with its name (SUB-7). */
  of(subagent: AskingSubagent): SubagentRequests {
    const cancellations = (): number => this.#cancellationsFor(subagent);
    const canceled = (): AbortSignal => this.canceled;
    return {
      permission: (request, signal) => this.permission(request, signal, subagent),
      elicit: (request, signal) => this.elicit(request, signal, subagent.asker),
      ask: (question, signal) => this.ask({ ...question, from: subagent.asker }, signal),
      noteRuled: (question, kind) => this.noteRuled({ ...question, from: subagent.asker }, kind),
      get cancellations() {
        return cancellations();
      },
      get canceled() {
        return canceled();
      },
    };
  }

  /** PE-2 to PE-8: answered by a rule or by the user; `undefined` means canceled. */
  permission(
    request: PermissionRequest,
    signal: AbortSignal,
    asking?: AskingSubagent,
  ): Promise<PermissionAnswer> {
    const subagent = asking ?? this.#host.findCaller(request.toolCall);
    const transcript = subagent?.transcript ?? this.#host.transcript;
    const before = request.isNoCall ? undefined : transcript.toolCall(request.toolCall.toolCallId);
    if (!request.isNoCall) {
      // Updates the tool call's entry before the question is shown (PE-6).
      const update = { sessionUpdate: 'tool_call_update', ...request.toolCall } as const;
      transcript.applyRequest(update);
      this.#host.shown(update, transcript, asking?.asker.number ?? 0);
    }
    const toolCall = request.isNoCall
      ? asToolCall(request.toolCall)
      : withoutAsked(transcript.toolCall(request.toolCall.toolCallId));
    const { options, title, description } = request;
    if (toolCall === undefined) {
      return Promise.resolve(undefined);
    }
    const question: Question = {
      ...{ toolCall, options },
      ...(request.isNoCall && { isAlone: true }),
      ...(subagent && { from: subagent.asker }),
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
    };
    if (this.#host.isRefusing() || signal.aborted || options.length === 0) {
      this.#addPermission(question, { kind: 'cancelled' });
      return Promise.resolve(undefined);
    }
    const asked = {
      ...({ type: 'call', call: toolCall, request: request.toolCall } as const),
      ...(before && { before }),
    };
    const ruling = this.#ruling(asked, request, subagent?.asker.number ?? 0);
    if (!(ruling instanceof Promise)) {
      return this.#answerByRule(question, ruling, asked, signal);
    }
    const era = this.#cancellationsFor(subagent);
    return ruling.then((decided) => {
      if (this.#cancellationsFor(subagent) !== era || this.#host.isRefusing() || signal.aborted) {
        this.#addPermission(question, { kind: 'cancelled' });
        return undefined;
      }
      return this.#answerByRule(question, decided, asked, signal);
    });
  }

  /** Without a rule, tools of ours need no question: what they do themselves is asked about, unless the agent may. */
  #ruling(
    asked: Asked & { readonly type: 'call' },
    { isNoCall, mcpServer }: PermissionRequest,
    number: number,
  ): Decision | undefined | Promise<Decision | undefined> {
    const { rules, agentId } = this.#host;
    const { call } = asked;
    const place = this.#host.place(number);
    const server = isNoCall ? undefined : this.#host.ownServer();
    const own =
      server && asksAboutOwn({ ...asked, ...(mcpServer && { mcpServer }) }, server)
        ? 'own'
        : undefined;
    const ruling = rules.decide(agentId, call.toolKind, asked, place);
    return ruling instanceof Promise
      ? ruling.then((decided) => ifPlain(decided, call, place) ?? own)
      : (ifPlain(ruling, call, place) ?? own);
  }

  #cancellationsFor(subagent: AskingSubagent | undefined): number {
    const own = subagent && this.#cancellationsOf.get(subagent.asker.number);
    return this.#cancellations + (own ?? 0);
  }

  #answerByRule(
    question: Question,
    ruling: Decision | undefined,
    asked: Asked,
    signal: AbortSignal,
  ): Promise<PermissionAnswer> {
    const ruled = ruledOption(ruling, question.options);
    if (ruled === undefined) {
      const answer = this.#askPerson(question, signal);
      void this.#offerRule(lastRequestId, question, asked);
      return answer;
    }
    const by = ruling === 'own' ? 'extension' : 'rule';
    this.#addPermission(question, { kind: 'selected', optionId: ruled.optionId, by });
    if (by === 'rule' && ruling !== 'allowOne') {
      this.#host.permitted(question.toolCall, ruled.kind, question.from?.number ?? 0);
    }
    return Promise.resolve({ optionId: ruled.optionId });
  }

  /** Offers a rule with a request that still waits once it is known that one would have allowed it. */
  async #offerRule(requestId: number, question: Question, asked: Asked): Promise<void> {
    const { rules, agentId, transcript } = this.#host;
    if (ruledOption('allow', question.options) === undefined) {
      return;
    }
    const place = this.#host.place(question.from?.number ?? 0);
    const rule = await rules.offer(agentId, question.toolCall.toolKind, asked, place);
    const index = this.#permissions.get(requestId)?.index;
    const entry = index === undefined ? undefined : transcript.entries[index];
    if (rule !== undefined && index !== undefined && entry?.kind === 'permission') {
      transcript.replace(index, { ...entry, rule });
    }
  }

  /** The rule that is offered with a waiting request, and the option that allows it once. */
  offered(
    requestId: number,
  ): { readonly rule: OfferedRule; readonly optionId: string } | undefined {
    const waiting = this.#permissions.get(requestId);
    const entry = waiting && this.#host.transcript.entries[waiting.index];
    if (entry?.kind !== 'permission' || entry.rule === undefined) {
      return undefined;
    }
    const once = ruledOption('allow', entry.options);
    return once && { rule: entry.rule, optionId: once.optionId };
  }

  /** Asks the user; resolves with the kind of the chosen option, `undefined` for canceled. */
  async ask(
    question: OwnQuestion,
    signal: AbortSignal,
  ): Promise<PermissionOption['kind'] | undefined> {
    if (this.#host.isRefusing() || signal.aborted) {
      return undefined;
    }
    const answer = await this.#askPerson(question, signal);
    return question.options.find(({ optionId }) => optionId === answer?.optionId)?.kind;
  }

  /** Adds an entry for an own question that a rule has decided. */
  noteRuled(question: OwnQuestion, kind: PermissionOption['kind']): void {
    const option = question.options.find((offered) => offered.kind === kind);
    if (option !== undefined) {
      const { optionId } = option;
      this.#addPermission(question, { kind: 'selected', optionId, by: 'rule' });
    }
  }

  answerPermission(requestId: number, optionId: string): void {
    const waiting = this.#permissions.get(requestId);
    const entry = waiting && this.#host.transcript.entries[waiting.index];
    if (waiting === undefined || entry?.kind !== 'permission') {
      return;
    }
    const chosen = entry.options.find((option) => option.optionId === optionId);
    if (chosen !== undefined) {
      this.#setState(waiting.index, { kind: 'selected', optionId, by: 'person' });
      if (entry.own === undefined) {
        this.#host.permitted(entry.toolCall, chosen.kind, entry.from?.number ?? 0);
      }
      waiting.settle({ optionId });
    }
  }

  /** EL-1 to EL-19. */
  elicit(
    request: ElicitationRequest,
    signal: AbortSignal,
    from?: Asker,
  ): Promise<ElicitationAnswer> {
    if (this.#host.isRefusing() || signal.aborted) {
      return Promise.resolve({ action: 'cancel' });
    }
    const requestId = newRequestId();
    const { message, ask } = request;
    const entry: ElicitationEntry = {
      kind: 'elicitation',
      requestId,
      message,
      ask,
      state: { kind: 'waiting' },
      ...(from && { from }),
    };
    const index = this.#host.transcript.add(entry);
    return this.#wait(this.#elicitations, requestId, index, signal, { action: 'cancel' }, (at) =>
      this.#setElicitation(at, { kind: 'cancelled' }),
    );
  }

  /** Answers the request. Invalid values keep it waiting: their errors are returned by field. */
  answerElicitation(
    requestId: number,
    action: ElicitationAction,
    values: FormValues,
  ): FormErrors | undefined {
    const waiting = this.#elicitations.get(requestId);
    const entry = waiting && this.#host.transcript.entries[waiting.index];
    if (waiting === undefined || entry?.kind !== 'elicitation') {
      return undefined;
    }
    if (action !== 'accept') {
      this.#setElicitation(waiting.index, {
        kind: action === 'decline' ? 'declined' : 'cancelled',
      });
      waiting.settle({ action });
      return undefined;
    }
    const { ask } = entry;
    if (ask.mode === 'url') {
      this.#opened.set(ask.elicitationId, waiting.index);
      this.#setElicitation(waiting.index, { kind: 'opened', completed: false });
      waiting.settle({ action: 'accept' });
      return undefined;
    }
    const own = ownValues(ask.fields, values);
    const errors = validateForm(ask.fields, own);
    if (errors === undefined) {
      const secrets = new Set(ask.fields.filter(isSecret).map(({ name }) => name));
      const shown = Object.entries(own).filter(([name]) => !secrets.has(name));
      this.#setElicitation(waiting.index, {
        kind: 'accepted',
        values: Object.fromEntries(shown),
      });
      waiting.settle({ action: 'accept', values: own });
    }
    return errors;
  }

  /** The user has finished on the web page; an unknown or completed id is ignored (EL-14). */
  elicitationCompleted(elicitationId: string): void {
    const index = this.#opened.get(elicitationId);
    if (index !== undefined) {
      this.#opened.delete(elicitationId);
      this.#setElicitation(index, { kind: 'opened', completed: true });
    }
  }

  /** The transcript was reset: the entries of web pages are gone. */
  forgetHistory(): void {
    this.#opened.clear();
  }

  /** PE-4, EL-19: answers all waiting requests with `cancelled`. */
  cancelAll(): void {
    this.#cancellations++;
    this.#cancel(() => true);
    this.#canceled.abort();
    this.#canceled = new AbortController();
  }

  /** SUB-6: answers the waiting requests of one subagent with `cancelled`. */
  cancelRequest(number: number): void {
    this.#cancellationsOf.set(number, (this.#cancellationsOf.get(number) ?? 0) + 1);
    this.#cancel((index) => this.#getNumber(index) === number);
  }

  #cancel(which: (index: number) => boolean): void {
    for (const { index, settle } of [...this.#permissions.values()]) {
      if (which(index)) {
        this.#setState(index, { kind: 'cancelled' });
        settle(undefined);
      }
    }
    for (const { index, settle } of [...this.#elicitations.values()]) {
      if (which(index)) {
        this.#setElicitation(index, { kind: 'cancelled' });
        settle({ action: 'cancel' });
      }
    }
  }

  #move(to: ReadonlyMap<number, number>): void {
    for (const waiting of this.#permissions.values()) {
      waiting.index = to.get(waiting.index) ?? waiting.index;
    }
    this.#update(false);
  }

  /** The number of the subagent that asks; 0 for the session itself. */
  #getNumber(index: number): number {
    const entry = this.#host.transcript.entries[index];
    const isQuestion = entry?.kind === 'permission' || entry?.kind === 'elicitation';
    return isQuestion ? (entry.from?.number ?? 0) : 0;
  }

  #askPerson(question: Question, signal: AbortSignal): Promise<PermissionAnswer> {
    const { requestId, index } = this.#addPermission(question, { kind: 'waiting' });
    return this.#wait(this.#permissions, requestId, index, signal, undefined, (at) =>
      this.#setState(at, { kind: 'cancelled' }),
    );
  }

  #wait<Answer>(
    waiting: Map<number, Waiting<Answer>>,
    requestId: number,
    index: number,
    signal: AbortSignal,
    cancelled: Answer,
    onCancel: (index: number) => void,
  ): Promise<Answer> {
    return new Promise((resolve) => {
      const settle = (answer: Answer): void => {
        if (waiting.delete(requestId)) {
          signal.removeEventListener('abort', abort);
          this.#update(false);
          resolve(answer);
        }
      };
      const made: Waiting<Answer> = { index, settle };
      const abort = (): void => {
        onCancel(made.index);
        settle(cancelled);
      };
      waiting.set(requestId, made);
      signal.addEventListener('abort', abort, { once: true });
      this.#update(true);
    });
  }

  #addPermission(
    question: Question,
    state: PermissionState,
  ): { readonly requestId: number; readonly index: number } {
    const requestId = newRequestId();
    const { transcript } = this.#host;
    const { isAlone, ...shown } = question;
    // The call of a subagent has its entry elsewhere, and its id may be that of another one here. What only this
    // question says, such as a command, isn't in the call's row.
    const call =
      question.from === undefined && !isAlone
        ? callAbove(transcript.entries, question.toolCall.toolCallId)
        : undefined;
    const entry: PermissionEntry = {
      kind: 'permission',
      requestId,
      ...shown,
      ...(call !== undefined && { call }),
      state,
    };
    return { requestId, index: transcript.add(entry) };
  }

  #setState(index: number, state: PermissionState): void {
    const { transcript } = this.#host;
    const entry = transcript.entries[index];
    if (entry?.kind === 'permission') {
      transcript.replace(index, { ...entry, state });
    }
  }

  #setElicitation(index: number, state: ElicitationState): void {
    const { transcript } = this.#host;
    const entry = transcript.entries[index];
    if (entry?.kind === 'elicitation') {
      transcript.replace(index, { ...entry, state });
    }
  }

  #update(asked: boolean): void {
    this.#waiting = [...this.#permissions.values(), ...this.#elicitations.values()]
      .map(({ index }) => index)
      .sort((a, b) => a - b);
    const numbers = new Set(this.#waiting.map((index) => this.#getNumber(index)));
    numbers.delete(0);
    this.#host.changed(asked, numbers);
  }
}

/** The call as it was before it waited for the answer. */
function withoutAsked(call: ToolCallEntry | undefined): ToolCallEntry | undefined {
  if (call?.asked) {
    const { asked: _, ...rest } = call;
    return rest;
  }
  return call;
}

/** PE-5: a rule never grants a lasting permission; without a suitable option the user is asked. */
function ruledOption(
  decision: Decision | undefined,
  options: readonly PermissionOption[],
): PermissionOption | undefined {
  const wanted =
    decision === 'allow' || decision === 'allowOne' || decision === 'own'
      ? ['allow_once']
      : decision === 'reject'
        ? ['reject_once', 'reject_always']
        : [];
  for (const kind of wanted) {
    const option = options.find((offered) => offered.kind === kind);
    if (option !== undefined) {
      return option;
    }
  }
  return undefined;
}
