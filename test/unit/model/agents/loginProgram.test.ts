import assert from 'node:assert/strict';
import { describeProgram, loginProblem } from '../../../../src/model/agents/loginProgram';

describe('programs to log in with', () => {
  const login = { command: '/opt/copilot', args: ['login'], env: {} };

  it('AUTH-5: an ordinary one may be asked about', () => {
    assert.equal(loginProblem(login), undefined);
    assert.equal(loginProblem({ ...login, command: 'copilot' }), undefined);
    assert.equal(loginProblem({ args: ['--login'], env: { MODE: 'login' } }), undefined);
  });

  it('SEC-40: refuses a program that lies in the workspace or on a network by its name', () => {
    for (const command of [
      './run',
      'bin/run',
      '..',
      '.',
      '',
      '//host/run',
      '\\\\host\\run',
      'C:run',
    ]) {
      assert.match(loginProblem({ ...login, command }) ?? '', /absolute path/, command);
    }
  });

  it('refuses variables that change unseen what runs, the agent’s own program included', () => {
    for (const name of [
      'LD_PRELOAD',
      'NODE_OPTIONS',
      'Path',
      'BASH_ENV',
      'windir',
      'PSModulePath',
    ]) {
      const env = { [name]: '/tmp/evil' };
      assert.match(loginProblem({ ...login, env }) ?? '', new RegExp(name));
      assert.match(loginProblem({ args: [], env }) ?? '', new RegExp(name));
    }
  });

  it('refuses commands that are too long to read, and those that can’t be run', () => {
    const half = 'a'.repeat(494);
    assert.equal(loginProblem({ ...login, args: [half, half] }), undefined);
    assert.match(loginProblem({ ...login, args: [half.repeat(4)] }) ?? '', /longer than 1000/);
    assert.match(loginProblem({ ...login, env: { [half.repeat(4)]: '' } }) ?? '', /longer than/);
    assert.match(
      loginProblem({ ...login, args: ['a\0b'] }) ?? '',
      /invalid character or variable name/,
    );
    assert.match(
      loginProblem({ ...login, env: { 'A=B': 'c' } }) ?? '',
      /invalid character or variable name/,
    );
  });

  it('says all of the command literally, which program it is, and what the agent says of it', () => {
    const text = describeProgram({
      command: '/opt/link',
      args: ['log in', 'a\u202eb'],
      env: { MODE: 'x\ny' },
      realPath: '/opt/real',
      agentPath: '/opt/agent',
      description: 'Opens\n a page',
    });
    assert.match(text, /^It said: “Opens a page”\.\n\n/);
    assert.match(text, /^"MODE=x\\ny" \/opt\/link "log in" a⟨U\+202E⟩b$/m);
    assert.match(text, /link to \/opt\/real\./);
    assert.match(text, /not the agent’s own program \(\/opt\/agent\)/);
  });

  it('says when it is the agent’s own', () => {
    const own = { ...login, realPath: '/opt/copilot', agentPath: '/opt/copilot' };
    const text = describeProgram({ ...own, description: undefined });
    assert.equal(text, '/opt/copilot login\n\nIt is the program that also runs the agent.');
  });
});
