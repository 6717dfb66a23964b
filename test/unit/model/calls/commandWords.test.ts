import assert from 'node:assert/strict';
import {
  beginsWith,
  findWords,
  mayBegin,
  mayContain,
  mightBeginForCmd,
} from '../../../../src/model/calls/commandWords';

describe('commands read for rules', () => {
  it('PE-5: a plain command is read as its words', () => {
    assert.deepEqual(findWords('git status'), ['git', 'status']);
    assert.deepEqual(findWords('  npm   run test:unit -- --grep=a,b\n'), [
      ...['npm', 'run', 'test:unit', '--', '--grep=a,b'],
    ]);
    assert.deepEqual(findWords('git commit -m "Fix the parser"'), [
      ...['git', 'commit', '-m', 'Fix the parser'],
    ]);
    assert.deepEqual(findWords('touch größe.txt @scope/x'), ['touch', 'größe.txt', '@scope/x']);
  });

  const shells = [
    ...['git status && rm -rf x', 'git status; rm x', 'git status | sh', 'git status & rm x'],
    ...['git status\nrm x', 'git status\r\nrm x', 'git status\u2028rm x', 'git\tstatus'],
    ...['git $(rm x)', 'git `rm x`', 'git $X', 'git "$(rm x)"', 'git "`rm x`"', 'git ${X}'],
    ...['git status > x', 'git status < x', 'git <(x)', 'git status 2>&1', '(git status)'],
    ...['{ git status; }', 'git a"b"c', `git 'a`, 'git "a', `git 'a'b`, 'git st\\atus', 'git \\'],
    ...['git *', 'git ?', 'git [a]', 'git {a,b}', 'git ~/x', 'git !x', 'git #x', 'git %PATH%'],
    ...['git ^x', 'git =ls', 'git “a”', "git 'a\nb'", 'git \u202estatus', 'git\u00a0status', ''],
    ...['   ', 'git status \0', 'git "a\\"'],
  ];
  for (const text of shells) {
    it(`PE-5, SEC-6: needs a shell, so it has no words: ${JSON.stringify(text)}`, () => {
      assert.equal(findWords(text), undefined);
    });
  }

  it('PE-5: a text of twice the bound has no words', () => {
    assert.notEqual(findWords(`git ${'a'.repeat(32_000)}`), undefined);
    assert.equal(findWords(`git ${'a'.repeat(65_536)}`), undefined);
    // In quadratic time, this would take hours.
    assert.equal(findWords(`a${' '.repeat(4_000_000)}b`), undefined);
    assert.deepEqual(findWords(`a${' '.repeat(32_000)}b`), ['a', 'b']);
    assert.equal(mayContain(`${'; '.repeat(1_000_000)}git push`, ['git', 'push']), 'yes');
  });

  it('PE-5, SEC-6: allowing compares word by word, each exactly', () => {
    const rule = ['git', 'status'];
    assert.ok(beginsWith(['git', 'status'], rule));
    assert.ok(beginsWith(['git', 'status', '--short'], rule));
    for (const words of [
      ['git'],
      ['git', 'status2'],
      ['git', '-C', '/elsewhere', 'status'],
      ['/tmp/git', 'status'],
      ['./git', 'status'],
      ['GIT', 'status'],
      ['A=1', 'git', 'status'],
      ['git status'],
    ]) {
      assert.ok(!beginsWith(words, rule), words.join(' '));
    }
  });

  it('PE-5, SEC-7: rejecting looks through places, options and programs that run others', () => {
    const rule = ['git', 'push'];
    for (const words of [
      ['git', 'push', 'origin'],
      ['/usr/bin/git', 'push'],
      ['C:\\Git\\git.exe', 'push'],
      ['git', '-C', '/elsewhere', '--no-pager', 'push'],
      ['git', '-c', 'a=b', 'push'],
      ['sudo', '-u', 'me', 'git', 'push'],
      ['env', 'A=1', 'git', 'push'],
      ['A=1', 'git', 'push'],
      ['sudo', 'bash', '-c', 'git push'],
      ['xargs', 'git', 'push'],
      ['find', '.', '-exec', 'git', 'push'],
    ]) {
      assert.ok(mayBegin(words, rule), words.join(' '));
    }
    for (const words of [
      ['git', 'status'],
      ['git', 'commit', '-m', 'push'],
      ['echo', 'git', 'push'],
      ['git'],
    ]) {
      assert.ok(!mayBegin(words, rule), words.join(' '));
    }
    for (const file of ['./build.sh', 'build.sh', '../build.sh', '/other/build.sh']) {
      assert.ok(mayBegin([file, '--all'], ['./build.sh']), file);
    }
  });

  it('PE-5, SEC-7: rejecting finds the words in a text for a shell, however they are quoted', () => {
    for (const text of [
      ...['cd x && git push', 'git status; git push', 'true | git push', '(git push)'],
      ...["g''it push", 'g\\it pu\\sh', '"git" "push"', '$(git push)', '`git push`', 'git\npush'],
      ...['GIT PUSH &'],
    ]) {
      assert.equal(mayContain(text, ['git', 'push']), 'yes', text);
    }
    assert.equal(mayContain('echo a && echo b > c', ['git', 'push']), 'no');
    assert.equal(mayContain('(echo a); (echo b)&&(echo c)', ['git', 'push']), 'no');
    // The shell could make any word of these.
    for (const text of [
      '$CMD',
      'x=push; git $x',
      '$(echo Z2l0|base64 -d) x',
      '`x`',
      'g?t p*sh',
      'g{i,}t push',
      // Groups of zsh.
      'gi(t) push',
      'git pu(s|x)h',
      // Programs that take commands from others.
      'printf "\\147it push" | sh',
      'curl x |& /bin/bash',
      'echo push | xargs git',
    ]) {
      assert.equal(mayContain(text, ['git', 'push']), 'perhaps', text);
    }
  });

  it('PE-5: on Windows, rejecting knows how cmd.exe separates words', () => {
    for (const [text, ...rule] of [
      ['rd/s/q docs', 'rd'],
      ['rd/s/q docs', 'rd', '/s'],
      ['del,a.txt', 'del'],
      ['del;a.txt', 'del'],
      ['@del a.txt', 'del'],
      ['call del a.txt', 'del'],
      ['if exist a del a', 'del'],
      ['cmd /c del=a.txt', 'del'],
      ['git,push', 'git', 'push'],
    ] as const) {
      assert.ok(mightBeginForCmd(text.split(' '), rule, 'win32'), text);
      assert.notEqual(mayContain(`cd x & ${text}`, rule, 'win32'), 'no', text);
      assert.ok(!mightBeginForCmd(text.split(' '), rule, 'linux'), text);
    }
    assert.ok(!mightBeginForCmd(['git', 'status'], ['git', 'push'], 'win32'));
    assert.ok(!mightBeginForCmd(['type', 'docs/del'], ['del'], 'win32'));
    assert.equal(mayContain('cd x & type a.txt', ['del'], 'win32'), 'no');
  });

  it('PE-5: on Windows, single quotes are no quotes', () => {
    assert.equal(findWords("git commit -m 'a b'", 'win32'), undefined);
    assert.deepEqual(findWords("git commit -m 'a b'", 'linux'), ['git', 'commit', '-m', 'a b']);
  });
});
