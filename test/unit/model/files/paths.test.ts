import assert from 'node:assert/strict';
import { comparablePath, FolderMatcher, spellingsOf } from '../../../../src/model/files/paths';
import { session } from '../fakes';

function realPathOf(paths: Record<string, string>): {
  readonly asked: string[];
  readonly realPath: (path: string) => Promise<string | undefined>;
} {
  const asked: string[] = [];
  return {
    asked,
    realPath: (path) => {
      asked.push(path);
      return Promise.resolve(paths[path]);
    },
  };
}

const { realPath: nothingThere } = realPathOf({});

async function matches(
  folder: string,
  cwd: string,
  links: Record<string, string> = {},
): Promise<boolean> {
  const matcher = new FolderMatcher(folder, realPathOf(links).realPath);
  return (await matcher.filter([session('s', { cwd })])).length === 1;
}

describe('paths', () => {
  it('T-1: a folder is asked for as it is, then by its real path, then in other spellings', async () => {
    const { realPath } = realPathOf({ '/tmp/work': '/private/tmp/work' });
    assert.deepEqual(await spellingsOf('/tmp/work', realPath), ['/tmp/work', '/private/tmp/work']);
    assert.deepEqual(await spellingsOf('c:\\Work', nothingThere), ['c:\\Work', 'C:\\Work']);
    assert.deepEqual(await spellingsOf('/private/var/x', nothingThere), [
      '/private/var/x',
      '/var/x',
    ]);
    assert.deepEqual(await spellingsOf('/home/me', nothingThere), ['/home/me']);
  });

  it('T-1: spellings of one path compare equal', () => {
    const same = [
      ['/home/me/project', '/home/me/project/', '/home//me/./x/../project'],
      ['c:\\Work\\App', 'C:\\work\\app\\', 'C:/Work/App', 'c:/work/./app'],
      ['/tmp/x', '/private/tmp/x'],
      ['/caf\u00e9', '/cafe\u0301'],
      ['\\\\host\\share\\x', '\\\\HOST\\share\\x\\'],
    ];
    for (const [first, ...others] of same) {
      for (const other of others) {
        assert.equal(comparablePath(other), comparablePath(first!), other);
      }
    }
  });

  it('T-1: different paths do not', () => {
    assert.notEqual(comparablePath('/home/me/project'), comparablePath('/home/me/Project'));
    assert.notEqual(comparablePath('/home/me/project'), comparablePath('/home/me/project2'));
    assert.notEqual(comparablePath('/home/me'), comparablePath('/home/me/project'));
    assert.notEqual(comparablePath('/private/home'), comparablePath('/home'));
    assert.equal(comparablePath('/'), '/');
    assert.equal(comparablePath('C:\\'), 'c:\\');
  });

  it('T-1: links are resolved on both sides', async () => {
    const links = { '/code/link': '/disk/project', '/other/link': '/disk/project' };
    assert.ok(await matches('/code/link', '/disk/project', links));
    assert.ok(await matches('/code/link', '/other/link', links));
    assert.ok(await matches('/disk/project', '/code/link', links));
    assert.ok(!(await matches('/disk/project', '/disk/other', links)));
  });

  it('T-1: case makes no difference where the disk says so', async () => {
    // A case-insensitive disk returns its own spelling, whichever one is asked for.
    const disk = { '/Users/Me/App': '/Users/Me/App', '/users/me/app': '/Users/Me/App' };
    assert.ok(await matches('/Users/Me/App', '/users/me/app', disk));
    assert.ok(await matches('/users/me/app', '/Users/Me/App', disk));
    assert.ok(!(await matches('/Users/Me/App', '/users/me/app')), 'but it does where they are two');
    assert.ok(await matches('c:\\Users\\Me', 'C:/users/ME'), 'on Windows it never counts');
  });

  it('T-1: a folder with # and % in its name is itself alone', async () => {
    assert.ok(await matches('/code/a #1 100%', '/code/a #1 100%/'));
    assert.ok(!(await matches('/code/a #1 100%', '/code/a %231 100%25')));
    assert.ok(!(await matches('/code/a #1', '/code/a ')));
  });

  it('T-1: a folder that is gone still matches by its text', async () => {
    assert.ok(await matches('/gone/project', '/gone/project/'));
  });

  it('DIR-8, LIST-20: an extra root makes a session one of the folder', async () => {
    const matcher = new FolderMatcher('/home/me/lib', nothingThere);
    const here = session('here', { cwd: '/home/me/app', additionalDirectories: ['/home/me/lib/'] });
    const there = session('there', { cwd: '/home/me/app', additionalDirectories: ['/home/me/x'] });
    assert.deepEqual(await matcher.filter([there, here]), [here]);
  });

  it('T-1: a path of an agent is looked up only when that stays on this machine', async () => {
    const { asked, realPath } = realPathOf({});
    const matcher = new FolderMatcher('/home/me', realPath);
    const hostile = [
      '\\\\evil\\share',
      '//evil/share',
      '/\\evil\\share',
      '\\\\?\\UNC\\evil\\x',
      'relative',
      `/${'x'.repeat(5_000)}`,
      '/nul\0',
    ];
    await matcher.filter(hostile.map((cwd, index) => session(String(index), { cwd })));
    assert.deepEqual(asked, ['/home/me']);
  });

  it('T-8: a path is looked up once, however many sessions and pages name it', async () => {
    const { asked, realPath } = realPathOf({});
    const matcher = new FolderMatcher('/home/me', realPath);
    const page = Array.from({ length: 50 }, (_, index) =>
      session(`s${index}`, { cwd: '/elsewhere' }),
    );
    await matcher.filter(page);
    await matcher.filter(page);
    assert.deepEqual(asked, ['/home/me', '/elsewhere']);
  });
});
