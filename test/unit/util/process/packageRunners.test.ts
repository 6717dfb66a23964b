import assert from 'node:assert/strict';
import { findPackageRun } from '../../../../src/util/process/packageRunners';

/** A command line whose words are separated by spaces; `_` stands for a space in a word. */
function runOf(line: string) {
  const [command = '', ...args] = line.split(' ').map((word) => word.replaceAll('_', ' '));
  return findPackageRun(command, args);
}

describe('commands that fetch a package', () => {
  const direct: readonly (readonly [line: string, key: string])[] = [
    ['npx gull-acp', 'npx gull-acp'],
    ['npx --yes -- gull-acp@1.2.3 --acp', 'npx gull-acp@1.2.3'],
    ['npx -y --package=gull@1.0.0 -- gull --acp', 'npx gull@1.0.0 gull'],
    ['npx -p gull -p tern gull --acp', 'npx gull tern gull'],
    ['/usr/local/bin/npx gull', 'npx gull'],
    ['C:\\nodejs\\NPX.CMD gull', 'npx gull'],
    ['npm exec --yes gull -- --acp', 'npm gull'],
    ['npm --silent x gull', 'npm gull'],
    ['npm --loglevel silent exec gull', 'npm gull'],
    ['pnpm dlx gull --acp', 'pnpm gull'],
    ['pnpm --silent dlx gull', 'pnpm gull'],
    ['pnpx gull', 'pnpx gull'],
    ['yarn dlx gull', 'yarn gull'],
    ['bunx --bun gull', 'bunx gull'],
    ['bun x gull', 'bun gull'],
    ['uvx gull', 'uvx gull'],
    ['uvx --from gull==1.0 gull-acp', 'uvx gull==1.0 gull-acp'],
    ['uvx --python 3.12 gull', 'uvx gull'],
    ['uv tool run gull', 'uv gull'],
    ['uv --quiet tool run --from gull gull-acp', 'uv gull gull-acp'],
  ];
  for (const [line, key] of direct) {
    it(`T-70: ${line}`, () => {
      assert.deepEqual(runOf(line), { key, hasChild: true });
    });
  }

  const others: readonly (readonly [line: string, key: string])[] = [
    ['pipx run gull', 'pipx gull'],
    ['pipx run --spec gull==1.0 gull-acp', 'pipx gull==1.0 gull-acp'],
    ['deno run -A npm:gull@1.0.0 --acp', 'deno npm:gull@1.0.0'],
    ['dotnet tool exec gull', 'dotnet gull'],
    ['cmd /d /c npx -y gull', 'npx gull'],
    ['cmd.exe /c npx_-y_gull', 'npx gull'],
    ['env GULL_KEY=1 -u TERN npx -y gull', 'npx gull'],
    ['env -S npx_-y_gull', 'npx gull'],
    ['bash -lc exec_npx_-y_gull', 'npx gull'],
    ['sh -c GULL=1_npx_gull_"$@"', 'npx gull'],
    ['bash -c .~/.nvm/nvm.sh_&&_npx_gull', 'npx gull'],
    ['powershell -NoProfile -Command npx_gull', 'npx gull'],
    ['mise exec node@22 -- npx gull', 'npx gull'],
    ['corepack pnpm dlx gull', 'pnpm gull'],
    ['sudo -u gull env A=b npx gull', 'npx gull'],
    ['node /usr/lib/node_modules/npm/bin/npx-cli.js -y gull', 'npx gull'],
    ['node --no-warnings C:\\npm\\bin\\npm-cli.js exec gull', 'npm gull'],
  ];
  for (const [line, key] of others) {
    it(`T-70: ${line}, which doesn’t show whether it still fetches`, () => {
      assert.deepEqual(runOf(line), { key, hasChild: false });
    });
  }

  for (const line of [
    'gull --acp',
    'node gull.js npx',
    'npm run gull',
    'npm start',
    'npm install exec',
    'pnpm exec gull',
    'pnpm gull dlx',
    'yarn gull',
    'bun run gull',
    'uv run gull',
    'uv tool install run',
    'deno run gull.ts',
    'pipx install gull',
    'gull npx gull',
    'bash gull.sh',
    'bash -c gull_npx',
    'bash -c cd_/w_&&_npx_gull',
    'npx --prefix /opt/gull gull',
    'npm -C tools exec gull',
    'env -C /w npx gull',
    'uvx --directory=/w gull',
  ]) {
    it(`T-70: doesn’t take for one: ${line}`, () => {
      assert.equal(runOf(line), undefined);
    });
  }

  it('T-70: a command that runs itself without end is none', () => {
    assert.equal(
      findPackageRun(
        'env',
        Array.from({ length: 1000 }, () => 'env'),
      ),
      undefined,
    );
  });
});
