import type { PromptFacts, PromptServerOptions } from '../../../shared/prompt/promptProtocol';
import type { ConfigOption, SessionModes } from '../../../shared/transcript/config';
import { asArray, asString, isObject, type JsonObject } from '../../../util/json';

/** Any editor may be the client, so its parameters are validated, and malformed parts are dropped. */

export interface ReadFacts {
  readonly uri: string;
  /** `undefined`: the document belongs to no session. */
  readonly facts: PromptFacts | undefined;
}

export function readSessionFacts(params: unknown): ReadFacts | undefined {
  const uri = isObject(params) ? asString(params['uri']) : undefined;
  if (uri === undefined || !isObject(params)) {
    return undefined;
  }
  const { facts } = params;
  return { uri, facts: isObject(facts) ? readFacts(facts) : undefined };
}

export function readOptions(options: unknown): PromptServerOptions {
  if (!isObject(options)) {
    return {};
  }
  const suggestCommand = asString(options['suggestCommand']);
  return {
    findsFiles: options['findsFiles'] === true,
    findsSymbols: options['findsSymbols'] === true,
    findsSessions: options['findsSessions'] === true,
    findsContexts: options['findsContexts'] === true,
    ...(suggestCommand !== undefined && { suggestCommand }),
  };
}

function readFacts(facts: JsonObject): PromptFacts {
  const modes = readModes(facts['modes']);
  const takes = isObject(facts['takes']) ? facts['takes'] : {};
  return {
    roots: asArray(facts['roots']).filter((root) => typeof root === 'string'),
    commands: asArray(facts['commands']).flatMap(readCommand),
    ...(modes && { modes }),
    configOptions: asArray(facts['configOptions']).filter(isConfigOption),
    takes: {
      image: takes['image'] === true,
      audio: takes['audio'] === true,
      embeddedContext: takes['embeddedContext'] === true,
    },
  };
}

function readCommand(command: unknown): PromptFacts['commands'] {
  const name = isObject(command) ? asString(command['name']) : undefined;
  if (name === undefined || !isObject(command)) {
    return [];
  }
  const hint = asString(command['hint']);
  const description = asString(command['description']) ?? '';
  return [{ name, description, ...(hint !== undefined && { hint }) }];
}

function readModes(value: unknown): SessionModes | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const modes = asArray(value['modes']).filter(isMode);
  return { currentModeId: asString(value['currentModeId']) ?? '', modes };
}

function isMode(value: unknown): value is SessionModes['modes'][number] {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['name'] === 'string';
}

function isConfigOption(value: unknown): value is ConfigOption {
  if (!isObject(value) || typeof value['id'] !== 'string' || typeof value['name'] !== 'string') {
    return false;
  }
  return value['type'] === 'boolean' || (value['type'] === 'select' && hasGroups(value['groups']));
}

function hasGroups(groups: unknown): boolean {
  return (
    Array.isArray(groups) &&
    groups.every((group) => isObject(group) && asArray(group['choices']).every(isChoice))
  );
}

function isChoice(value: unknown): boolean {
  return isObject(value) && typeof value['value'] === 'string' && typeof value['name'] === 'string';
}
