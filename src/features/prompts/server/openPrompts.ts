import path from 'node:path';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { pathOfFileUri } from '../../../model/files/fileUri';
import {
  maxPromptLength,
  type PromptDocument,
  parsePrompt,
} from '../../../shared/prompt/promptDocument';
import type { PromptCommand, PromptFacts } from '../../../shared/prompt/promptProtocol';
import { setNewest } from '../../../util/setNewest';

/** Maximum number of documents whose facts are kept. */
const maxFacts = 1_000;
const looksBinary = /\0/;
const sniffed = 8_000;

/** A snapshot of an open document and what is known about its session. */
export interface Prompt {
  readonly document: TextDocument;
  readonly content: PromptDocument;
  readonly facts: PromptFacts | undefined;
  /** Folders that its paths are relative to; if empty, its files aren't checked. */
  readonly roots: readonly string[];
}

/** Why a document isn't parsed. */
export type Unreadable = 'too-large' | 'binary';

export interface OpenDocuments {
  get(uri: string): TextDocument | undefined;
  keys(): string[];
}

/** The open prompts; each version is parsed once. */
export class OpenPrompts {
  /** The workspace folders, used for prompts without a session. */
  workspaceFolders: readonly string[] = [];
  readonly #documents: OpenDocuments;
  readonly #facts = new Map<string, PromptFacts>();
  readonly #read = new Map<
    string,
    { readonly version: number; readonly content: PromptDocument }
  >();

  constructor(documents: OpenDocuments) {
    this.#documents = documents;
  }

  get all(): readonly Prompt[] {
    return this.#documents.keys().flatMap((uri) => this.get(uri) ?? []);
  }

  get(uri: string): Prompt | undefined {
    const document = this.#documents.get(uri);
    if (!document || unreadable(document) !== undefined) {
      return undefined;
    }
    let read = this.#read.get(uri);
    if (read?.version !== document.version) {
      read = { version: document.version, content: parsePrompt(document.getText()) };
      this.#read.set(uri, read);
    }
    const facts = this.#facts.get(uri);
    return { document, content: read.content, facts, roots: this.#getRoots(uri, facts) };
  }

  setFacts(uri: string, facts: PromptFacts | undefined): void {
    if (facts === undefined) {
      this.#facts.delete(uri);
    } else {
      setNewest(this.#facts, uri, facts, maxFacts);
    }
  }

  /** Drops the parsed content: a document that is opened again may start with any version number. */
  forget(uri: string): void {
    this.#read.delete(uri);
  }

  #getRoots(uri: string, facts: PromptFacts | undefined): readonly string[] {
    if (facts !== undefined) {
      return facts.roots;
    }
    return this.workspaceFolders.length > 0 ? this.workspaceFolders : getFolder(uri);
  }
}

/** The session's command with this name. */
export function findCommand({ facts }: Prompt, name: string): PromptCommand | undefined {
  return facts?.commands.find((command) => command.name === name);
}

export function unreadable(document: TextDocument): Unreadable | undefined {
  const text = document.getText();
  if (text.length > maxPromptLength) {
    return 'too-large';
  }
  return looksBinary.test(text.slice(0, sniffed)) ? 'binary' : undefined;
}

function getFolder(uri: string): readonly string[] {
  const file = pathOfFileUri(uri);
  return file === undefined ? [] : [path.dirname(file)];
}
