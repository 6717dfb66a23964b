/** The versions that the user allows with an agent; `auto`: whichever the agent chooses. */
export const protocolChoices = ['1', '2', 'auto'] as const;
export type ProtocolChoice = (typeof protocolChoices)[number];
