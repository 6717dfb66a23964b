import assert from 'node:assert/strict';
import { isUnsafeBatch, isUnsafeBatchInTerminal } from '../../../../src/util/process/batchFiles';
import {
  killCommand,
  systemProgram,
  windowsFolders,
  windowsNames,
  windowsProgram,
} from '../../../../src/util/process/windowsPrograms';

const environment = { Path: 'C:\\Tools;"D:\\a;b";.;tools;C:\\node', PATHEXT: '.JS;.EXE;.CMD;.PS1' };

/** What is started if just these files are there. */
function start(
  command: string,
  files: readonly string[],
  args: readonly string[] = [],
  cwd = 'C:\\project',
): string {
  return windowsProgram({ command, args, cwd, environment }, (file) => files.includes(file));
}

describe('programs on Windows', () => {
  it('TR-3, SEC-131: a name is looked up on the PATH only, never in the folder where it starts', () => {
    const planted = ['C:\\project\\npx.cmd', 'C:\\project\\npx.exe', 'C:\\project\\tools\\npx.exe'];
    assert.throws(() => start('npx', planted), { code: 'ENOENT' });
    assert.equal(start('npx', [...planted, 'C:\\node\\npx.cmd']), 'C:\\node\\npx.cmd');
    assert.equal(start('npx', ['D:\\a;b\\npx.exe', 'C:\\node\\npx.cmd']), 'D:\\a;b\\npx.exe');
  });

  it('TR-3: a name may have an ending, and a dot in it that is none', () => {
    assert.equal(start('git.EXE', ['C:\\Tools\\git.EXE']), 'C:\\Tools\\git.EXE');
    assert.equal(start('python3.12', ['C:\\Tools\\python3.12.exe']), 'C:\\Tools\\python3.12.exe');
    assert.deepEqual(windowsNames('npx', environment), ['npx.exe', 'npx.cmd']);
    assert.deepEqual(windowsNames('npx', {}), ['npx.com', 'npx.exe', 'npx.bat', 'npx.cmd']);
  });

  it('TR-3: a path starts where it leads, with an ending if it has none', () => {
    assert.equal(
      start('.\\bin\\agent', ['C:\\project\\bin\\agent.exe']),
      'C:\\project\\bin\\agent.exe',
    );
    assert.equal(start('D:/agent.cmd', ['D:\\agent.cmd']), 'D:\\agent.cmd');
    assert.throws(() => start('D:\\agent', ['D:\\other.exe']), { code: 'ENOENT' });
  });

  it('never runs a stream in a file, nor what needs a guess to be opened', () => {
    assert.throws(() => start('a.txt:b.exe', ['C:\\project\\a.txt:b.exe']), { code: 'ENOENT' });
    for (const name of ['agent.js', 'agent.ps1', 'agent.txt', 'agent']) {
      assert.throws(() => start(`D:\\${name}`, [`D:\\${name}`]), /doesn't run/);
    }
  });

  it('the folders of a PATH are whole paths', () => {
    assert.deepEqual(windowsFolders(environment.Path), ['C:\\Tools', 'D:\\a;b', 'C:\\node']);
    assert.deepEqual(windowsFolders(';;'), []);
  });

  it('Windows’ own programs are named by their whole path', () => {
    assert.equal(
      systemProgram({ SystemRoot: 'D:\\Windows' }, 'taskkill.exe'),
      'D:\\Windows\\System32\\taskkill.exe',
    );
    for (const root of ['', '.', 'tools', '\\\\host\\share']) {
      assert.deepEqual(killCommand(42, { SystemRoot: root }), {
        command: 'C:\\Windows\\System32\\taskkill.exe',
        args: ['/pid', '42', '/T', '/F'],
      });
    }
  });
});

describe('batch files of Windows', () => {
  const npm = ['C:\\node\\npm.cmd'];

  for (const args of [
    ['%PATH:a=b%'],
    ['test', '%CMDCMDLINE:~-1%&calc.exe'],
    ['a\nb'],
    ['a\rb'],
    ['"&calc.exe'],
    ['a"b', 'x & calc.exe'],
    ['x | more', '"'],
    ['"', '^x'],
    ['"', ')'],
  ]) {
    it(`TE-2, SEC-131: don't get an argument that cmd.exe could run: ${JSON.stringify(args)}`, () => {
      assert.throws(() => start('npm', npm, args), /is a batch file/);
      // A program gets its arguments as they are.
      assert.equal(start('npm', ['C:\\node\\npm.exe'], args), 'C:\\node\\npm.exe');
    });
  }

  for (const args of [
    [],
    ['-y', '@google/gemini-cli@latest', '--acp'],
    ['-c', 'model="gpt"'],
    ['run', 'a & b'],
    ['C:\\Program Files (x86)\\a b'],
    ['--title=Größe!'],
  ]) {
    it(`TE-2: get arguments that cmd.exe passes on: ${JSON.stringify(args)}`, () => {
      assert.equal(start('npm', npm, args), npm[0]);
    });
  }

  it('have no variables in their own path', () => {
    assert.ok(isUnsafeBatch('C:\\%A:b=c%\\x.CMD', []));
    assert.ok(isUnsafeBatchInTerminal('C:\\%A%\\x.bat', []));
    assert.ok(isUnsafeBatchInTerminal('C:\\a&b\\x.bat', []));
  });

  it('AUTH-5: in a terminal get only arguments that need no quotes in cmd.exe', () => {
    const file = 'C:\\Program Files (x86)\\agent\\agent.cmd';
    assert.ok(!isUnsafeBatchInTerminal(file, ['login', '--device', 'a b', '--x=y']));
    for (const arg of ['a&b', 'a|b', '<a', '>a', '"', '%a%', '^', '(', '!', '\n']) {
      assert.ok(isUnsafeBatchInTerminal(file, ['login', arg]), arg);
      assert.ok(!isUnsafeBatchInTerminal('C:\\agent.exe', ['login', arg]), arg);
    }
  });
});
