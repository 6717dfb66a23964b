import type { JsonObject } from '../../util/json';
import type { AgentCapabilities } from '../agentConnection';
import type { ClientInfo, ClientOffer, InitializeResult } from '../protocolVersion';
import { isOffered, objectOrEmpty, readAgentInfo, tellsAccount } from '../shapes/agentInfo';
import { readSystemPrompt } from '../shapes/sessions/systemPrompt';
import { readAuthMethods } from './authMethods';

/** See `ProtocolVersion`. */
export function initializeParams(clientInfo: ClientInfo, offer: ClientOffer): object {
  return { clientCapabilities: clientCapabilities(offer), clientInfo };
}

function clientCapabilities({ requests, machine, authTerminal }: ClientOffer): object {
  const updates = { notices: {}, compaction: {}, promptSuggestions: {} };
  return {
    ...(requests && machine && { fs: { readTextFile: true, writeTextFile: true }, terminal: true }),
    ...(requests && { elicitation: { form: {}, url: {} } }),
    session: requests ? { configOptions: { boolean: {} }, ...updates } : updates,
    ...(authTerminal && { auth: { terminal: true } }),
    subagents: {},
    plan: {},
    // Without it Claude and Codex omit the output of commands that they run themselves.
    _meta: { terminal_output: true },
  };
}

/** See `ProtocolVersion`. Methods for a terminal are left out unless they were offered (AUTH-9). */
export function readInitializeResult(
  result: JsonObject,
  { authTerminal }: ClientOffer,
): InitializeResult {
  return {
    info: readAgentInfo(result['agentInfo']),
    capabilities: readCapabilities(result),
    authMethods: readAuthMethods(result['authMethods'], authTerminal),
    tellsAccount: tellsAccount(objectOrEmpty(result['agentCapabilities'])),
  };
}

/** An absent capability is off, and an unknown one is ignored (INIT-8 to INIT-10, INIT-16). */
function readCapabilities(result: JsonObject): AgentCapabilities {
  const agent = objectOrEmpty(result['agentCapabilities']);
  const session = objectOrEmpty(agent['sessionCapabilities']);
  const prompt = objectOrEmpty(agent['promptCapabilities']);
  const mcp = objectOrEmpty(agent['mcpCapabilities']);
  const ours = objectOrEmpty(objectOrEmpty(agent['_meta'])['acpSessions']);
  return {
    load: agent['loadSession'] === true,
    list: isOffered(session['list']),
    resume: isOffered(session['resume']),
    close: isOffered(session['close']),
    delete: isOffered(session['delete']),
    fork: isOffered(session['fork']),
    archive: isOffered(session['archive']),
    title: isOffered(session['title']),
    options: isOffered(session['options']),
    additionalDirectories: isOffered(session['additionalDirectories']),
    ...readSystemPrompt(session['systemPrompt']),
    steering: objectOrEmpty(objectOrEmpty(result['_meta'])['steering'])['supported'] === true,
    prompt: ours['readOnly'] !== true,
    logout: isOffered(objectOrEmpty(agent['auth'])['logout']),
    promptImage: prompt['image'] === true,
    promptAudio: prompt['audio'] === true,
    promptEmbeddedContext: prompt['embeddedContext'] === true,
    promptSkill: false,
    promptSkillInline: false,
    mcpStdio: true,
    mcpHttp: mcp['http'] === true,
    mcpSse: mcp['sse'] === true,
    mcpAcp: mcp['acp'] === true,
  };
}
