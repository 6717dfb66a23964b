import assert from 'node:assert/strict';
import {
  commandShell,
  isCommandLine,
  mustTakeLine,
  shellArguments,
  shellVariables,
} from '../../../../src/platform/terminals/commandShell';
import type { System } from '../../../../src/util/process/environment';

const cmd = 'C:\\Windows\\System32\\cmd.exe';
const windows: System = {
  platform: 'win32',
  environment: { SystemRoot: 'C:\\Windows', Path: 'C:\\nowhere' },
};

describe('the shell for command lines', () => {
  it('TE-2: Windows’ own is cmd.exe, by its whole path', async () => {
    assert.equal(await commandShell([], windows), cmd);
    assert.equal(await commandShell(['C:\\tools\\nu.exe'], windows), cmd);
  });

  it('TE-2, T-53: each gets the line as one text, word for word', () => {
    const line = 'echo "a b" & echo %X%';
    assert.deepEqual(shellArguments(cmd, line), {
      args: ['/d', '/s', '/c', `"${line}"`],
      isVerbatim: true,
    });
    assert.deepEqual(shellArguments('/usr/bin/pwsh', line).args.slice(-2), ['-Command', line]);
    assert.deepEqual(shellArguments('C:\\Program Files\\Git\\bin\\bash.exe', line), {
      args: ['-c', line],
      isVerbatim: false,
    });
    assert.deepEqual(shellArguments('/bin/zsh', '-x y').args, ['-c', ' -x y']);
  });

  it('TE-2: cmd.exe, which runs only one line and looks in its folder first, is kept from both', () => {
    assert.throws(() => mustTakeLine(cmd, 'dir\r\ndel x'), { code: 'invalidParams' });
    mustTakeLine('/bin/sh', 'ls\nls');
    assert.deepEqual(shellVariables(cmd), { NoDefaultCurrentDirectoryInExePath: '1' });
    assert.deepEqual(shellVariables('/bin/bash'), {});
  });

  it('TE-2: on Windows, what only the shell knows is a line; another machine isn’t asked', async () => {
    const isLine = (command: string, shell = cmd): Promise<boolean> =>
      isCommandLine({ command, args: [], cwd: 'C:\\w' }, shell, windows);
    for (const command of [
      'dir',
      'DIR',
      'echo hi',
      'npm test',
      '\\\\host\\share\\a b.exe',
      '%X%',
    ]) {
      assert.equal(await isLine(command), true, command);
    }
    assert.equal(await isLine('no-such-program'), false);
    assert.equal(await isLine('C:\\no\\such.exe'), false);
    assert.equal(await isLine('Get-ChildItem', 'C:\\x\\powershell.exe'), true);
  });
});
