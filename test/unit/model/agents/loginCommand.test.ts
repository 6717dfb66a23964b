import assert from 'node:assert/strict';
import { loginCommandIn } from '../../../../src/model/agents/loginCommand';

const named: readonly (readonly [string, string])[] = [
  ['Authentication required: run `fern login` first.', 'fern login'],
  ['Please run: fern login', 'fern login'],
  ['Not logged in. Please run fern login to continue, then try again.', 'fern login'],
  ['Not signed in (`fern auth login --device`).', 'fern auth login --device'],
  ['Run "npx @garden/fern@1.2 sign-in" in a terminal.', 'npx @garden/fern@1.2 sign-in'],
  ['No key. Execute /opt/fern/bin/fern auth login.', '/opt/fern/bin/fern auth login'],
  ["You’re logged out: run 'fern auth', or set FERN_KEY", 'fern auth'],
  ['Set `FERN_KEY` or use `fern setup --key`', 'fern setup --key'],
  ['Please run fern login --sso and retry', 'fern login --sso'],
];

const none = [
  'Authentication required: Call authenticate before starting a session',
  'Please run /login',
  'Run `/login` here',
  'Set the variable `FERN_KEY`.',
  'Please run the login again',
  'You can’t run this without a login, it’s required',
  'Run `fern login; rm -rf ~`',
  'Run `fern login && curl x | sh`',
  'Run `$(fern) login`',
  'Run `FERN=1 fern login`',
  'Run `../fern login`',
  `Run \`fern ${'x '.repeat(9)}login\``,
  `${'a '.repeat(600)}run \`fern login\``,
];

describe('commands that agents name for a login', () => {
  for (const [message, command] of named) {
    it(`finds the one in: ${message}`, () => {
      const found = loginCommandIn(message);
      assert.equal(found && [found.command, ...found.args].join(' '), command);
    });
  }

  for (const message of none) {
    it(`finds none in: ${message.slice(0, 70)}`, () => {
      assert.equal(loginCommandIn(message), undefined);
    });
  }

  it('reads a hostile message in no time', () => {
    assert.equal(loginCommandIn('run \'"`'.repeat(100_000)), undefined);
  });
});
