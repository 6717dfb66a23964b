import * as l10n from '@vscode/l10n';
import type { AgentCapabilities } from '../../protocol/agentConnection';

/** What this client can do with each capability of an agent, in the order in which a report has them. */
export const capabilityUses: Readonly<Record<keyof AgentCapabilities, string>> = {
  list: l10n.t('Lists its sessions in the Sessions view'),
  load: l10n.t('Shows the whole conversation of a past session'),
  resume: l10n.t('Continues a past session without its history'),
  close: l10n.t('Closes sessions, and reloads one that is open'),
  delete: l10n.t('Deletes sessions'),
  fork: l10n.t('Forks sessions'),
  archive: l10n.t('Archives sessions in the agent itself'),
  title: l10n.t('Renames sessions in the agent itself'),
  additionalDirectories: l10n.t('Works in more than one folder'),
  logout: l10n.t('Signs out'),
  prompt: l10n.t('Takes prompts, and new sessions'),
  steering: l10n.t('Takes prompts into the running turn (Send Now)'),
  promptImage: l10n.t('Takes images in prompts'),
  promptAudio: l10n.t('Takes audio in prompts'),
  promptEmbeddedContext: l10n.t('Takes the contents of files in prompts'),
  mcpStdio: l10n.t('Starts MCP servers that are programs'),
  mcpHttp: l10n.t('Connects to MCP servers over HTTP'),
  mcpSse: l10n.t('Connects to MCP servers over SSE'),
};
