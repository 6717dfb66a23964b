/** The environment variable in which agents look for a provider's key, by provider. */
export const keyVariables: ReadonlyMap<unknown, string> = new Map([
  ['openai', 'OPENAI_API_KEY'],
  ['google', 'GEMINI_API_KEY'],
  ['anthropic', 'ANTHROPIC_API_KEY'],
]);

/** All environment variables that a login with a key can set. */
export const apiKeyVariables: readonly string[] = [...keyVariables.values()];
