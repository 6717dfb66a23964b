import * as l10n from '@vscode/l10n';
import { showInformationMessage } from '../../platform/ui/messages';
import type { ConfiguredMcpServers } from './model/mcpServers';

/** "Forget MCP Inputs". */
export async function forgetMcpInputs(servers: ConfiguredMcpServers): Promise<void> {
  await servers.forget();
  void showInformationMessage(
    l10n.t(
      'Your inputs and permissions for MCP servers were removed. You will be asked again when you open a session.',
    ),
  );
}
