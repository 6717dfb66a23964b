import * as l10n from '@vscode/l10n';
import { asArray, asString, isObject, type JsonObject } from '../../../util/json';
import type {
  AgentRequests,
  ElicitationAnswer,
  ElicitationRequest,
  PermissionAnswer,
  PermissionRequest,
} from '../../agentRequests';
import { boundedId, boundedText } from '../../bounds';
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
 * Cursor's own questions (https://cursor.com/docs/cli/acp). They name no session but the call that they belong to, and
 * without an answer the agent goes on without the user's.
 */

export function cursorRequests(requests: AgentRequests, serve: Serve): [string, RequestHandler][] {
  return [
    [
      'cursor/ask_question',
      serve(readQuestion, (request, signal) => requests.elicit(request, signal), writeAnswers),
    ],
    [
      'cursor/create_plan',
      serve(readPlan, (request, signal) => requests.requestPermission(request, signal), writePlan),
    ],
  ];
}

function readQuestion(params: unknown): ElicitationRequest {
  const request = readObject(params);
  const fields = questionsIn(request).map((question) =>
    choiceField(
      wholeId(question['id']),
      stringIn(question, 'prompt'),
      optionsIn(question).map(({ id, label }) => choice(id, label)),
      question['allowMultiple'] === true,
    ),
  );
  return {
    toolCallId: boundedId(stringIn(request, 'toolCallId')),
    message: boundedText(asString(request['title']) || (fields[0]?.title ?? ''), 20_000),
    ask: formOf(fields),
  };
}

/** The outcome is nested: the agent takes no other. */
function writeAnswers(answer: ElicitationAnswer, { ask }: ElicitationRequest): object {
  if (answer.action !== 'accept' || ask.mode !== 'form') {
    return { outcome: { outcome: answer.action === 'decline' ? 'skipped' : 'cancelled' } };
  }
  const answers = ask.fields.map(({ name }) => ({
    questionId: name,
    selectedOptionIds: chosenIn(answer, name),
  }));
  return { outcome: { outcome: 'answered', answers } };
}

function readPlan(params: unknown): PermissionRequest {
  const request = readObject(params);
  const todos = todoLines(request['todos']);
  const phases = asArray(request['phases'])
    .filter(isObject)
    .map((phase) =>
      [`### ${asString(phase['name']) ?? ''}`, todoLines(phase['todos'])].join('\n\n'),
    );
  const parts = [stringIn(request, 'plan'), ...(phases.length > 0 ? phases : [todos])];
  return planRequest({
    toolCallId: stringIn(request, 'toolCallId'),
    title: asString(request['name']) || l10n.t('Plan'),
    description: asString(request['overview']),
    plan: parts.filter((part) => part !== '').join('\n\n'),
  });
}

function todoLines(value: unknown): string {
  return asArray(value)
    .filter((todo): todo is JsonObject => isObject(todo) && typeof todo['content'] === 'string')
    .map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${String(content)}`)
    .join('\n');
}

function writePlan(answer: PermissionAnswer): object {
  const outcome = isApproved(answer) ? 'accepted' : answer ? 'rejected' : 'cancelled';
  return { outcome: { outcome } };
}
