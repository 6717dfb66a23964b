import { feature } from '../feature';
import { mcpCommandIds as ids } from './commandIds';
import { forgetMcpInputs } from './forgetMcpInputs';

/** The MCP servers that sessions are opened with. */
export const mcp = feature(ids, (core) => ({
  commands: { [ids.forgetMcpInputs]: () => forgetMcpInputs(core.mcp) },
  parts: {},
}));
