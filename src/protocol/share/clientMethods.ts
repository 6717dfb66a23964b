const place = ['cwd', 'additionalDirectories', 'mcpServers', 'systemPrompt'];

/**
 * What a client may say to an agent that is shared, in either version, and the members of its params that are passed
 * on: whatever else there is could name what isn't checked, such as a way to sign out.
 */
const methods: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['initialize', ['protocolVersion', 'clientCapabilities', 'clientInfo', 'capabilities', 'info']],
  ['session/options', ['cwd', 'additionalDirectories']],
  ['session/new', [...place, 'configOptions']],
  ['session/load', ['sessionId', ...place]],
  ['session/resume', ['sessionId', ...place, 'replayFrom']],
  ['session/fork', ['sessionId', ...place]],
  ['session/list', ['cwd', 'cursor', 'archived']],
  ['session/close', ['sessionId']],
  ['session/delete', ['sessionId']],
  ['session/archive', ['sessionId']],
  ['session/unarchive', ['sessionId']],
  ['session/status', ['sessionId']],
  ['session/set_title', ['sessionId', 'title']],
  ['session/set_mode', ['sessionId', 'modeId']],
  ['session/set_model', ['sessionId', 'modelId']],
  ['session/set_config_option', ['sessionId', 'configId', 'type', 'value']],
  ['session/prompt', ['sessionId', 'prompt']],
  ['_session/steering', ['sessionId', 'prompt']],
  ['session/cancel', ['sessionId']],
  ['tool_call/cancel', ['sessionId', 'toolCallId']],
  ['terminal/cancel', ['sessionId', 'terminalId']],
  ['$/cancel_request', ['requestId']],
]);

/** The members of a method's params that are passed on; `undefined` if the method isn't. */
export function findMembers(method: unknown): readonly string[] | undefined {
  return methods.get(method);
}

/** Whether the method is about a session, which it then has to name. */
export function isOfSession(method: unknown): boolean {
  return methods.get(method)?.includes('sessionId') === true;
}
