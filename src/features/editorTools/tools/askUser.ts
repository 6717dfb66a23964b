import * as l10n from '@vscode/l10n';
import type { FormField, FormValues } from '../../../shared/requests/agentQuestions';
import type { JsonObject } from '../../../util/json';
import { type EditorTool, ToolRefusal, textArgument } from '../model/tool';

const maxOptions = 10;
const maxOption = 200;

/** A question to the user as a form, which agents can send themselves that know elicitation. */
export const askUser: EditorTool = {
  name: 'ask_user',
  description: 'Asks the user a question, with options to choose from or a free answer.',
  properties: {
    question: {
      type: 'string',
      description: 'The question, with all that is needed to answer it.',
    },
    options: {
      type: 'array',
      items: { type: 'string' },
      description: `Up to ${maxOptions} answers to choose from. The user can always give another one.`,
    },
    multiple: { type: 'boolean', description: 'Whether several options can be chosen.' },
  },
  required: ['question'],
  run: async (args, session, signal) => {
    const message = textArgument(args, 'question');
    if (message === undefined) {
      throw new ToolRefusal('Say the "question".');
    }
    const fields = fieldsFor(optionsArgument(args), args['multiple'] === true);
    const answer = await session.ask({ message, ask: { mode: 'form', fields } }, signal);
    if (answer.action !== 'accept') {
      return answer.action === 'decline'
        ? 'The user declined to answer. Go on without it, or stop.'
        : 'The question was canceled.';
    }
    return told(answer.values ?? {});
  },
};

function optionsArgument({ options = [] }: JsonObject): readonly string[] {
  const isList =
    Array.isArray(options) &&
    options.length <= maxOptions &&
    options.every(
      (one) => typeof one === 'string' && one.trim() !== '' && one.length <= maxOption,
    ) &&
    new Set(options).size === options.length;
  if (!isList) {
    throw new ToolRefusal(
      `"options" must be up to ${maxOptions} different texts of at most ${maxOption} characters.`,
    );
  }
  return options as readonly string[];
}

function fieldsFor(options: readonly string[], isMultiple: boolean): readonly FormField[] {
  if (options.length === 0) {
    return [{ type: 'string', name: 'answer', title: l10n.t('Your answer'), required: true }];
  }
  const type = isMultiple ? ('multiselect' as const) : ('select' as const);
  const choices = options.map((option) => ({ value: option, title: option }));
  return [
    { type, choices, name: 'choice', title: l10n.t('Choose'), required: false },
    { type: 'string', name: 'answer', title: l10n.t('Another answer'), required: false },
  ];
}

function told({ choice, answer }: FormValues): string {
  const chosen = choice === undefined ? [] : Array.isArray(choice) ? choice : [choice];
  const lines = [
    ...chosen.map((one) => `The user chose: ${one}`),
    ...(answer === undefined ? [] : [`The user says: ${String(answer)}`]),
  ];
  return lines.length > 0 ? lines.join('\n') : 'The user confirmed without an answer.';
}
