import * as l10n from '@vscode/l10n';
import { boundedTitle } from '../../protocol/bounds';
import type { ToolCallEntry } from '../../shared/transcript/entries';
import { isObject, type JsonObject } from '../../util/json';
import { parsedJson } from './parsedJson';
import { resultText } from './toolResults';

/**
 * Calls of our own tools. Each agent has a way to write their names: Claude `mcp__vscode_editor__hover`, Codex
 * `mcp.vscode_editor.hover`, OpenCode `vscode_editor_hover`, Gemini `hover (vscode_editor MCP Server)`.
 */
const prefixed = /(?:^|[^a-z])vscode_editor2?[^a-z0-9]{1,2}([a-z_]{1,20})$/;
const inBrackets = /^([a-z_]{1,20}) \(vscode_editor2? MCP Server\)/;

type Call = Pick<ToolCallEntry, 'title' | 'name' | 'rawInput' | 'rawOutput' | 'content'>;

/** What is shown of a call, by the name of its tool. */
const titles: Readonly<Record<string, (args: JsonObject) => string>> = {
  problems: ({ path, of }) =>
    isText(path)
      ? l10n.t('Problems in {0}', code(path))
      : of === 'changed'
        ? l10n.t('Problems in what this turn changed')
        : l10n.t('Problems'),
  references: (args) => l10n.t('References of {0}', subject(args)),
  definition: (args) => l10n.t('Definition of {0}', subject(args)),
  implementations: (args) => l10n.t('Implementations of {0}', subject(args)),
  type_definition: (args) => l10n.t('Definition of the type of {0}', subject(args)),
  call_hierarchy: (args) =>
    args['direction'] === 'outgoing'
      ? l10n.t('Calls in {0}', subject(args))
      : l10n.t('Calls of {0}', subject(args)),
  hover: (args) => l10n.t('What {0} is', subject(args)),
  symbols: ({ path, query }) =>
    isText(path)
      ? l10n.t('Symbols of {0}', code(path))
      : l10n.t('Symbols that match {0}', code(isText(query) ? query : '…')),
  open_editors: () => l10n.t('Open editors'),
  selection: () => l10n.t('Selection in the editor'),
  show: ({ path }) => l10n.t('Shows {0}', code(isText(path) ? path : '…')),
};

/** Our tools that only read. */
export const readingTools: readonly string[] = Object.keys(titles);

/** As `titles`, for tools that do more than read. */
const otherTitles: typeof titles = {
  rename_symbol: (args) =>
    l10n.t(
      'Rename {0} to {1}',
      subject(args),
      code(isText(args['newName']) ? args['newName'] : '…'),
    ),
  code_action: ({ path, title }) =>
    isText(title)
      ? l10n.t('Code action {0}', code(title))
      : l10n.t('Code actions in {0}', code(isText(path) ? path : '…')),
  ask_user: () => l10n.t('Question to you'),
  run_tests: ({ path }) =>
    isText(path) ? l10n.t('Tests of {0}', code(path)) : l10n.t('All tests'),
  run_task: ({ task }) => (isText(task) ? l10n.t('Task {0}', code(task)) : l10n.t('Tasks')),
  debug_state: () => l10n.t('State of the debugger'),
  format: ({ path }) => l10n.t('Format {0}', code(isText(path) ? path : '…')),
};

const allTitles = { ...titles, ...otherTitles };

/** All our tools. */
export const editorTools: readonly string[] = Object.keys(allTitles);

/** Whether a name or a title is that of one of our tools. */
export function isEditorTool(text: string): boolean {
  return toolOf(text) !== undefined;
}

/** The title of a call of one of our tools, with how much it has found; `undefined` for any other call. */
export function editorCallTitle(call: Call): string | undefined {
  const tool = toolOf(call.name ?? call.title);
  const getTitle = tool === undefined ? undefined : allTitles[tool];
  if (getTitle === undefined) {
    return undefined;
  }
  const title = getTitle(argumentsOf(call.rawInput));
  const [, count] = /^(?:This session's folder[^\n]*\n)?(\d{1,9}) [a-z]/.exec(textOf(call)) ?? [];
  return boundedTitle(count === undefined ? title : `${title}: ${count}`);
}

function toolOf(text: string): string | undefined {
  const [, tool = ''] = prefixed.exec(text) ?? inBrackets.exec(text) ?? [];
  return Object.hasOwn(allTitles, tool) ? tool : undefined;
}

/** Codex puts the arguments beside the names of server and tool. */
function argumentsOf(rawInput: unknown): JsonObject {
  const input = parsedJson(rawInput) ?? rawInput;
  const inner = isObject(input) && isObject(input['arguments']) ? input['arguments'] : input;
  return isObject(inner) ? inner : {};
}

function textOf({ rawOutput, content }: Call): string {
  const [first] = content;
  const said =
    first?.type === 'content' && first.block.type === 'text' ? first.block.text : undefined;
  return said ?? resultText(rawOutput) ?? '';
}

function subject({ symbol, path, line }: JsonObject): string {
  if (isText(symbol)) {
    return code(symbol);
  }
  return code(isText(path) ? (typeof line === 'number' ? `${path}:${line}` : path) : '…');
}

function code(text: string): string {
  return `\`${text.replaceAll('`', '')}\``;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
