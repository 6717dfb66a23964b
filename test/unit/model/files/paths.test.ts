import assert from 'node:assert/strict';
import { comparablePath, FolderMatcher, getSpellings } from '../../../../src/model/files/paths';
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
    assert.deepEqual(await getSpellings('/tmp/work', realPath), ['/tmp/work', '/private/tmp/work']);
    assert.deepEqual(await getSpellings('c:\\Work', nothingThere), ['c:\\Work', 'C:\\Work']);
    assert.deepEqual(await getSpellings('/private/var/x', nothingThere), [
      '/private/var/x',
      '/var/x',
    ]);
    assert.deepEqual(await getSpellings('/home/me', nothingThere), ['/home/me']);
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

  describe('in WSL', () => {
    const ofProcess = process.env['WSL_DISTRO_NAME'];
    const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;

    function runIn(distro: string | undefined, system = 'linux'): void {
      Object.defineProperty(process, 'platform', { ...platform, value: system });
      delete process.env['WSL_DISTRO_NAME'];
      Object.assign(process.env, distro === undefined ? {} : { WSL_DISTRO_NAME: distro });
    }

    beforeEach(() => runIn('Ubuntu-24.04'));

    afterEach(() => {
      runIn(ofProcess);
      Object.defineProperty(process, 'platform', platform);
    });

    it('T-1: case makes no difference on drives of Windows, and does everywhere else', () => {
      assert.equal(comparablePath('/mnt/c/Users/Me/App'), comparablePath('/mnt/c/users/me/app/'));
      assert.equal(
        comparablePath('/mnt/d/\u00c9t\u00e9'),
        comparablePath('/mnt/d/e\u0301te\u0301'),
      );
      for (const [one, other] of [
        ['/home/me/App', '/home/me/app'],
        ['/mnt/wsl/App', '/mnt/wsl/app'],
        ['/mnt/data/App', '/mnt/data/app'],
        ['/mnt/c/../App', '/mnt/c/../app'],
        ['/mnt/C/x', '/mnt/c/x'],
        ['/home/mnt/c/App', '/home/mnt/c/app'],
      ] as const) {
        assert.notEqual(comparablePath(one), comparablePath(other), one);
      }
    });

    it('T-1: Windows’ names for files of this distribution are its own paths', async () => {
      for (const [name, own] of [
        ['\\\\wsl.localhost\\Ubuntu-24.04\\home\\me\\App', '/home/me/App'],
        ['\\\\wsl$\\ubuntu-24.04\\home\\me\\App\\', '/home/me/App'],
        ['\\\\WSL.LOCALHOST\\Ubuntu-24.04\\home\\me\\..\\you', '/home/you'],
        ['//wsl.localhost/Ubuntu-24.04/home/me', '/home/me'],
        ['\\\\wsl$\\Ubuntu-24.04\\mnt\\c\\Work', '/mnt/c/work'],
        ['\\\\wsl$\\Ubuntu-24.04', '/'],
      ] as const) {
        assert.equal(comparablePath(name), comparablePath(own), name);
      }
      assert.ok(await matches('/home/me/App', '\\\\wsl.localhost\\Ubuntu-24.04\\home\\me\\App'));
      assert.ok(!(await matches('/home/me/App', '\\\\wsl$\\Ubuntu-24.04\\home\\me\\app')));
    });

    it('T-1: another distribution, and another machine, are none of it', () => {
      for (const name of [
        '\\\\wsl.localhost\\Debian\\home\\me',
        '\\\\wsl$\\Ubuntu-24\\home\\me',
        '\\\\wsl$.example\\Ubuntu-24.04\\home\\me',
        '\\\\host\\wsl$\\Ubuntu-24.04\\home\\me',
      ]) {
        assert.notEqual(comparablePath(name), '/home/me', name);
      }
    });

    it('T-1: outside of WSL, such paths mean nothing special', () => {
      const name = '\\\\wsl$\\Ubuntu-24.04\\home\\me';
      for (const [distro, system] of [
        [undefined, 'linux'],
        ['', 'linux'],
        ['Ubuntu-24.04', 'win32'],
        ['Ubuntu-24.04', 'darwin'],
      ] as const) {
        runIn(distro, system);
        assert.notEqual(comparablePath('/mnt/c/App'), comparablePath('/mnt/c/app'), system);
        assert.equal(comparablePath(name), name.toLowerCase(), system);
      }
    });

    it('T-1: a folder of a container is only what it is called there', async () => {
      runIn(undefined);
      assert.ok(await matches('/workspaces/app', '/workspaces/app/'));
      assert.ok(!(await matches('/workspaces/app', '/home/me/app')));
    });
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
