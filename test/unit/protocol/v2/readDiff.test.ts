import assert from 'node:assert/strict';
import { toolField } from './normalised';

/** What a call shows of a diff. */
function read(changes: unknown, lines?: readonly string[], format = 'git_patch'): unknown {
  const patch = lines && { format, text: lines.map((line) => `${line}\n`).join('') };
  return toolField('content', [{ type: 'diff', changes, patch }]);
}

function change(operation: string, path = '/w/a', more: object = {}): object {
  return { operation, path, ...more };
}

function fileChange(operation: string, path = '/w/a', more: object = {}): object {
  return { type: 'fileChange', operation, path, ...more };
}

function diff(oldText: string | null, newText: string, path = '/w/a'): object {
  return { type: 'diff', path, oldText, newText };
}

/** A section of a patch for a file that stays where it is. */
function section(lines: readonly string[], path = '/w/a'): readonly string[] {
  return [
    `diff --git ${path} ${path}`,
    'index 1..2 100644',
    `--- ${path}`,
    `+++ ${path}`,
    ...lines,
  ];
}

describe('diffs of version 2', () => {
  it('without a patch, changes say everything (V2-DIFF-1 to V2-DIFF-3)', () => {
    const changes = [
      change('add', '/w/a', { fileType: 'text' }),
      change('delete', '/w/b', { fileType: 'binary', mimeType: 'image/png' }),
      change('modify', '/w/c', { fileType: 'future' }),
      change('move', '/w/d', { oldPath: '/w/e', fileType: 'directory' }),
      change('copy', '/w/f', { oldPath: '/w/e', fileType: 'symlink' }),
      change('_swap', '/w/g', { fileType: null }),
    ];
    const read6 = [
      fileChange('add', '/w/a', { fileType: 'text' }),
      fileChange('delete', '/w/b', { fileType: 'binary' }),
      fileChange('modify', '/w/c'),
      fileChange('move', '/w/d', { oldPath: '/w/e', fileType: 'directory' }),
      fileChange('copy', '/w/f', { oldPath: '/w/e', fileType: 'symlink' }),
      fileChange('other', '/w/g'),
    ];
    assert.deepEqual(read(changes), read6);
    const section0 = section(['@@ -1 +1 @@', '-a', '+b']);
    assert.deepEqual(read(changes, section0, '_vendor'), read6);
    assert.deepEqual(read(changes, ['anything']), read6);
    assert.deepEqual(
      toolField('content', [{ type: 'diff', changes, patch: { format: 'git_patch', text: 7 } }]),
      read6,
    );
  });

  it('changes without a path are left out; with none that can be read, a placeholder stays (V2-DIFF-6)', () => {
    assert.deepEqual(read([null, 7, { operation: 'add' }, change('delete')]), [
      fileChange('delete'),
    ]);
    assert.deepEqual(read([]), []);
    for (const changes of [undefined, null, 'x', [null]]) {
      const raw = JSON.stringify({ type: 'diff', changes }, undefined, 2);
      assert.deepEqual(read(changes), [
        { type: 'content', block: { type: 'unknown', label: 'diff', raw } },
      ]);
    }
    const earlier = { ...diff('a', 'b'), _meta: {} };
    assert.deepEqual(toolField('content', [earlier]), [diff('a', 'b')]);
  });

  it('each hunk of a modified text is one of its own (V2-DIFF-4)', () => {
    const lines = section([
      '@@ -1,3 +1,3 @@ function f() {',
      ' one',
      '--- two',
      '+++ two',
      ' ',
      '@@ -9 +9,2 @@',
      '-nine',
      '\\ No newline at end of file',
      '+nine',
      '+ten',
      '\\ No newline at end of file',
    ]);
    assert.deepEqual(read([change('modify')], lines), [
      diff('one\n-- two\n\n', 'one\n++ two\n\n'),
      diff('nine', 'nine\nten'),
    ]);
  });

  it('an added text has none before, a deleted one none after (V2-DIFF-2)', () => {
    const added = ['diff --git /w/a /w/a', 'new file mode 100644', 'index 0..1'];
    const hunk = ['--- /dev/null', '+++ /w/a', '@@ -0,0 +1 @@', '+x'];
    assert.deepEqual(read([change('add')], [...added, ...hunk]), [diff(null, 'x\n')]);
    assert.deepEqual(read([change('add')], added), [fileChange('add')]);
    const deleted = ['diff --git /w/a /w/a', 'deleted file mode 100644', 'index 1..0'];
    const rest = ['--- /w/a', '+++ /dev/null', '@@ -1 +0,0 @@', '-x'];
    assert.deepEqual(read([change('delete')], [...deleted, ...rest]), [
      fileChange('delete'),
      diff('x\n', ''),
    ]);
  });

  it('moves and copies, with and without hunks (V2-DIFF-2)', () => {
    const moved = change('move', '/w/b c', { oldPath: '/w/a' });
    const head = ['diff --git /w/a /w/b c', 'similarity index 90%', 'rename from /w/a'];
    const to = [...head, 'rename to /w/b c'];
    const hunk = ['--- /w/a', '+++ /w/b c\t', '@@ -1 +1 @@', '-x', '+y'];
    const read1 = fileChange('move', '/w/b c', { oldPath: '/w/a' });
    assert.deepEqual(read([moved], to), [read1]);
    assert.deepEqual(read([moved], [...to, ...hunk]), [read1, diff('x\n', 'y\n', '/w/b c')]);
    const copied = change('copy', '/w/b', { oldPath: '/w/a' });
    assert.deepEqual(
      read([copied], ['diff --git /w/a /w/b', 'copy from /w/a', 'copy to /w/b', 'index 1..2']),
      [fileChange('copy', '/w/b', { oldPath: '/w/a' })],
    );
  });

  it('binary files, links and modes, also if only the patch tells (V2-DIFF-5)', () => {
    const binary = ['diff --git /w/a /w/a', 'index 1..2 100644'];
    const git = [
      'GIT binary patch',
      'literal 3',
      'KcmZQzU|?lr',
      '',
      'literal 0',
      'HcmV?d00001',
      '',
    ];
    for (const how of [['Binary files /w/a and /w/a differ'], git]) {
      assert.deepEqual(
        read(
          [change('modify'), change('modify', '/w/b')],
          [...binary, ...how, ...section(['@@ -1 +1 @@', '-x', '+y'], '/w/b')],
        ),
        [fileChange('modify', '/w/a', { fileType: 'binary' }), diff('x\n', 'y\n', '/w/b')],
      );
    }
    const mode = ['diff --git /w/a /w/a', 'old mode 100644', 'new mode 100755'];
    assert.deepEqual(read([change('modify')], mode), [fileChange('modify')]);
    const link = section(['@@ -1 +1 @@', '-x', '\\ No newline', '+y', '\\ No newline']);
    const linked = link.map((line) => line.replace('100644', '120000'));
    assert.deepEqual(read([change('modify')], linked), [
      fileChange('modify', '/w/a', { fileType: 'symlink' }),
      diff('x', 'y'),
    ]);
  });

  it('a file that becomes a link, as one change or as two (V2-DIFF-5)', () => {
    const lines = [
      ...['diff --git /w/a /w/a', 'deleted file mode 100644', '--- /w/a', '+++ /dev/null'],
      ...['@@ -1 +0,0 @@', '-x', 'diff --git /w/a /w/a', 'new file mode 120000', '--- /dev/null'],
      ...['+++ /w/a', '@@ -0,0 +1 @@', '+y', '\\ No newline at end of file'],
    ];
    const fileType = 'symlink';
    assert.deepEqual(read([change('modify')], lines), [
      fileChange('modify', '/w/a', { fileType }),
      diff('x\n', ''),
      diff('', 'y'),
    ]);
    assert.deepEqual(read([change('delete'), change('add')], lines), [
      fileChange('delete'),
      diff('x\n', ''),
      fileChange('add', '/w/a', { fileType }),
      diff(null, 'y'),
    ]);
  });

  it('paths are unquoted as Git quotes them, and may have its prefixes (V2-DIFF-4)', () => {
    const hunk = ['@@ -1 +1 @@', '-x', '+y'];
    const quoted: readonly (readonly [string, string])[] = [
      ['"/w/\\303\\244 \\346\\227\\245"', '/w/ä 日'],
      ['"/w/\\a\\b\\t\\n\\v\\f\\r\\"\\\\"', '/w/\x07\b\t\n\v\f\r"\\'],
      ['"C:\\\\w\\\\a"', 'C:\\w\\a'],
      ['/w/ä 日', '/w/ä 日'],
      ['/w/ a  b ', '/w/ a  b '],
    ];
    for (const [name, path] of quoted) {
      const header = [`diff --git ${name} ${name}`];
      const sides = [`--- ${name}`, `+++ ${name}`];
      const expected = [diff('x\n', 'y\n', path)];
      assert.deepEqual(read([change('modify', path)], [...header, ...sides, ...hunk]), expected);
      assert.deepEqual(read([change('modify', path)], [...header, ...hunk]), expected);
    }
    for (const [left, right] of [
      ['a//w/a', 'b//w/a'],
      ['a/w/a', 'b/w/a'],
      ['"a/w/\\141"', '"b/w/\\141"'],
    ]) {
      const header = `diff --git ${left} ${right}`;
      assert.deepEqual(read([change('modify')], [header, ...hunk]), [diff('x\n', 'y\n')]);
      assert.deepEqual(read([change('modify')], [header, `--- ${left}`, `+++ ${right}`, ...hunk]), [
        diff('x\n', 'y\n'),
      ]);
    }
    const broken = [
      'diff --git "/w/a "/w/a',
      ...hunk,
      'diff --git',
      'diff --git /w/a /w/b',
      ...hunk,
    ];
    assert.deepEqual(read([change('modify')], broken), [fileChange('modify')]);
  });

  it('a patch may have some of the changes, and others that don’t count (V2-DIFF-1)', () => {
    const hunk = ['@@ -1 +1 @@', '-x', '+y'];
    const lines = [
      ...['From 1234 Mon Sep 17', 'Subject: a patch', ''],
      ...section(hunk, '/w/strange'),
      ...section(hunk, '/w/b'),
    ];
    assert.deepEqual(read([change('modify'), change('modify', '/w/b')], lines), [
      fileChange('modify'),
      diff('x\n', 'y\n', '/w/b'),
    ]);
  });

  it('line ends of the file stay, those of a converted patch don’t (V2-DIFF-4)', () => {
    const hunk = ['@@ -1,2 +1,2 @@', '-x\r', ' \r', '+y\r'];
    assert.deepEqual(read([change('modify')], section(hunk)), [diff('x\r\n\r\n', '\r\ny\r\n')]);
    const converted = section(['@@ -1,2 +1,2 @@', '-x', '', '+y']).map((line) => `${line}\r`);
    assert.deepEqual(read([change('modify')], converted), [diff('x\n\n', '\ny\n')]);
  });

  it('a hunk that is cut short or counted wrong costs no other (V2-DIFF-3)', () => {
    const lines = [
      ...section([
        '@@ -1,9 +1,9 @@',
        '-x',
        '+y',
        '@@ nonsense @@',
        '-n',
        '@@ -1 +1 @@',
        '-a',
        '+b',
        '+c',
      ]),
      ...section(['@@ -1,3 +1,3 @@', ' x'], '/w/b'),
    ];
    const changes = [change('modify'), change('modify', '/w/b')];
    assert.deepEqual(read(changes, lines), [
      diff('x\n', 'y\n'),
      diff('n\n', ''),
      diff('a\n', 'b\nc\n'),
      diff('x\n', 'x\n', '/w/b'),
    ]);
  });

  it('SEC-89: a patch of very many lines is read as a whole (V2-DIFF-4)', () => {
    const count = 100_000;
    const lines = Array.from({ length: count }, (_, at) => `${at % 10}`);
    const head = [`@@ -1,${count} +1,${count} @@`];
    const content = read(
      [change('modify')],
      [...section(head), ...lines.map((line) => `-${line}`), ...lines.map((line) => `+${line}`)],
    ) as { oldText: string; newText: string }[];
    const whole = `${lines.join('\n')}\n`;
    assert.ok(content[0]?.oldText === whole && content[0].newText === whole);
  });
});
