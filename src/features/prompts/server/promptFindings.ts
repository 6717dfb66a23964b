import * as l10n from '@vscode/l10n';
import { DiagnosticSeverity } from 'vscode-languageserver/node';
import {
  getSegments,
  type PromptDocument,
  type SegmentOf,
} from '../../../shared/prompt/promptDocument';
import { promptParts } from '../../../shared/prompt/promptParts';
import type { PromptProblem } from '../../../shared/prompt/promptProtocol';
import { checkFiles } from './fileFindings';
import { getSettings } from './frontMatterSettings';
import { findCommand, type Prompt, type Unreadable } from './openPrompts';
import { oneLine } from './plainText';
import type { PromptFinding } from './promptFinding';

const maxNameLength = 80;
const maxValues = 10;

/** All problems in a prompt, as far as its session and files are known. */
export async function getFindings(prompt: Prompt): Promise<readonly PromptFinding[]> {
  const { content } = prompt;
  const files = await checkFiles(prompt);
  return [
    ...checkSettings(prompt),
    ...checkCommand(prompt),
    ...files,
    ...checkComments(content),
    ...checkPlaceholders(content),
    ...checkEmptiness(content),
  ];
}

/** The finding for a document that isn't parsed. */
export function unreadableFinding(reason: Unreadable): PromptFinding {
  const message =
    reason === 'binary'
      ? l10n.t('This isn’t text: it can’t be sent as a prompt.')
      : l10n.t('This is too long to be sent as a prompt; nothing in it is checked.');
  return { code: reason, severity: DiagnosticSeverity.Information, start: 0, end: 0, message };
}

function checkCommand(prompt: Prompt): readonly PromptFinding[] {
  const command = getSegments(prompt.content, 'command')[0];
  // With a second slash it is a path, unless a command has this name.
  if (
    !command ||
    !prompt.facts ||
    findCommand(prompt, command.name) ||
    command.name.includes('/')
  ) {
    return [];
  }
  const message = l10n.t('The agent has no command “/{0}”.', oneLine(command.name, maxNameLength));
  return [finding('unknown-command', DiagnosticSeverity.Warning, command, message)];
}

function checkSettings({ content: { frontMatter }, facts }: Prompt): readonly PromptFinding[] {
  const entries = frontMatter?.entries ?? [];
  const settings = new Map(getSettings(facts).map((setting) => [setting.key, setting]));
  const last = new Map(entries.map((entry) => [entry.key, entry]));
  const unreadableLines = (frontMatter?.unreadable ?? []).map((span) =>
    finding(
      'unreadable-setting',
      DiagnosticSeverity.Warning,
      span,
      l10n.t('This isn’t a setting. Settings have the form “name: value”.'),
    ),
  );
  const found = entries.flatMap((entry) => {
    const key = { start: entry.keyStart, end: entry.keyEnd };
    const name = oneLine(entry.key, maxNameLength);
    const setting = settings.get(entry.key);
    if (last.get(entry.key) !== entry) {
      const message = l10n.t('“{0}” is set again below, and only the last one counts.', name);
      return [finding('repeated-setting', DiagnosticSeverity.Warning, key, message)];
    }
    if (!facts) {
      return [];
    }
    if (!setting) {
      const message = l10n.t('The session has no setting “{0}”.', name);
      return [finding('unknown-setting', DiagnosticSeverity.Warning, key, message)];
    }
    if (!setting.values || setting.values.some(({ value }) => value === entry.value)) {
      return [];
    }
    const place = { start: entry.valueStart, end: Math.max(entry.valueEnd, entry.valueStart) };
    const values = setting.values.slice(0, maxValues).map(({ value }) => oneLine(value, 40));
    const more = setting.values.length > maxValues ? ['…'] : [];
    const message = l10n.t(
      '“{0}” isn’t a valid value of “{1}”. Valid values: {2}.',
      oneLine(entry.value, maxNameLength),
      name,
      [...values, ...more].join(', '),
    );
    return [finding('unknown-value', DiagnosticSeverity.Warning, place, message)];
  });
  return [...unreadableLines, ...found];
}

function checkComments(content: PromptDocument): readonly PromptFinding[] {
  return getSegments(content, 'comment')
    .filter(({ isClosed }) => !isClosed)
    .map(({ start }) =>
      finding(
        'unclosed-comment',
        DiagnosticSeverity.Warning,
        { start, end: start + 4 },
        l10n.t('This comment isn’t closed with “-->”, so nothing after it is sent.'),
      ),
    );
}

function checkPlaceholders(content: PromptDocument): readonly PromptFinding[] {
  return getSegments(content, 'placeholder').map((placeholder) =>
    finding(
      'placeholder',
      DiagnosticSeverity.Information,
      placeholder,
      placeholderMessage(placeholder),
    ),
  );
}

function placeholderMessage({ name }: SegmentOf<'placeholder'>): string {
  return name === ''
    ? l10n.t('This is still to be filled in.')
    : l10n.t('“{0}” is still to be filled in.', oneLine(name, maxNameLength));
}

/** Finds an empty prompt, but only in documents that contain something. */
function checkEmptiness(content: PromptDocument): readonly PromptFinding[] {
  if (content.text === '' || promptParts(content).length > 0) {
    return [];
  }
  const start = content.text.length;
  const message = l10n.t('There is nothing to send: settings and comments aren’t sent.');
  const place = { start, end: start };
  return [finding('empty-prompt', DiagnosticSeverity.Information, place, message)];
}

function finding(
  code: PromptProblem,
  severity: DiagnosticSeverity,
  { start, end }: { readonly start: number; readonly end: number },
  message: string,
): PromptFinding {
  return { code, severity, start, end, message };
}
