import type { AcpError } from '../../protocol/errors';
import { programName } from '../../util/process/programName';
import { cleanText } from '../text/titles';
import { quoteError } from './agentWords';

/** How agents say that the program through which they work isn't there: not one of their tools, nor an MCP server. */
const sayings = [
  /^(?:(?:Internal error|Error): )*spawn (?<program>.+) ENOENT\.?$/,
  /\bcould not be started \(spawn (?<program>.+?) ENOENT\)/,
  /\bexecutable not found \(command: (?<program>[^)]+)\)/i,
  /\bbinary not found at (?<program>\S+?)\.?(?:\s|$)/i,
];
const longest = 60;

/**
 * The program that an agent which has started needs, and doesn't find: agents that only speak the protocol for another
 * one say so when that is missing. `undefined`: this error is about something else.
 */
export function findMissingPart(error: AcpError): string | undefined {
  if (error.code === 'notFound' || error.code === 'notExecutable') {
    return undefined;
  }
  const said = quoteError(error);
  const found = sayings.map((saying) => saying.exec(said)?.groups?.['program']).find(Boolean);
  return found && (cleanText(programName(found), longest) || undefined);
}
