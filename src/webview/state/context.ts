import { useComputed } from '@preact/signals';
import { createContext, type FunctionComponent } from 'preact';
import { useContext } from 'preact/hooks';
import type { DrawnEntry } from '../../shared/transcript/drawn';
import type { FromWebview, SessionState } from '../../shared/transcript/webviewMessages';
import type { Ask } from './asking';
import type { TranscriptState } from './state';

/** Shared by every component of the transcript. */
export interface PageTranscript {
  readonly state: TranscriptState;
  readonly post: (message: FromWebview) => void;
  readonly ask: Ask;
}

export const TranscriptContext = createContext<PageTranscript | undefined>(undefined);

/** Index of the enclosing entry. */
export const EntryIndexContext = createContext(0);

/**
 * Fallback language for a tool call's code blocks that name none: the language of the file that was
 * read.
 */
export const CodeLanguageContext = createContext('');

/** Draws an entry inside another one: one of a subagent. */
export const EntryContext = createContext<FunctionComponent<{ readonly entry: DrawnEntry }>>(
  () => null,
);

export function useTranscript(): PageTranscript {
  const transcript = useContext(TranscriptContext);
  if (!transcript) {
    throw new Error('Drawn outside of a transcript');
  }
  return transcript;
}

export function useEntryIndex(): number {
  return useContext(EntryIndexContext);
}

/** Whether a prompt can be sent into the running turn (T-39). */
export function useCanSteer(): boolean {
  const turn = useSessionPart('turn');
  const canSteer = useSessionPart('canSteer') === true;
  const runs = turn?.kind === 'running' && !turn.cancelling && turn.began !== undefined;
  return canSteer && runs;
}

/** A part of the session; a component that uses it re-renders only when that part changes. */
export function useSessionPart<Part extends keyof SessionState>(
  part: Part,
): SessionState[Part] | undefined {
  const { state } = useTranscript();
  return useComputed(() => state.session.value?.[part]).value;
}
