import * as l10n from '@vscode/l10n';
import type { FormField, PermissionOption } from '../../../shared/requests/agentQuestions';
import { asString, isObject, type JsonObject } from '../../../util/json';
import type {
  AgentRequests,
  ElicitationAnswer,
  ElicitationRequest,
  PermissionAnswer,
  PermissionRequest,
} from '../../agentRequests';
import { boundedId } from '../../bounds';
import type { RequestHandler } from '../../rpc/agentRpc';
import { readObject, stringIn } from '../params';
import {
  choice,
  choiceField,
  chosenIn,
  formOf,
  isApproved,
  optionsIn,
  planRequest,
  questionsIn,
  type Serve,
  wholeId,
} from './ownQuestions';

/**
 * Grok's own questions, as recorded with its program and as its source defines them (`AskUserQuestionExtResponse`,
 * `ExitPlanModeExtResponse` of xai-org/grok-build). It waits for their answers without end. Their methods come with and
 * without the underscore, and their params may be wrapped together with the method.
 */

export function xaiRequests(requests: AgentRequests, serve: Serve): [string, RequestHandler][] {
  const question = serve(
    readQuestion,
    (request, signal) => requests.elicit(request, signal),
    writeAnswers,
  );
  const plan = serve(
    readPlan,
    (request, signal) => requests.requestPermission(request, signal),
    writePlan,
  );
  return ['_x.ai/', 'x.ai/'].flatMap((family): [string, RequestHandler][] => [
    [`${family}ask_user_question`, question],
    [`${family}exit_plan_mode`, plan],
  ]);
}

function unwrapped(params: unknown): JsonObject {
  const request = readObject(params);
  const inner = request['params'];
  return typeof request['method'] === 'string' && isObject(inner) ? inner : request;
}

/** Each question has a field for the choices, and one for words of the user's own. */
function readQuestion(params: unknown): ElicitationRequest {
  const request = unwrapped(params);
  const fields = questionsIn(request).flatMap((question, at): FormField[] => {
    const text = stringIn(question, 'question');
    const choices = choiceField(
      wholeId(text),
      text,
      optionsIn(question).map(({ label, description }) => choice(label, label, description)),
      question['multiSelect'] === true,
    );
    const title = l10n.t('Another answer, or a note');
    return [
      { ...choices, required: false },
      { type: 'string', name: `${at}:notes`, title, required: false },
    ];
  });
  return {
    sessionId: stringIn(request, 'sessionId'),
    toolCallId: boundedId(stringIn(request, 'toolCallId')),
    message: fields[0]?.title ?? '',
    ask: formOf(fields),
  };
}

/** What Grok calls an answer that is none of its choices. */
const otherAnswer = 'Other';

/**
 * The answers are by the text of the question, and each is the text of what was chosen; questions without one are left
 * out. The outcome isn't nested: the agent takes no other.
 */
function writeAnswers(answer: ElicitationAnswer, { ask }: ElicitationRequest): object {
  if (answer.action !== 'accept' || ask.mode !== 'form') {
    return { outcome: 'cancelled' };
  }
  const answers: [string, string | readonly string[]][] = [];
  const annotations: [string, { readonly notes: string }][] = [];
  for (const [at, { name, type }] of ask.fields.entries()) {
    if (type === 'string') {
      continue;
    }
    const [notes] = chosenIn(answer, ask.fields[at + 1]?.name ?? '');
    const chosen = chosenIn(answer, name);
    const said = chosen.length > 0 ? chosen : notes ? [otherAnswer] : [];
    const [only] = said;
    if (only !== undefined) {
      answers.push([name, type === 'multiselect' ? said : only]);
    }
    if (notes) {
      annotations.push([name, { notes }]);
    }
  }
  return {
    outcome: 'accepted',
    answers: Object.fromEntries(answers),
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
  };
}

/** Without a plan it only asks whether planning may end. */
function readPlan(params: unknown): PermissionRequest {
  const request = unwrapped(params);
  const asked = planRequest({
    sessionId: stringIn(request, 'sessionId'),
    toolCallId: stringIn(request, 'toolCallId'),
    title: l10n.t('Plan'),
    plan: asString(request['planContent']) ?? '',
  });
  const [approval, ...others] = asked.options;
  const keep: PermissionOption = {
    optionId: keepPlanning,
    name: l10n.t('Keep Planning'),
    kind: 'reject_once',
  };
  return { ...asked, options: [...(approval ? [approval] : []), keep, ...others] };
}

const keepPlanning = 'keepPlanning';

/** Without a decision the agent keeps planning, so it changes nothing. */
function writePlan(answer: PermissionAnswer): object {
  if (answer === undefined || answer.optionId === keepPlanning) {
    return { outcome: 'cancelled' };
  }
  return { outcome: isApproved(answer) ? 'approved' : 'abandoned' };
}
