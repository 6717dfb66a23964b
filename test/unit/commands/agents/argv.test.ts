import assert from 'node:assert/strict';
import { parseArgv, showArgv } from '../../../../src/commands/agents/argv';
import { fc } from '../../../support/properties';

describe('arguments typed in one line', () => {
  it('splits at white space and keeps quoted parts together', () => {
    const cases: [string, string[]][] = [
      ['', []],
      ['  ', []],
      ['--acp', ['--acp']],
      [' run  --acp\t-v ', ['run', '--acp', '-v']],
      ['--name "two words" x', ['--name', 'two words', 'x']],
      [`--name='it is "so"'`, ['--name=it is "so"']],
      [`"" ''`, ['', '']],
      ['C:\\Program\\agent.exe "C:\\a b\\"', ['C:\\Program\\agent.exe', 'C:\\a b\\']],
    ];
    for (const [line, list] of cases) {
      assert.deepEqual(parseArgv(line), { kind: 'arguments', list }, line);
    }
  });

  it('says which quote is not closed', () => {
    assert.deepEqual(parseArgv(`a "b`), { kind: 'unclosed', quote: '"' });
    assert.deepEqual(parseArgv(`a 'b" c`), { kind: 'unclosed', quote: "'" });
  });

  it('gives back every list without quotes when each argument is quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string().filter((text) => !text.includes('"'))), (list) => {
        const line = list.map((text) => `"${text}"`).join(' ');
        assert.deepEqual(parseArgv(line), { kind: 'arguments', list });
      }),
    );
  });

  it('shows a command with quotes only where they are needed', () => {
    assert.equal(
      showArgv(['npx', '--package=@a/b@1.0.0', '--', 'two words', '']),
      'npx --package=@a/b@1.0.0 -- "two words" ""',
    );
  });
});
