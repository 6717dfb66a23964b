import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log, Workspace } from '../../model/ports';
import { cleanText } from '../../model/text/titles';
import { realPath } from '../../platform/files/realPath';
import { Consents } from '../../platform/storage/consents';
import { plainMessage, showWarningMessage } from '../../platform/ui/messages';
import { literalLine } from '../../shared/literal';
import type { HeldSecrets } from '../../util/secrets/heldSecrets';
import type { AskedFile } from './model/mcpConsent';
import type { McpFacts } from './model/mcpFacts';
import { ConfiguredMcpServers } from './model/mcpServers';
import type { McpInput } from './model/mcpSettings';
import { writtenMcpServers } from './settings';

/** The MCP servers of this window (MCP-1 to MCP-7). */
export function vsCodeMcpServers(
  context: vscode.ExtensionContext,
  workspace: Workspace,
  log: Log,
  held: HeldSecrets,
  facts: Pick<McpFacts, 'note'>,
): ConfiguredMcpServers {
  return new ConfiguredMcpServers({
    workspace,
    realPath,
    setting: writtenMcpServers,
    secrets: context.secrets,
    consents: consentsIn(context.storageUri ?? context.globalStorageUri),
    ownConsents: consentsIn(context.globalStorageUri),
    askForInput,
    askForConsent,
    tell,
    noted: (opening, servers, leftOut) => facts.note(opening, servers, leftOut),
    log,
    held,
  });
}

function consentsIn(storage: vscode.Uri): Consents {
  return new Consents(path.join(storage.fsPath, 'consents', 'mcp'));
}

/** The rest is in the log. */
const maxTold = 3;

function tell(source: string, problems: readonly string[]): void {
  const told = problems.slice(0, maxTold);
  if (problems.length > maxTold) {
    told.push(l10n.t('{0} more are in the log.', problems.length - maxTold));
  }
  void showWarningMessage(
    l10n.t('Some MCP servers of {0} aren’t used. {1}', cleanText(source, 300), told.join(' ')),
  );
}

async function askForInput(input: McpInput): Promise<string | undefined> {
  const title = l10n.t('MCP Server Input');
  const prompt = cleanText(input.description, 300);
  if (input.options !== undefined) {
    return vscode.window.showQuickPick([...input.options], {
      title,
      placeHolder: prompt,
      ignoreFocusOut: true,
    });
  }
  return vscode.window.showInputBox({
    title,
    prompt: plainMessage(prompt),
    password: input.password,
    ignoreFocusOut: true,
    ...(input.initial !== undefined && { value: input.initial }),
  });
}

async function askForConsent(
  { file, folder, real }: AskedFile,
  commands: readonly string[],
): Promise<boolean> {
  const allow = l10n.t('Allow');
  const written = literalLine(file);
  const answer = await showWarningMessage(
    folder === undefined
      ? l10n.t('Allow agents to use your MCP servers of Copilot?')
      : l10n.t('Allow agents to use the MCP servers of “{0}”?', path.basename(folder)),
    {
      modal: true,
      detail: l10n.t(
        'The file {0} defines these servers, which agents would start or connect to:\n\n{1}\n\nYour answer is kept until the file changes, or until you clear it with “Clear Stored Data…”.',
        real === undefined ? written : l10n.t('{0}, a link to {1},', written, literalLine(real)),
        commands.join('\n'),
      ),
    },
    allow,
  );
  return answer === allow;
}
