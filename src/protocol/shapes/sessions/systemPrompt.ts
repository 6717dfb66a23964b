import type {
  AgentCapabilities,
  SessionPlace,
  SessionSetup,
  SystemPrompt,
} from '../../agentConnection';
import { isOffered, objectOrEmpty } from '../agentInfo';

type Taken = Pick<AgentCapabilities, 'systemPrompt' | 'systemPromptOverride'>;

/** What an agent takes: every agent that takes one at all adds it to its own (V2-NEW-4). */
export function readSystemPrompt(capability: unknown): Taken {
  const { override } = objectOrEmpty(objectOrEmpty(capability)['mode']);
  const systemPrompt = isOffered(capability);
  return { systemPrompt, systemPromptOverride: systemPrompt && isOffered(override) };
}

/** As a member of `session/new`, `load`, `resume` and `fork`, if the agent takes it. */
export function systemPromptParams({ systemPrompt }: SessionPlace, taken: Taken): object {
  if (systemPrompt === undefined || !isTaken(systemPrompt, taken)) {
    return {};
  }
  const { mode, text } = systemPrompt;
  return { systemPrompt: { mode, content: [{ type: 'text', text }] } };
}

/** What became of it, for a session that was opened with it. */
export function systemPromptSetup(
  { systemPrompt }: SessionPlace,
  taken: Taken,
): Pick<SessionSetup, 'systemPrompt'> {
  return systemPrompt === undefined
    ? {}
    : { systemPrompt: { ...systemPrompt, isSent: isTaken(systemPrompt, taken) } };
}

function isTaken({ mode }: SystemPrompt, taken: Taken): boolean {
  return mode === 'override' ? taken.systemPromptOverride : taken.systemPrompt;
}
