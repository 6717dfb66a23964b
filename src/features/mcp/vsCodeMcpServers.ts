import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log, Workspace } from '../../model/ports';
import { cleanText } from '../../model/text/titles';
import { realPath } from '../../platform/files/realPath';
import { Consents } from '../../platform/storage/consents';
import { plainMessage, showWarningMessage } from '../../platform/ui/messages';
import type { HeldSecrets } from '../../util/secrets/heldSecrets';
import { ConfiguredMcpServers } from './model/mcpServers';
import type { McpInput } from './model/mcpSettings';
import { writtenMcpServers } from './settings';

/** The MCP servers of this window (MCP-1 to MCP-7). */
export function vsCodeMcpServers(
  context: vscode.ExtensionContext,
  workspace: Workspace,
  log: Log,
  held: HeldSecrets,
): ConfiguredMcpServers {
  return new ConfiguredMcpServers({
    workspace,
    realPath,
    setting: writtenMcpServers,
    secrets: context.secrets,
    consents: new Consents(
      path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'consents', 'mcp'),
    ),
    askForInput,
    askForConsent,
    log,
    held,
  });
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

async function askForConsent(folder: string, commands: readonly string[]): Promise<boolean> {
  const allow = l10n.t('Allow');
  const answer = await showWarningMessage(
    l10n.t('Allow agents to use the MCP servers of “{0}”?', path.basename(folder)),
    {
      modal: true,
      detail: l10n.t(
        'The file .vscode/mcp.json in this folder defines these servers, which agents would start or connect to:\n\n{0}\n\nYour answer is kept until the file changes, or until you run “Forget MCP Inputs”.',
        commands.join('\n'),
      ),
    },
    allow,
  );
  return answer === allow;
}
