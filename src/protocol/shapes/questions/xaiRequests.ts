import * as l10n from '@vscode/l10n';
import { isObject, type JsonObject } from '../../../util/json';
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
 * Grok's own questions, as recorded with its program, which waits for their answers without end. Their methods come with
 * and without the underscore, and their params may be wrapped together with the method.
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

/** The answers are by the text of the question, and the text of what was chosen. */
function readQuestion(params: unknown): ElicitationRequest {
  const request = unwrapped(params);
  const fields = questionsIn(request).map((question) => {
    const text = stringIn(question, 'question');
    return choiceField(
      wholeId(text),
      text,
      optionsIn(question).map(({ label, description }) => choice(label, label, description)),
      question['multiSelect'] === true,
    );
  });
  return {
    sessionId: stringIn(request, 'sessionId'),
    toolCallId: boundedId(stringIn(request, 'toolCallId')),
    message: l10n.t('The agent has a question'),
    ask: formOf(fields),
  };
}

/** The outcome isn't nested: the agent takes no other. */
function writeAnswers(answer: ElicitationAnswer, { ask }: ElicitationRequest): object {
  if (answer.action !== 'accept' || ask.mode !== 'form') {
    return { outcome: 'cancelled' };
  }
  const answers = ask.fields.map(({ name, type }): [string, unknown] => {
    const chosen = chosenIn(answer, name);
    return [name, type === 'multiselect' ? chosen : (chosen[0] ?? '')];
  });
  return { outcome: 'accepted', answers: Object.fromEntries(answers) };
}

function readPlan(params: unknown): PermissionRequest {
  const request = unwrapped(params);
  return planRequest({
    sessionId: stringIn(request, 'sessionId'),
    toolCallId: stringIn(request, 'toolCallId'),
    title: l10n.t('Plan'),
    plan: stringIn(request, 'planContent'),
  });
}

function writePlan(answer: PermissionAnswer): object {
  return { outcome: isApproved(answer) ? 'approved' : 'abandoned' };
}
