import { useComputed } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FromWebview, SessionState } from '../shared/transcript/webviewMessages';
import type { TranscriptState } from './state';

/** What every part of the transcript may use. */
export interface Transcript {
  readonly state: TranscriptState;
  readonly post: (message: FromWebview) => void;
}

export const TranscriptContext = createContext<Transcript | undefined>(undefined);

/** Index of the entry around a component. */
export const EntryIndexContext = createContext(0);

/** The language of code in a tool call that names none itself: that of the file that was read. */
export const CodeLanguageContext = createContext('');

export function useTranscript(): Transcript {
  const transcript = useContext(TranscriptContext);
  if (!transcript) {
    throw new Error('Drawn outside of a transcript');
  }
  return transcript;
}

export function useEntryIndex(): number {
  return useContext(EntryIndexContext);
}

/** One part of the session; whoever uses it is drawn anew only when this part is another one. */
export function useSessionPart<Part extends keyof SessionState>(
  part: Part,
): SessionState[Part] | undefined {
  const { state } = useTranscript();
  return useComputed(() => state.session.value?.[part]).value;
}
