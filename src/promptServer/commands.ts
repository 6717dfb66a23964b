import type { PromptCommand, SessionFacts } from '../shared/prompt/promptProtocol';

export function commandOf(
  facts: SessionFacts | undefined,
  name: string,
): PromptCommand | undefined {
  return facts?.commands.find((command) => command.name === name);
}
