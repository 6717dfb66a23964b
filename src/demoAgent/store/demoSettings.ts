import type {
  ClientCapabilities,
  SessionConfigOption,
  SessionModeState,
  SetSessionConfigOptionRequest,
} from '@agentclientprotocol/sdk/unstable';
import * as z from 'zod';
import type { DemoUpdate } from '../vocabulary/demoUpdates';
import { unusable } from '../vocabulary/requestErrors';

export const settingsSchema = z.object({
  mode: z.enum(['ask', 'act', 'plan']),
  model: z.enum(['fern', 'oak', 'redwood']),
  thinking: z.enum(['off', 'brief', 'thorough']),
  reportUsage: z.boolean(),
});

/** The user's settings for a session; each one affects the scripts. */
export type DemoSettings = Readonly<z.infer<typeof settingsSchema>>;

export const defaultSettings: DemoSettings = {
  mode: 'ask',
  model: 'oak',
  thinking: 'brief',
  reportUsage: true,
};

const modes = [
  { id: 'ask', name: 'Ask first', description: 'Asks before it changes a file' },
  { id: 'act', name: 'Act', description: 'Changes files without asking' },
  { id: 'plan', name: 'Plan only', description: 'Shows changes and makes none' },
] satisfies { id: DemoSettings['mode']; name: string; description: string }[];

export function modeState(settings: DemoSettings): SessionModeState {
  return { currentModeId: settings.mode, availableModes: modes };
}

/**
 * The complete list (CF-9). Fern doesn't think, so it has no thinking level. The boolean is only
 * included for clients that support booleans (CF-7).
 */
export function configOptions(
  settings: DemoSettings,
  client: ClientCapabilities,
): SessionConfigOption[] {
  const options: SessionConfigOption[] = [modeOption(settings), modelOption(settings)];
  if (settings.model !== 'fern') {
    options.push(thinkingOption(settings));
  }
  if (client.session?.configOptions?.boolean) {
    options.push({
      type: 'boolean',
      id: 'reportUsage',
      name: 'Report usage',
      description: 'Tell the size of the context after each turn',
      currentValue: settings.reportUsage,
    });
  }
  return options;
}

/** Sends the client all options; for changes that it didn't make through an option itself. */
export function configUpdate(settings: DemoSettings, client: ClientCapabilities): DemoUpdate {
  return {
    sessionUpdate: 'config_option_update',
    configOptions: configOptions(settings, client),
  };
}

/** The settings with an option changed; throws -32602 for an option or value that isn't offered (CF-8). */
export function changeOption(
  settings: DemoSettings,
  request: Pick<SetSessionConfigOptionRequest, 'configId' | 'value'>,
  client: ClientCapabilities,
): DemoSettings {
  const { configId, value } = request;
  const option = configOptions(settings, client).find((candidate) => candidate.id === configId);
  if (option === undefined) {
    throw unusable(`There is no option ${JSON.stringify(configId)} now`);
  }
  const offered =
    option.type === 'boolean'
      ? typeof value === 'boolean'
      : getValues(option).includes(String(value));
  const changed = settingsSchema.safeParse({ ...settings, [configId]: value });
  if (!offered || !changed.success) {
    throw unusable(`${JSON.stringify(value)} is not a value of the option ${option.name}`);
  }
  return changed.data;
}

/** The settings that a session begins with; what isn't offered is ignored, as drafted (T-140). */
export function firstSettings(
  values: readonly Pick<SetSessionConfigOptionRequest, 'configId' | 'value'>[],
  client: ClientCapabilities,
): DemoSettings {
  return values.reduce((settings, value) => {
    try {
      return changeOption(settings, value, client);
    } catch {
      return settings;
    }
  }, defaultSettings);
}

/** The settings with another mode; throws -32602 for a mode that isn't offered (MO-3). */
export function changeMode(settings: DemoSettings, modeId: string): DemoSettings {
  const mode = modes.find((candidate) => candidate.id === modeId);
  if (mode === undefined) {
    throw unusable(`There is no mode ${JSON.stringify(modeId)}`);
  }
  return { ...settings, mode: mode.id };
}

function getValues(option: Select): string[] {
  return option.options
    .flatMap((entry) => ('options' in entry ? entry.options : [entry]))
    .map((entry) => entry.value);
}

type Select = Extract<SessionConfigOption, { type: 'select' }>;

function modeOption({ mode }: DemoSettings): Select {
  return {
    ...{ type: 'select', id: 'mode', name: 'Mode', category: 'mode', currentValue: mode },
    description: 'What the agent may do by itself',
    options: modes.map(({ id, ...shown }) => ({ value: id, ...shown })),
  };
}

function modelOption({ model }: DemoSettings): Select {
  const fern = { value: 'fern', name: 'Fern', description: 'Short answers, no thoughts' };
  const large = [
    { value: 'oak', name: 'Oak', description: 'Answers as long as they need to be' },
    { value: 'redwood', name: 'Redwood', description: 'Says everything there is to say' },
  ];
  return {
    ...{ type: 'select', id: 'model', name: 'Model', category: 'model', currentValue: model },
    description: 'How much the agent has to say. None is a real model: every answer is scripted',
    options: [
      { group: 'small', name: 'Small', options: [fern] },
      { group: 'large', name: 'Large', options: large },
    ],
  };
}

function thinkingOption({ thinking }: DemoSettings): Select {
  return {
    ...{ type: 'select', id: 'thinking', name: 'Thinking', currentValue: thinking },
    description: 'How much of its thoughts the agent shows',
    category: 'thought_level',
    options: [
      { value: 'off', name: 'Off', description: 'None' },
      { value: 'brief', name: 'Brief', description: 'The first one' },
      { value: 'thorough', name: 'Thorough', description: 'All of them' },
    ],
  };
}
