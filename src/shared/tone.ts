/** The sounds that a page plays while the user looks elsewhere. */
export type Tone = 'ended' | 'needsAnswer';

/** Asks a page to play a tone. */
export interface ToneMessage {
  readonly type: 'tone';
  readonly tone: Tone;
}

/** The answer of a page that can't, because the user hasn't clicked or typed in it. */
export interface SilentMessage {
  readonly type: 'silent';
  readonly tone: Tone;
}

export function parseSilent({ tone }: { readonly tone?: unknown }): SilentMessage | undefined {
  return tone === 'ended' || tone === 'needsAnswer' ? { type: 'silent', tone } : undefined;
}
