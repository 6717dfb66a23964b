import type { Entry } from '../../../../src/shared/transcript/entries';
import type { Draft } from '../../../../src/shared/transcript/prompt';
import type {
  Header,
  Phase,
  SavedTranscript,
  SessionState,
} from '../../../../src/shared/transcript/webviewMessages';
import { transcriptHtml } from '../../../../src/views/transcript/tabs/html';
import { bindKeys } from '../../../ui/webview/harness/keybindings';
import { TranscriptHost } from '../../../ui/webview/harness/transcriptHost';
import type { Page } from './page';
import { openDom, textsIn } from './pageDom';

export const saved: SavedTranscript = {
  agentId: 'claude',
  sessionId: 'sess-1',
  cwd: '/project/shop',
  additionalDirectories: [],
  title: 'Fix the checkout',
};

interface TranscriptOptions {
  readonly entries?: readonly Entry[];
  readonly phase?: Phase;
  readonly header?: Partial<Header>;
  readonly session?: Partial<SessionState>;
  /** Default: English. */
  readonly language?: 'de';
  /** The state that an earlier page of the tab saved with `setState`. */
  readonly state?: unknown;
  /** The draft that the host has kept. */
  readonly draft?: Draft;
  /** How many rows are there depends on the height. */
  readonly viewport?: { readonly height: number };
}

/** A transcript on a DOM in this process, with its own host. */
export interface TranscriptPage {
  readonly page: Page;
  readonly host: TranscriptHost;
  /** Errors of the page. */
  readonly errors: string[];
  /** The state that the webview saved last. */
  readonly state: () => unknown;
}

/**
 * Opens transcripts without a browser: the page that ships, on a DOM in this process, with the host's side of it as in
 * the extension. A page has no style sheets and next to no layout, see `Layout`. Each is closed after its test.
 */
export function useTranscripts(): (options?: TranscriptOptions) => Promise<TranscriptPage> {
  const opened: (() => void)[] = [];
  afterEach(() => {
    for (const close of opened.splice(0)) {
      close();
    }
  });
  return async (options = {}) => {
    const { entries = [], phase, header, session, draft, language, state, viewport } = options;
    const host = new TranscriptHost();
    host.reset([...entries]);
    host.phase = phase ?? host.phase;
    host.header = { ...host.header, ...header };
    host.session = { ...host.session, ...session };
    host.draft = draft ?? host.draft;
    const resources = { cspSource: '', script: '', styles: [] };
    const {
      close,
      page,
      errors,
      state: saves,
    } = await openDom({
      program: 'transcript',
      html: transcriptHtml(resources, saved, language ? textsIn(language) : undefined),
      height: viewport?.height ?? 800,
      state,
      receive: (value) => host.receive(value),
      prepare: (made, post) => {
        host.connect(post, () => made.settle());
        return bindKeys(made);
      },
    });
    opened.push(() => {
      host.dispose();
      close();
    });
    return { host, page, errors, state: saves };
  };
}
