import { besideCommand } from '../../../model/calls/besideCommand';
import { findCommand } from '../../../model/calls/commandLine';
import { maxHrefLength } from '../../../shared/lengths';
import type {
  ElicitationAsk,
  ElicitationState,
  FieldValue,
  FormField,
} from '../../../shared/requests/agentQuestions';
import type {
  DrawnAsk,
  DrawnElicitation,
  DrawnPermission,
  DrawnToolCall,
  Shortened,
} from '../../../shared/transcript/drawn';
import type { ElicitationEntry, PermissionEntry } from '../../../shared/transcript/entries';
import { bounded, cut } from './drawTexts';

/** Longer commands open in an editor. */
const maxCommand = 100_000;
const maxMessage = 20_000;
const maxTitle = 500;
/** Folders and variables of a command. */
const maxLines = 20;
const maxDescription = 2000;
/** Maximum length of a permission request's description: the user decides with it. */
const maxRequestDescription = 10_000;
/** Maximum length of the user's answer in the transcript. */
const maxValue = 2000;
/** Maximum number of choices and fields; the rest can't be answered in the form. */
const maxChoices = 1000;
const maxFields = 1000;

/** Length of the beginning of an address that isn't opened: enough to see whose it is. */
const shownOfLong = 300;

/** A permission request and its outcome (PE-2, PE-9). */
export function drawPermission(entry: PermissionEntry, toolCall: DrawnToolCall): DrawnPermission {
  const { rawInput, title: callTitle } = entry.toolCall;
  const command = findCommand(rawInput);
  const beside = command === undefined || entry.own ? undefined : getDetailsBeside(rawInput);
  const title = entry.title?.trim() === callTitle.trim() ? undefined : entry.title;
  const { description } = entry;
  const isLong =
    (title?.length ?? 0) > maxTitle || (description?.length ?? 0) > maxRequestDescription;
  return {
    kind: 'permission',
    requestId: entry.requestId,
    ...(title !== undefined && { title: bounded(title, maxTitle) }),
    ...(description !== undefined && { description: bounded(description, maxRequestDescription) }),
    toolCall,
    ...(entry.call !== undefined && { call: entry.call }),
    ...(command !== undefined && { command: cut(command, maxCommand) }),
    ...(beside && { folders: beside.folders, variables: beside.variables }),
    options: entry.options.map((option) => ({ ...option, name: bounded(option.name, maxTitle) })),
    state: entry.state,
    ...((toolCall.shortened || isLong || beside?.shortened) && { shortened: true }),
    ...(entry.rule && { rule: entry.rule }),
    ...(entry.own && { own: entry.own }),
    ...(entry.from && { from: entry.from }),
  };
}

/** What the input says besides its command and decides what that does; the input itself is shown below it. */
function getDetailsBeside(
  rawInput: unknown,
): Pick<DrawnPermission, 'folders' | 'variables'> & Shortened {
  const beside = besideCommand(rawInput);
  const variables = Object.entries(beside.variables).map((pair) => pair.join('='));
  const isLong = [beside.folders, variables].some(
    (lines) => lines.length > maxLines || lines.some((line) => line.length > maxTitle),
  );
  const [folders, shown] = [beside.folders, variables].map((lines) =>
    lines.slice(0, maxLines).map((line) => bounded(line, maxTitle)),
  );
  return {
    ...(folders?.length && { folders }),
    ...(shown?.length && { variables: shown }),
    ...(isLong && { shortened: true }),
  };
}

/** A question to the user (EL-1 to EL-3), with texts of bounded length. */
export function drawElicitation(entry: ElicitationEntry): DrawnElicitation {
  return {
    kind: 'elicitation',
    requestId: entry.requestId,
    message: bounded(entry.message, maxMessage),
    ask: drawAsk(entry.ask),
    state: drawState(entry.state),
    ...(entry.from && { from: entry.from }),
    ...((hasMore(entry.ask) || hasMoreAnswers(entry.state)) && { shortened: true }),
  };
}

/** Whether there is more of an address, or to fill in, than is shown. */
function hasMore(ask: ElicitationAsk): boolean {
  return ask.mode === 'url'
    ? ask.url.length > maxHrefLength
    : ask.fields.length > maxFields ||
        ask.fields.some((field) => 'choices' in field && field.choices.length > maxChoices);
}

function drawAsk(ask: ElicitationAsk): DrawnAsk {
  if (ask.mode === 'form') {
    return { mode: 'form', fields: ask.fields.slice(0, maxFields).map(drawField) };
  }
  return ask.url.length <= maxHrefLength
    ? ask
    : { ...ask, url: ask.url.slice(0, shownOfLong), omitted: ask.url.length - shownOfLong };
}

function drawField(field: FormField): FormField {
  const { description } = field;
  const texts = {
    title: bounded(field.title, maxTitle),
    ...(description !== undefined && { description: bounded(description, maxDescription) }),
  };
  switch (field.type) {
    case 'select':
    case 'multiselect': {
      const choices = field.choices
        .slice(0, maxChoices)
        .map(({ value, title }) => ({ value, title: bounded(title, maxTitle) }));
      return { ...field, ...texts, choices };
    }
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
    case 'unknown':
      return { ...field, ...texts };
  }
}

function hasMoreAnswers(state: ElicitationState): boolean {
  return state.kind === 'accepted' && Object.keys(state.values).length > maxFields;
}

function drawState(state: ElicitationState): ElicitationState {
  if (state.kind !== 'accepted') {
    return state;
  }
  const answers = Object.entries(state.values).slice(0, maxFields);
  const values = answers.map(([name, value]): [string, FieldValue] => [
    name,
    typeof value === 'string' ? bounded(value, maxValue) : value,
  ]);
  return { kind: 'accepted', values: Object.fromEntries(values) };
}
