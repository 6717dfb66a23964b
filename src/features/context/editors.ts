import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type {
  ContextPart,
  ContextReader,
  ContextSession,
} from '../../model/session/providedContext';
import { fileCount } from '../../model/text/fileCount';
import type { LastEditor } from '../../platform/ui/lastEditor';
import type { Attachment } from '../../shared/transcript/prompt';
import type { ContextSuggestion } from '../../shared/transcript/questions';
import { attachmentOfEditor } from '../../views/transcript/composer/attachments';
import { isWritten } from './model/isWritten';

type SelectionAttachment = Extract<Attachment, { type: 'selection' }>;

const maxNamed = 200;

/** `@open`: which files of the session's folders the user has open, with the active one first. */
export const openEditors: ContextReader = {
  async read(_, session): Promise<readonly ContextPart[]> {
    const files = await filesOf(session);
    const names = files.slice(0, maxNamed).map((file) => path.relative(session.cwd, file));
    return names.length === 0
      ? []
      : [{ uri: 'acp-sessions:open.txt', name: l10n.t('Open editors'), text: names.join('\n') }];
  },

  async suggest(typed, session): Promise<readonly ContextSuggestion[]> {
    const mention = '@open';
    const count = isWritten(typed, mention) ? (await filesOf(session)).length : 0;
    const name = l10n.t('Open editors');
    return count === 0
      ? []
      : [{ source: 'open', about: '', mention, name, detail: fileCount(count) }];
  },
};

/** `@selection`: the selected lines of the last active editor. */
export function selection(last: Pick<LastEditor, 'editor'>): ContextReader {
  return {
    read(): Promise<readonly ContextPart[]> {
      const found = selected(last.editor);
      return Promise.resolve(
        found === undefined
          ? []
          : [
              {
                uri: `${found.uri}#L${found.startLine}-L${found.endLine}`,
                name: lines(found),
                text: found.text,
              },
            ],
      );
    },

    suggest(typed): Promise<readonly ContextSuggestion[]> {
      const mention = '@selection';
      const found = isWritten(typed, mention) ? selected(last.editor) : undefined;
      const name = l10n.t('Selection');
      return Promise.resolve(
        found === undefined
          ? []
          : [{ source: 'selection', about: '', mention, name, detail: lines(found) }],
      );
    },
  };
}

function selected(editor: vscode.TextEditor | undefined) {
  const attachment = editor && attachmentOfEditor(editor);
  return attachment?.type === 'selection' && !editor?.selection.isEmpty ? attachment : undefined;
}

function lines({ name, startLine, endLine }: SelectionAttachment): string {
  return startLine === endLine ? `${name}:${startLine}` : `${name}:${startLine}-${endLine}`;
}

/** The files of all tabs, those of the active ones first. */
function openFiles(): readonly string[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const sorted = [...tabs.filter((tab) => tab.isActive), ...tabs.filter((tab) => !tab.isActive)];
  const files = sorted.flatMap(({ input }) =>
    input instanceof vscode.TabInputText && input.uri.scheme === 'file' ? [input.uri.fsPath] : [],
  );
  return [...new Set(files)];
}

/** The open files that the session may read. */
async function filesOf(session: ContextSession): Promise<readonly string[]> {
  const files = openFiles();
  const known = await Promise.all(files.map((file) => session.has(file)));
  return files.filter((_, index) => known[index]);
}
