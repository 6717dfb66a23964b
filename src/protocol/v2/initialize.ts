import * as l10n from '@vscode/l10n';
import { isObject, type JsonObject } from '../../util/json';
import type { AgentCapabilities } from '../agentConnection';
import { AcpError } from '../errors';
import type { ClientInfo, ClientOffer, InitializeResult } from '../protocolVersion';
import { isOffered, objectOrEmpty, readAgentInfo, tellsAccount } from '../shapes/agentInfo';
import { readSystemPrompt } from '../shapes/sessions/systemPrompt';
import { readAuthMethods } from './authMethods';

/** See `ProtocolVersion`. Exactly what this client handles (V2-INIT-9): terminals and files are the agent's own. */
export function initializeParams(info: ClientInfo, offer: ClientOffer): object {
  const { requests, authTerminal } = offer;
  return {
    info,
    capabilities: {
      ...(requests && { elicitation: { form: {}, url: {} } }),
      ...(authTerminal && { auth: { terminal: {} } }),
      session: { promptSuggestions: {}, commands: { skill: {} } },
    },
  };
}

/** See `ProtocolVersion`. Methods for a terminal are left out unless they were offered (AUTH-9). */
export function readInitializeResult(
  result: JsonObject,
  { authTerminal }: ClientOffer,
): InitializeResult {
  const { info, capabilities, authMethods, agentCapabilities } = result;
  if (!isObject(capabilities) && isObject(agentCapabilities)) {
    throw inOldForm();
  }
  return {
    info: readAgentInfo(info),
    capabilities: readCapabilities(objectOrEmpty(capabilities), authMethods),
    authMethods: readAuthMethods(authMethods, authTerminal),
    tellsAccount: tellsAccount(objectOrEmpty(capabilities)),
  };
}

/** The agent says 2 but describes itself as in version 1: nothing that it has could be found (T-48). */
function inOldForm(): AcpError {
  return new AcpError('version', 'The agent says 2 but answers in the form of version 1', {
    subject: '2',
    words: {
      title: l10n.t('The agent mixes two versions of the protocol'),
      detail: l10n.t(
        'It says that it speaks version 2, but answers in the form of version 1. Set “acpSessions.protocol”, or “protocol” of this agent in “acpSessions.agents”, to “1”.',
      ),
    },
  });
}

/** Sessions come with a number of methods (V2-INIT-8); an unknown capability is ignored (V2-INIT-7). */
function readCapabilities(agent: JsonObject, authMethods: unknown): AgentCapabilities {
  const hasSessions = isOffered(agent['session']);
  const session = objectOrEmpty(agent['session']);
  const ours = objectOrEmpty(objectOrEmpty(agent['_meta'])['acpSessions']);
  const isWritable = hasSessions && ours['readOnly'] !== true;
  const prompt = objectOrEmpty(session['prompt']);
  const mcp = objectOrEmpty(session['mcp']);
  return {
    load: hasSessions,
    list: hasSessions,
    resume: isWritable,
    close: hasSessions,
    delete: isOffered(session['delete']),
    fork: isOffered(session['fork']),
    archive: isOffered(session['archive']),
    title: isOffered(session['title']),
    options: isOffered(session['options']),
    additionalDirectories: isOffered(session['additionalDirectories']),
    ...readSystemPrompt(session['systemPrompt']),
    prompt: isWritable,
    // A prompt may be sent while another one is worked on (V2-TURN-16).
    steering: isWritable,
    // It comes with the login methods (V2-AUTH-2).
    logout: Array.isArray(authMethods) && authMethods.length > 0,
    promptImage: isOffered(prompt['image']),
    promptAudio: isOffered(prompt['audio']),
    promptEmbeddedContext: isOffered(prompt['embeddedContext']),
    promptSkill: isOffered(prompt['skill']),
    promptSkillInline: isOffered(objectOrEmpty(prompt['skill'])['inline']),
    mcpStdio: isOffered(mcp['stdio']),
    mcpHttp: isOffered(mcp['http']),
    mcpSse: false,
    mcpAcp: isOffered(mcp['acp']),
  };
}
