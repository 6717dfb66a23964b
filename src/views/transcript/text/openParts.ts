import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { findCommand } from '../../../model/calls/commandLine';
import { commandOutput } from '../../../model/calls/commandOutput';
import { isPrintedIn } from '../../../model/calls/toolResults';
import { unshownInput, unshownOutput } from '../../../model/calls/unshownRaw';
import { rawText } from '../../../model/transcript/rawText';
import { textWriter } from '../../../model/transcript/textWriter';
import type { ReadOnlyDocuments, ShownState } from '../../../platform/files/readOnlyDocuments';
import type { PathContext } from '../../../platform/openers';
import { outputText } from '../../../shared/terminal/outputText';
import type { Block, Diff } from '../../../shared/transcript/content';
import type { Entry, ToolCallEntry } from '../../../shared/transcript/entries';
import type { FromWebview } from '../../../shared/transcript/webviewMessages';
import { hasText, sessionFile } from '../../sessionFiles';
import { bounded } from '../rows/drawTexts';

/** A text from a transcript, with a file name whose extension determines its language. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

type TextPart = Exclude<Extract<FromWebview, { type: 'openText' }>['part'], 'whole'>;

/** Longer texts are cut in an editor, too: VS Code holds several copies of them. */
const longest = 10_000_000;

/** A whole entry as Markdown; for a question, with everything that can be answered. */
export async function getWholeText(entry: Entry, agentTitle: string): Promise<NamedText> {
  const { entryMarkdown, fenced } = await textWriter();
  const parts: readonly Entry[] = entry.kind === 'permission' ? [entry, entry.toolCall] : [entry];
  const text = parts.map((part) => entryMarkdown(part, { agentTitle })).join('\n\n');
  const asked = entry.kind === 'elicitation' ? `\n\n${fenced(rawText(entry.ask))}` : '';
  return { name: 'entry.md', text: `${text}${asked}\n` };
}

/** The full text of a part that a row shows shortened; `undefined` if there is none at this place. */
export function findText(entry: Entry, part: TextPart, item: number): NamedText | undefined {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return part === 'blocks' ? textOfBlock(entry.blocks[item]) : undefined;
    case 'compaction':
      return part === 'blocks' ? textOfBlock(entry.summary[item]) : undefined;
    case 'plan':
      return part === 'blocks' ? textOfBlock(entry.blocks?.[item]) : undefined;
    case 'elicitation':
    case 'subagent':
    case 'unknown':
    case 'turn':
      return undefined;
    case 'permission':
      return part === 'rawInput'
        ? rawPart('input', entry.toolCall.rawInput)
        : textOfCall(entry.toolCall, part, item);
    case 'toolCall':
      return textOfCall(entry, part, item);
  }
}

function textOfCall(entry: ToolCallEntry, part: TextPart, item: number): NamedText | undefined {
  switch (part) {
    case 'blocks':
      return undefined;
    case 'command':
      return namedText('command.sh', findCommand(entry.rawInput));
    case 'rawInput':
      return rawPart('input', unshownInput(entry));
    case 'rawOutput':
      return rawPart('output', unshownOutput(entry));
    case 'content': {
      const content = entry.content[item];
      if (content?.type === 'terminal') {
        const output = entry.terminalOutput?.get(content.terminalId);
        const size = entry.terminals?.get(content.terminalId)?.size;
        return namedText('output.txt', output && outputText(output, size));
      }
      if (content?.type !== 'content') {
        return undefined;
      }
      const { block } = content;
      const output = commandOutput(block, entry);
      if (output !== undefined) {
        return namedText('output.txt', outputText(output));
      }
      return block.type === 'text' && isPrintedIn(entry, block.text)
        ? namedText('output.txt', block.text)
        : textOfBlock(block);
    }
  }
}

function namedText(name: string, text: string | undefined): NamedText | undefined {
  return text === undefined ? undefined : { name, text };
}

function rawPart(name: string, value: unknown): NamedText | undefined {
  if (value === undefined) {
    return undefined;
  }
  return { name: typeof value === 'string' ? `${name}.txt` : `${name}.json`, text: rawText(value) };
}

function textOfBlock(block: Block | undefined): NamedText | undefined {
  if (block?.type === 'text') {
    return { name: 'message.md', text: block.text };
  }
  if (block?.type === 'resource' && block.text !== undefined) {
    return { name: getName(block.uri), text: block.text };
  }
  return undefined;
}

function getName(uri: string): string {
  const name = uri.split(/[?#]/)[0]?.split(/[\\/]/).at(-1);
  return name === undefined || name === '' ? 'resource.txt' : name;
}

/** Shows a text in a read-only editor. */
export async function openText(
  documents: ReadOnlyDocuments,
  { name, text }: NamedText,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(
    documents.add(name, bounded(text, longest)),
  );
  await vscode.window.showTextDocument(document);
}

/**
 * Shows a change in VS Code's diff editor: against the file while it still is as the change left
 * it, otherwise against the recorded text.
 */
export async function openDiff(
  documents: ReadOnlyDocuments,
  diff: Diff,
  context: PathContext,
): Promise<void> {
  const name = path.basename(diff.path);
  const file = path.resolve(context.cwd, diff.path);
  const side = (which: ShownState['side'], text: string): vscode.Uri =>
    documents.addSide({ file, side: which }, name, bounded(text, longest));
  const left = side('before', diff.oldText ?? '');
  const current = await fileAsLeft(diff, context);
  const right = current ?? side('after', diff.newText);
  const kind = current === undefined ? l10n.t('change as recorded') : l10n.t('change in the file');
  await vscode.commands.executeCommand('vscode.diff', left, right, `${name} (${kind})`);
}

/** The file if it is the session's or the workspace's and has exactly the text of the change. */
async function fileAsLeft(diff: Diff, context: PathContext): Promise<vscode.Uri | undefined> {
  const file = await sessionFile(diff.path, context);
  const same = file.kind === 'there' && (await hasText(file.real, diff.newText)) === true;
  return same ? vscode.Uri.file(file.path) : undefined;
}
