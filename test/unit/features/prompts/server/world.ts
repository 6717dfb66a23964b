import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { PromptFacts } from '../../../../../src/shared/prompt/promptProtocol';
import { type ClientOptions, LanguageClient } from './languageClient';
import { ServerProcess } from './serverProcess';

/** The temporary folders and servers of one test; call `dispose` in `afterEach`. */
export class PromptWorld {
  readonly #folders: string[] = [];
  readonly #processes: ServerProcess[] = [];

  /** A folder with files, given by relative path. */
  async folder(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
    const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'prompt-server-')));
    this.#folders.push(folder);
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    return folder;
  }

  /** A client of a server in this process. */
  client(options?: ClientOptions): Promise<LanguageClient> {
    return LanguageClient.here(options);
  }

  /** A client of the shipped server, which is a process. */
  async process(options?: ClientOptions): Promise<ServerProcess> {
    const client = await ServerProcess.start(options);
    this.#processes.push(client);
    return client;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#processes.splice(0).map((client) => client.kill()));
    for (const folder of this.#folders.splice(0)) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

export function factsOf(facts: Partial<PromptFacts> = {}): PromptFacts {
  return {
    roots: [],
    commands: [],
    configOptions: [],
    takes: { image: true, audio: false, embeddedContext: true },
    ...facts,
  };
}
