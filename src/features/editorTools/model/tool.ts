import type { ServedSession } from '../../../model/session/ownServers';
import type { JsonObject } from '../../../util/json';
import { getBeginning } from '../../../util/textParts';

/** A tool that agents call. */
export interface EditorTool {
  readonly name: string;
  /** For the model, in English; each of its requests may contain it. */
  readonly description: string;
  /** The properties of its arguments, as JSON Schema. */
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  /** It does more than read and show: it is there only if the user has chosen so, and asks the user. */
  readonly acts?: true;
  /** What it says to the model. Rejects with `ToolRefusal` for what the model can do better. */
  run(args: JsonObject, session: ServedSession, signal: AbortSignal): Promise<string>;
}

/** A call that can't be done as it is; the message tells the model why. */
export class ToolRefusal extends Error {}

/** UTF-16 units of one answer. */
export const maxAnswer = 50_000;
const maxArgument = 1000;

/** A text among the arguments; an empty one is none. */
export function textArgument(args: JsonObject, name: string): string | undefined {
  const value = args[name];
  if (value === undefined || value === null || value === '') {
    return undefined;
  }
  if (typeof value !== 'string' || value.length > maxArgument) {
    throw new ToolRefusal(`"${name}" must be a text of at most ${maxArgument} characters.`);
  }
  return value;
}

/** A number from 1 among the arguments. */
export function numberArgument(args: JsonObject, name: string): number | undefined {
  const value = args[name];
  if (value === undefined || value === null) {
    return undefined;
  }
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
    throw new ToolRefusal(`"${name}" must be a whole number from 1.`);
  }
  return value;
}

/** The answer, cut visibly if it is too long. */
export function bounded(text: string): string {
  const kept = getBeginning(text, maxAnswer);
  return kept.length < text.length ? `${kept}\n[The rest is left out.]` : text;
}
