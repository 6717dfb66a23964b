import * as l10n from '@vscode/l10n';
import type {
  ElicitationAsk,
  FormField,
  FormValues,
} from '../../../shared/requests/agentQuestions';
import { asArray, asString, isObject, type JsonObject } from '../../../util/json';
import type { ElicitationAnswer, PermissionAnswer, PermissionRequest } from '../../agentRequests';
import { boundedId, boundedText, boundedTitle } from '../../bounds';
import type { RequestHandler } from '../../rpc/agentRpc';
import { invalid } from '../params';

/** What the questions have in common that some agents ask with methods of their own. */

/** Makes a handler of what reads the params, serves the request and writes the answer. */
export type Serve = <Request, Result>(
  read: (params: unknown) => Request,
  serve: (request: Request, signal: AbortSignal) => Promise<Result>,
  write: (result: Result, request: Request) => object,
) => RequestHandler;

type Select = Extract<FormField, { readonly type: 'select' | 'multiselect' }>;
type Choice = Select['choices'][number];

/** Questions of one request, and choices of one question. */
const maxQuestions = 100;
const maxChoices = 200;

/** One question with its choices, as a field; `name` is the key of its answer. */
export function choiceField(
  name: string,
  title: string,
  choices: readonly Choice[],
  takesMany: boolean,
): FormField {
  const values = new Set(choices.map(({ value }) => value));
  if (choices.length === 0 || choices.length > maxChoices || values.size < choices.length) {
    throw invalid('A question has no choices, too many, or two of one name');
  }
  const base = { name, title: boundedText(title, 20_000), required: !takesMany, choices };
  return takesMany ? { ...base, type: 'multiselect' } : { ...base, type: 'select' };
}

/** The questions of a request; unusable ones make the whole request unusable, because each needs its answer. */
export function questionsIn(request: JsonObject): readonly JsonObject[] {
  const questions = asArray(request['questions']);
  if (questions.length === 0 || questions.length > maxQuestions || !questions.every(isObject)) {
    throw invalid('The request has no questions, or too many');
  }
  return questions.filter(isObject);
}

export function optionsIn(question: JsonObject): readonly JsonObject[] {
  return asArray(question['options']).filter(isObject);
}

/** A choice that is answered with its value, which may not be cut. */
export function choice(value: unknown, title: unknown, description?: unknown): Choice {
  const id = wholeId(value);
  const words = [asString(title) || id, asString(description)].filter(Boolean);
  return { value: id, title: boundedTitle(words.join(' – ')) };
}

/** A name that is sent back as it is, so it may not be cut. */
export function wholeId(value: unknown): string {
  if (typeof value !== 'string' || value === '' || boundedId(value) !== value) {
    throw invalid('A question or a choice has no name, or one that is too long');
  }
  return value;
}

export function formOf(fields: readonly FormField[]): ElicitationAsk {
  if (new Set(fields.map(({ name }) => name)).size < fields.length) {
    throw invalid('Two questions have one name');
  }
  return { mode: 'form', fields };
}

/** What was chosen for a question: none, one or several. */
export function chosenIn(answer: ElicitationAnswer, name: string): readonly string[] {
  const values: FormValues = (answer.action === 'accept' && answer.values) || {};
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : [];
}

interface AskedPlan extends Pick<PermissionRequest, 'sessionId'> {
  readonly toolCallId: string;
  readonly title: string;
  /** Markdown. */
  readonly plan: string;
  readonly description?: string | undefined;
}

/** Asks whether the agent may follow a plan, which is shown in full. */
export function planRequest({ toolCallId, plan, ...rest }: AskedPlan): PermissionRequest {
  const { sessionId, title, description } = rest;
  return {
    ...(sessionId !== undefined && { sessionId }),
    title: l10n.t('May the agent follow this plan?'),
    ...(description && { description: boundedTitle(description) }),
    isNoCall: true,
    toolCall: {
      toolCallId: boundedId(toolCallId),
      title: boundedTitle(title),
      kind: 'switch_mode',
      status: 'pending',
      content:
        plan === '' ? [] : [{ type: 'content', block: { type: 'text', text: boundedText(plan) } }],
    },
    options: [
      { optionId: approve, name: l10n.t('Approve'), kind: 'allow_once' },
      { optionId: 'reject', name: l10n.t('Reject'), kind: 'reject_once' },
    ],
  };
}

const approve = 'approve';

export function isApproved(answer: PermissionAnswer): boolean {
  return answer?.optionId === approve;
}
