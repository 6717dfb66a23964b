import type { ConfigOption, SessionModes } from '../transcript/config';

/**
 * Messages between the prompts' language server and its client, in addition to the Language Server
 * Protocol. A client may omit all of them: then there are no commands and modes, and files are
 * searched for in the workspace folders.
 */

/**
 * Notification to the server with `SessionFactsParams`, sent whenever they change, before or after
 * the document is opened.
 */
export const sessionFactsMethod = 'acp/session';
/** Request to the client with `FindParams`, answered with `FoundFile[]`, best first. */
export const findFilesMethod = 'acp/files';
/** Request to the client with `FindParams`, answered with `FoundSymbol[]`, best first. */
export const findSymbolsMethod = 'acp/symbols';

/** Request to the client with `FindParams`, answered with `FoundSession[]`, best first. */
export const findSessionsMethod = 'acp/sessions';

/** Request to the client with `FindParams`, answered with `FoundContext[]`, best first. */
export const findContextsMethod = 'acp/contexts';
/** Request to the client with `ReadContextParams`, answered with `ContextText`, or `null` if nothing is known of it. */
export const readContextMethod = 'acp/context';

/** The client's `initializationOptions`: the requests that it supports. */
export interface PromptServerOptions {
  readonly findsFiles?: boolean;
  readonly findsSymbols?: boolean;
  readonly findsSessions?: boolean;
  /** The two requests about contexts. */
  readonly findsContexts?: boolean;
  /** The client's command that triggers suggestions, to continue in a folder or with a setting's value. */
  readonly suggestCommand?: string;
}

export interface SessionFactsParams {
  /** URI of the prompt's document. */
  readonly uri: string;
  /** `null`: the document belongs to no session. */
  readonly facts: PromptFacts | null;
}

/** Facts about the session that a prompt is written for. */
export interface PromptFacts {
  /** Paths of the session's folders: its own first, then the additional ones (DIR-10). */
  readonly roots: readonly string[];
  /** The commands as last sent by the agent (CM-1). */
  readonly commands: readonly PromptCommand[];
  /** Absent if there are config options (MO-1). */
  readonly modes?: SessionModes;
  readonly configOptions: readonly ConfigOption[];
  /** Content types that the agent accepts in prompts (PR-2). */
  readonly takes: {
    readonly image: boolean;
    readonly audio: boolean;
    readonly embeddedContext: boolean;
  };
}

export interface PromptCommand {
  readonly name: string;
  readonly description: string;
  /** Describes the command's input. */
  readonly hint?: string;
}

export interface FindParams {
  /** URI of the prompt's document. */
  readonly uri: string;
  /** The text typed so far; may be empty. */
  readonly query: string;
  readonly limit: number;
}

export interface FoundFile {
  /** `file:` URI. */
  readonly uri: string;
  readonly isFolder: boolean;
}

export interface FoundSymbol {
  readonly name: string;
  /** `SymbolKind` of the Language Server Protocol. */
  readonly kind: number;
  readonly containerName?: string;
  /** `file:` URI. */
  readonly uri: string;
  /** 1-based. */
  readonly line: number;
}

/** A session that a prompt can be sent to. */
export interface FoundSession {
  readonly id: string;
  readonly title: string;
  /** The agent's title. */
  readonly agent: string;
}

/** What can be mentioned and isn't a file, such as the problems. */
export interface FoundContext {
  /** As it is written, with the `@`. */
  readonly mention: string;
  readonly name: string;
  readonly detail: string;
}

export interface ReadContextParams {
  /** URI of the prompt's document. */
  readonly uri: string;
  /** What is written after `@`. */
  readonly word: string;
}

/** What would be sent for a mention if it were now. */
export interface ContextText {
  readonly name: string;
  /** In bytes, of the whole text. */
  readonly size: number;
  /** The beginning; empty if there is nothing. */
  readonly text: string;
}

/** The problems of a prompt; used as the `code` of diagnostics. */
export type PromptProblem =
  | 'unknown-command'
  | 'mention-missing'
  | 'mention-outside'
  | 'image-missing'
  | 'image-outside'
  | 'image-type'
  | 'image-unsupported'
  | 'empty-prompt'
  | 'placeholder'
  | 'unclosed-comment'
  | 'unknown-setting'
  | 'unknown-value'
  | 'repeated-setting'
  | 'unreadable-setting'
  | 'too-large'
  | 'binary';

/** The `source` of every diagnostic. */
export const promptSource = 'acp-prompt';

/** Node options that keep the server process's memory use small, at no cost that the user would notice. */
export const promptServerNodeOptions: readonly string[] = [
  '--max-semi-space-size=2',
  '--max-old-space-size=512',
];
