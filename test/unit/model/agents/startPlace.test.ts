import assert from 'node:assert/strict';
import { startPlace } from '../../../../src/model/agents/startPlace';
import { posixOnly } from '../../../support/posixOnly';

describe('where an agent starts', () => {
  const place = (command: string, args: readonly string[], cwd?: string) => {
    const { packageRun: _, ...rest } = startPlace({ command, args, cwd }, '/w', '/launch');
    return rest;
  };

  it('T-70: a package outside of the project, a program of its own in the project', () => {
    assert.deepEqual(place('npx', ['-y', 'gull']), { cwd: '/launch', args: ['-y', 'gull'] });
    assert.deepEqual(place('gull', ['./acp']), { cwd: '/w', args: ['./acp'] });
    assert.equal(startPlace({ command: 'gull', args: [], cwd: '' }, undefined, '/l').cwd, '');
  });

  it('T-70: both in the folder that the user has set', () => {
    assert.deepEqual(place('npx', ['./gull'], '/mine'), { cwd: '/mine', args: ['./gull'] });
    assert.deepEqual(place('gull', [], '/mine'), { cwd: '/mine', args: [] });
    assert.equal(place('./bin/npx', ['gull']).cwd, '/w');
  });

  posixOnly('T-70: paths in the arguments stay those of the project', () => {
    const args = [
      '.',
      './a',
      '../b',
      '--config=./c',
      'file:./d',
      '-p',
      '--',
      '.5',
      '.npmrc',
      'e/f',
    ];
    assert.deepEqual(place('npx', args).args, [
      ...['/w', '/w/a', '/b', '--config=/w/c', 'file:/w/d', '-p', '--', '.5', '.npmrc', 'e/f'],
    ]);
    const { args: without } = startPlace(
      { command: 'npx', args: ['./a'], cwd: undefined },
      undefined,
      '/launch',
    );
    assert.deepEqual(without, ['./a']);
  });
});
