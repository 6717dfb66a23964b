import assert from 'node:assert/strict';
import {
  ranCommandName,
  ranCommandText,
} from '../../../../../src/features/context/model/ranCommand';

const command = {
  line: 'npm test',
  folder: undefined,
  end: 'unknown',
  output: '',
  isCut: false,
} as const;

describe('the text of a command that ran', () => {
  it('has the line, what the shell told of it, and the output as it looked', () => {
    const output =
      '\u001b]633;C\u0007\u001b[31m1 failing\u001b[0m\r\n  at a.ts:3\r\n50%\r100%\r\n\u001b]633;D;1\u0007';
    assert.equal(
      ranCommandText({ ...command, folder: '/work', end: 1, output }),
      '$ npm test\n(in /work, exit code 1)\n\n1 failing\n  at a.ts:3\n100%',
    );
    assert.equal(ranCommandText({ ...command, output: 'a' }), '$ npm test\n\na');
    assert.match(ranCommandText({ ...command, end: 'running' }), /^\$ npm test\n\(still running\)/);
    assert.match(ranCommandText(command), /^\$ npm test\n\n\(no output/);
    assert.match(ranCommandText({ ...command, output: 'b', isCut: true }), /only the end.*\nb$/);
  });

  it('SEC-231: has nothing that looks like a secret, in the line or in the output', () => {
    const token = `ghp_${'aB3'.repeat(12)}`;
    const line = `curl -H "Authorization: Bearer ${token}" https://me:hunter2secret@example.org`;
    const output = `export API_KEY=${token}\r\n\u001b[32mdone\u001b[0m`;
    for (const text of [ranCommandText({ ...command, line, output }), ranCommandName({ line })]) {
      assert.doesNotMatch(text, /ghp_|hunter2/);
    }
    assert.match(ranCommandText({ ...command, line, output }), /done$/);
  });

  it('has a short name in one line', () => {
    assert.equal(ranCommandName({ line: 'cat <<E\n  hello' }), 'cat <<E hello');
    assert.equal(ranCommandName({ line: 'x '.repeat(100) }).length, 61);
  });
});
