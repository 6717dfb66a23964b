import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Diff, FileChange, ToolContent } from '../../../../src/shared/transcript/content';
import { posixOnly } from '../../../support/posixOnly';
import { toolField } from './normalised';

const lines = (...words: string[]): string => words.map((word) => `${word}\n`).join('');
const long = (word: string): string =>
  lines(...Array.from({ length: 60 }, (_, at) => (at % 25 === 5 ? `${word} ${at}` : `line ${at}`)));

/** Files by name, before and after; `undefined` where there is none. */
const texts: Readonly<Record<string, readonly [string | undefined, string | undefined]>> = {
  plain: [long('old'), long('new')],
  'with space ': [lines('a', '', 'b'), lines('a', '', 'c')],
  'ümlaut 日本': [lines('ä'), lines('ä', '日本')],
  'quote"\\back': ['x', 'y\n'],
  'tab\tand\nnewline': [lines('-- a', '++ b'), lines('+ a', '@@ -1 +1 @@', 'diff --git a b')],
  returns: ['a\r\nb\r\n', 'a\r\nc\r\n'],
  'no end': [lines('a', 'b').trimEnd(), lines('a', 'c').trimEnd()],
  added: [undefined, lines('new')],
  'added empty': [undefined, ''],
  emptied: [lines('gone'), ''],
  'deleted b/b': [lines('gone', 'too'), undefined],
};

describe('diffs that Git writes', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'acp-git-patch-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  const at = (name: string): string => path.join(folder, name);

  function git(...args: string[]): string {
    const config = [
      'user.name=A',
      'user.email=a@example.com',
      'core.autocrlf=false',
      'init.defaultBranch=main',
    ];
    const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: os.devNull };
    const given = config.flatMap((each) => ['-c', each]);
    return execFileSync('git', [...given, ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  }

  /** The files as they are before or after. */
  function write(side: 0 | 1): void {
    for (const [name, sides] of Object.entries(texts)) {
      const text = sides[side];
      if (text === undefined) {
        fs.rmSync(at(name), { force: true });
      } else {
        fs.mkdirSync(path.dirname(at(name)), { recursive: true });
        fs.writeFileSync(at(name), text);
      }
    }
  }

  /** Makes further changes, which aren't of texts alone; returns them as version 2 words them. */
  function changeMore(): readonly object[] {
    fs.renameSync(at('from'), at('to "1"'));
    fs.renameSync(at('from with hunks'), at('to ü'));
    fs.writeFileSync(at('to ü'), long('second'));
    fs.copyFileSync(at('origin'), at('copy of it'));
    fs.writeFileSync(at('binary'), Buffer.from([0, 1, 2, 3]));
    fs.chmodSync(at('script'), 0o755);
    fs.symlinkSync('plain', at('link'));
    fs.rmSync(at('becomes link'));
    fs.symlinkSync('plain', at('becomes link'));
    return [
      { operation: 'move', path: at('to "1"'), oldPath: at('from') },
      { operation: 'move', path: at('to ü'), oldPath: at('from with hunks') },
      { operation: 'copy', path: at('copy of it'), oldPath: at('origin') },
      { operation: 'modify', path: at('binary') },
      { operation: 'modify', path: at('script') },
      { operation: 'add', path: at('link') },
      { operation: 'modify', path: at('becomes link') },
    ];
  }

  /** The patch as version 2 asks for it: every path is absolute and has no prefix. */
  function patch(...options: string[]): string {
    const prefix = `${folder}/`;
    const given = [`--src-prefix=${prefix}`, `--dst-prefix=${prefix}`, ...options];
    return git('diff', '-M', '-C', '--find-copies-harder', ...given, 'HEAD').replace(
      /^((?:rename|copy) (?:from|to) "?)/gm,
      `$1${prefix}`,
    );
  }

  function changesOfTexts(): readonly object[] {
    return Object.entries(texts).map(([name, [before, after]]) => ({
      operation: before === undefined ? 'add' : after === undefined ? 'delete' : 'modify',
      path: at(name),
      fileType: 'text',
    }));
  }

  function read(changes: readonly object[], text: string): readonly ToolContent[] {
    const patchOf = { format: 'git_patch', text };
    const content = toolField('content', [{ type: 'diff', changes, patch: patchOf }]);
    return content as readonly ToolContent[];
  }

  function ofFile<T extends 'diff' | 'fileChange'>(
    content: readonly ToolContent[],
    type: T,
    name: string,
  ): readonly (T extends 'diff' ? Diff : FileChange)[] {
    return content.filter(
      (item): item is (T extends 'diff' ? Diff : FileChange) & ToolContent =>
        item.type === type && 'path' in item && item.path === at(name),
    );
  }

  function prepare(): readonly object[] {
    git('init');
    write(0);
    fs.writeFileSync(at('from'), long('one'));
    fs.writeFileSync(at('from with hunks'), long('first'));
    fs.writeFileSync(at('origin'), long('origin'));
    fs.writeFileSync(at('binary'), Buffer.from([0, 1, 2]));
    fs.writeFileSync(at('script'), lines('run'));
    fs.writeFileSync(at('becomes link'), lines('text'));
    git('add', '-A');
    git('commit', '-m', 'First');
    write(1);
    const more = changeMore();
    git('add', '-A', '-N');
    return [...changesOfTexts(), ...more];
  }

  posixOnly('are read as the files are before and after (V2-DIFF-2, V2-DIFF-4, V2-DIFF-5)', () => {
    const changes = prepare();
    for (const options of [['-U100000'], ['-U100000', '--binary'], ['-U100000', '--full-index']]) {
      const content = read(changes, patch(...options));
      for (const [name, [before, after]] of Object.entries(texts)) {
        const diffs = ofFile(content, 'diff', name).map(({ oldText, newText }) => [
          oldText,
          newText,
        ]);
        const hasTexts = (before ?? '') !== (after ?? '');
        const expected = [before === undefined ? null : before, after ?? ''];
        assert.deepEqual(diffs, hasTexts ? [expected] : [], name);
        const isTold = hasTexts && after !== undefined;
        assert.equal(ofFile(content, 'fileChange', name).length, isTold ? 0 : 1, name);
      }
      const told = content.filter((item) => item.type === 'fileChange');
      const more = told.filter(({ path: each }) => !(path.relative(folder, each) in texts));
      assert.deepEqual(
        more.map(({ operation, path: each, fileType }) => [
          operation,
          path.basename(each),
          fileType,
        ]),
        [
          ['move', 'to "1"', undefined],
          ['move', 'to ü', undefined],
          ['copy', 'copy of it', undefined],
          ['modify', 'binary', 'binary'],
          ['modify', 'script', undefined],
          ['add', 'link', 'symlink'],
          ['modify', 'becomes link', 'symlink'],
        ],
      );
      const [moved] = ofFile(content, 'diff', 'to ü');
      assert.deepEqual([moved?.oldText, moved?.newText], [long('first'), long('second')]);
      const [link] = ofFile(content, 'diff', 'link');
      assert.deepEqual([link?.oldText, link?.newText], [null, 'plain']);
      assert.equal(ofFile(content, 'diff', 'becomes link').length, 2);
    }
  });

  posixOnly('have hunks whose texts are parts of the files, in their order (V2-DIFF-4)', () => {
    const changes = prepare();
    const content = read(changes, patch());
    const hunks = ofFile(content, 'diff', 'plain');
    assert.equal(hunks.length, 3);
    const replaced = hunks.reduce(
      (text, { oldText, newText }) => text.replace(oldText ?? '', () => newText),
      long('old'),
    );
    assert.equal(replaced, long('new'));
  });

  posixOnly('are read the same without a prefix and with Git’s own (V2-DIFF-4)', () => {
    const changes = prepare();
    const expected = read(changes, patch());
    const relative = changes.map((change) =>
      Object.fromEntries(
        Object.entries(change as Record<string, string>).map(([key, value]) => [
          key,
          value.replace(`${folder}/`, ''),
        ]),
      ),
    );
    const bare = JSON.parse(JSON.stringify(expected).replaceAll(`${folder}/`, '')) as unknown;
    const found = ['-M', '-C', '--find-copies-harder', 'HEAD'];
    assert.deepEqual(read(relative, git('diff', '--no-prefix', ...found)), bare);
    assert.deepEqual(read(relative, git('diff', ...found)), bare);
  });
});
