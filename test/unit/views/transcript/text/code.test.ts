import assert from 'node:assert/strict';
import { findLanguageId } from '../../../../../src/views/transcript/rows/languageIds';

describe('the language of code that is opened', () => {
  it('is the one that the agent named, in VS Code’s word', () => {
    const known = ['typescript', 'shellscript', 'python', 'plaintext'];
    const names = ['ts', 'TypeScript', 'sh', 'py', 'txt', 'brainfuck', ''];
    assert.deepEqual(
      names.map((name) => findLanguageId(name, known)),
      ['typescript', 'typescript', 'shellscript', 'python', 'plaintext', undefined, undefined],
    );
  });
});
