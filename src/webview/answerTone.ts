import type { SilentMessage, Tone, ToneMessage } from '../shared/tone';

/** The notes of a tone in hertz, one after the other. */
const notes: Readonly<Record<Tone, readonly number[]>> = {
  ended: [523.25],
  needsAnswer: [659.25, 880],
};
/** The length of a note in seconds. */
const step = 0.16;
const rise = 0.02;
const length = 0.6;
const loudness = 0.1;

/** Plays a soft tone. Browsers let a page do so only after a click or a key in it. */
export function answerTone({ tone }: ToneMessage, post: (message: SilentMessage) => void): void {
  if (!navigator.userActivation.hasBeenActive) {
    post({ type: 'silent', tone });
    return;
  }
  const context = new AudioContext();
  const played = notes[tone].map((frequency, index) =>
    playNote(context, frequency, context.currentTime + index * step),
  );
  played.at(-1)?.addEventListener('ended', () => void context.close());
}

function playNote(context: AudioContext, frequency: number, at: number): OscillatorNode {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loudness, at + rise);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
  return oscillator;
}
