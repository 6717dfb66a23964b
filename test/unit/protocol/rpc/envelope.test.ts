import assert from 'node:assert/strict';
import { parseMessage } from '../../../../src/protocol/rpc/envelope';
import { fc } from '../../../support/properties';

describe('parseMessage', () => {
  const messages: readonly string[] = [
    '{"jsonrpc":"2.0","id":0,"method":"a"}',
    '{"jsonrpc":"2.0","id":"","method":"a","params":[1]}',
    '{"jsonrpc":"2.0","id":null,"method":"a"}',
    '{"jsonrpc":"2.0","method":"a","params":{}}',
    '{"jsonrpc":"2.0","id":-1,"result":null}',
    '{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":""}}',
    '  {"jsonrpc":"2.0","method":"a"}  ',
  ];
  for (const line of messages) {
    it(`ER-1, ER-2: is a message: ${line}`, () => {
      assert.deepEqual(parseMessage(line), JSON.parse(line));
    });
  }

  const noise: readonly string[] = [
    '',
    'Listening on stdio',
    '\u001b[32mWelcome\u001b[0m',
    'null',
    'true',
    '5',
    '"text"',
    '[]',
    '[{"jsonrpc":"2.0","method":"a"}]',
    '{}',
    '{',
    '{"level":"info","msg":"started"}',
    '{"jsonrpc":"1.0","id":1,"method":"a"}',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":{},"method":"a"}',
    '{"jsonrpc":"2.0","id":1e999,"method":"a"}',
    '{"jsonrpc":"2.0","id":1,"method":7}',
    '{"jsonrpc":"2.0","result":1}',
    'log: {"jsonrpc":"2.0","method":"a"}',
    '{"jsonrpc":"2.0","method":"a"} trailing',
  ];
  for (const line of noise) {
    it(`TR-7, T-30: is noise: ${JSON.stringify(line)}`, () => {
      assert.equal(parseMessage(line), undefined);
    });
  }

  it('T-30: a message right behind terminal sequences is not lost', () => {
    const line = '\u001b[?25l\u001b]0;agent\u0007\u001b[0m\r{"jsonrpc":"2.0","method":"a"}';
    assert.deepEqual(parseMessage(line), { jsonrpc: '2.0', method: 'a' });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((json) => `\u001b[${json}`),
        ),
        (line) => {
          parseMessage(line);
        },
      ),
    );
  });
});
