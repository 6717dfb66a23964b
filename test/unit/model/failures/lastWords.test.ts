import assert from 'node:assert/strict';
import { lastWords, saysWhy } from '../../../../src/model/failures/lastWords';
import { npmLog, packageManagersWords } from './packageManagersWords';
import { programsWords } from './programsWords';

describe('the last words of a program', () => {
  for (const [name, [printed, words]] of Object.entries({
    ...packageManagersWords,
    ...programsWords,
  })) {
    it(`TR-6: are those that say why: ${name}`, () => {
      // The lines reach the error without those that are empty.
      const lines = printed.split('\n').filter((line) => line.trim() !== '');
      assert.equal(lastWords({ stderr: lines }), words);
      assert.equal(lastWords({ stdout: lines }), words);
    });
  }

  it('TR-6: are on stdout if that says why, and stderr doesn’t', () => {
    const stdout = ['gull 1.2.3', 'Error: You are not logged in. Run gull login'];
    for (const stderr of [
      [],
      ['npm warn deprecated glob@7.2.3: Glob versions prior to v9 are no longer supported'],
      ['(node:123) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.'],
      ['Loading configuration', 'exit status 1'],
    ]) {
      assert.equal(lastWords({ stderr, stdout }), stdout[1]);
      assert.ok(saysWhy({ stderr, stdout }));
    }
    const stderr = ['Error: no network'];
    assert.equal(lastWords({ stderr, stdout }), 'Error: no network');
  });

  it('TR-6: are the last lines if none says why, and none if there are none', () => {
    assert.equal(lastWords({ stderr: ['one', 'two', 'three'] }), 'two three');
    assert.equal(lastWords({ stderr: [npmLog.slice(0, 60)] }), '');
    assert.equal(lastWords({}), '');
    assert.ok(!saysWhy({ stdout: ['Welcome to the chat'] }));
  });

  it('TR-6: are found in time, whatever is printed', () => {
    for (const line of [
      ' '.repeat(1200),
      'Error: '.repeat(170),
      '    at x',
      "thread 'a' panicked at '".repeat(40),
      'npm error ',
      `${'a'.repeat(1000)} is not recognized as ,`,
      '× │ ╰─▶',
      'Caused by:',
      'goroutine 1('.repeat(90),
      'Traceback (most recent call last):',
    ]) {
      lastWords({ stderr: Array.from({ length: 100 }, () => line) });
    }
  });
});
