import assert from 'node:assert/strict';
import { closeSync, constants, openSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { mock } from 'node:test';
import { CancellationToken, type Connection } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { hoverAt } from '../../../../../src/features/prompts/server/hover';
import { PromptSearch } from '../../../../../src/features/prompts/server/promptSearch';
import { parsePrompt } from '../../../../../src/shared/prompt/promptDocument';
import { posixOnly } from '../../../../support/posixOnly';
import { makePipe, remove, temporaryFolder } from '../../../model/files/hostileFiles';

describe('prompt server: hover', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder('hover');
    file = path.join(folder, 'a.ts');
  });
  afterEach(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
    // Releases a thread that waits for a writer.
    closeSync(openSync(file, constants.O_RDWR));
    remove(folder);
  });

  posixOnly('does not wait for a pipe that replaces a file after it was looked at', async () => {
    await fs.writeFile(file, 'one');
    const facts = await fs.stat(file);
    await fs.rm(file);
    makePipe(file);
    mock.method(fs, 'stat', () => Promise.resolve(facts));
    syncBuiltinESMExports();
    const text = '@a.ts';
    const prompt = {
      document: TextDocument.create('untitled:a', 'prompt', 1, text),
      content: parsePrompt(text),
      facts: undefined,
      roots: [folder],
    };
    // A file's hover asks the client for nothing.
    const search = new PromptSearch({} as Connection);
    const hover = await hoverAt(prompt, 1, search, false, CancellationToken.None);
    assert.deepEqual(hover?.contents, { kind: 'plaintext', value: `${file}\n3 bytes` });
  });
});
