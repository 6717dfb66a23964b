import type { Session } from '../model/session/session';
import type { PromptFacts } from '../shared/prompt/promptProtocol';

/** The facts about a session that the language server needs (CM-1, CF-2, PR-2, DIR-10). */
export function factsOf({ agent, facts, roots }: Session): PromptFacts {
  const { commands, configOptions, modes } = facts;
  return {
    roots,
    commands: commands.map(({ name, description, hint }) => ({
      name,
      description,
      ...(hint !== undefined && { hint }),
    })),
    ...(modes !== undefined && { modes }),
    configOptions,
    takes: {
      image: agent.supports('promptImage'),
      audio: agent.supports('promptAudio'),
      embeddedContext: agent.supports('promptEmbeddedContext'),
    },
  };
}
