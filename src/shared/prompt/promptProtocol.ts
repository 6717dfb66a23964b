import type { ConfigOption, SessionModes } from '../transcript/config';

/**
 * The messages between the language server of prompts and its client, in addition to the Language Server Protocol. A
 * client may leave out all of them; then there are no commands and no modes, and files are those of the workspace's
 * folders.
 */

/** Client to server, a notification with `SessionFactsParams`, whenever they change, before or after opening. */
export const sessionFactsMethod = 'acp/session';
/** Server to client, a request with `FindParams` answered with `FoundFile[]`, the best first. */
export const findFilesMethod = 'acp/files';
/** Server to client, a request with `FindParams` answered with `FoundSymbol[]`, the best first. */
export const findSymbolsMethod = 'acp/symbols';

/** Server to client, a request with `FindParams` answered with `FoundSession[]`, the best first. */
export const findSessionsMethod = 'acp/sessions';

/** The client's `initializationOptions`: what it can be asked for. */
export interface PromptServerOptions {
  readonly findsFiles?: boolean;
  readonly findsSymbols?: boolean;
  readonly findsSessions?: boolean;
  /** The client's command that opens its suggestions, to continue in a folder or with a setting's value. */
  readonly suggestCommand?: string;
}

export interface SessionFactsParams {
  /** Of the prompt's document. */
  readonly uri: string;
  /** `null`: it belongs to no session. */
  readonly facts: SessionFacts | null;
}

/** The session that a prompt is written for. */
export interface SessionFacts {
  /** Paths of the folders that it works on: its own first, then additional ones (DIR-10). */
  readonly roots: readonly string[];
  /** As last sent (CM-1). */
  readonly commands: readonly PromptCommand[];
  /** Absent with any config options (MO-1). */
  readonly modes?: SessionModes;
  readonly configOptions: readonly ConfigOption[];
  /** What the agent takes in prompts (PR-2). */
  readonly takes: {
    readonly image: boolean;
    readonly audio: boolean;
    readonly embeddedContext: boolean;
  };
}

export interface PromptCommand {
  readonly name: string;
  readonly description: string;
  /** Describes what may follow the command. */
  readonly hint?: string;
}

export interface FindParams {
  /** Of the prompt's document. */
  readonly uri: string;
  /** What was typed so far; may be empty. */
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
  /** The title of the agent. */
  readonly agent: string;
}

/** What can be wrong with a prompt: the `code` of its diagnostic. */
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

/** `source` of every diagnostic. */
export const promptSource = 'acp-prompt';

/** Node options for the server's process that keep its memory small, at no cost that the user would notice. */
export const promptServerNodeOptions: readonly string[] = [
  '--max-semi-space-size=2',
  '--max-old-space-size=512',
];
