import assert from 'node:assert/strict';
import { outputText } from '../../../../src/shared/terminal/outputText';
import recorded from '../../../fixtures/terminal/recorded.json';

/** A frame as BuildKit draws it over the one before, with its lines as wide as the terminal. */
function frame(linesBefore: number | undefined, lines: readonly string[]): string {
  const up = linesBefore === undefined ? '\u001b[1A\u001b[1B' : '\u001b[1A'.repeat(linesBefore + 1);
  const [first = '', ...rest] = lines.map((line) => line.padEnd(60));
  return `${up}\u001b[0G\u001b[?25l${first}\r\n${rest.map((line) => `\u001b[34m${line}\r\n\u001b[0m`).join('')}\u001b[?25h`;
}

function shown(output: string): readonly string[] {
  return outputText(output)
    .split('\n')
    .map((line) => line.trimEnd());
}

describe('what programs that write over their lines leave', () => {
  it('TE-9: listr (recorded): each task once, as it ended', () => {
    assert.deepEqual(shown(recorded.listr), [
      '✔ Check the folder',
      '✔ Build',
      '✔ Test',
      'all done',
    ]);
  });

  it('TE-9: listr, while it is at work: the frame that it has drawn last', () => {
    const upTo = recorded.listr.lastIndexOf('Bundle');
    assert.deepEqual(shown(recorded.listr.slice(0, upTo)).slice(0, 4), [
      '✔ Check the folder',
      '❯ Build',
      '  ✔ Compile',
      '  ✔',
    ]);
  });

  it('TE-9: pnpm (recorded): its progress once, and what it has done', () => {
    assert.deepEqual(shown(recorded.pnpm), [
      'Packages are hard linked from the content-addressable store to the virtual store.',
      '  Content-addressable store is at: /home/me/store/v11',
      '  Virtual store is at:             node_modules/.pnpm',
      'Packages: +3',
      '+++',
      'Progress: resolved 3, reused 0, downloaded 3, added 3, done',
      '',
      'dependencies:',
      '+ chalk 5.3.0',
      '+ is-odd 3.0.1',
      '',
      'Done in 931ms using pnpm v12.21.0',
    ]);
  });

  it('TE-9: docker build: the steps once, after what was printed before', () => {
    const output = [
      'before\r\n',
      frame(undefined, ['[+] Building 0.1s (0/2)', ' => [internal] load build definition']),
      frame(1, [
        '[+] Building 0.4s (1/2)',
        ' => [internal] load build definition',
        ' => [1/2] FROM alpine',
      ]),
      frame(2, [
        '[+] Building 0.9s (2/2) FINISHED',
        ' => [internal] load build definition',
        ' => [1/2] FROM alpine',
      ]),
      'after\r\n',
    ].join('');
    assert.deepEqual(shown(output), [
      'before',
      '[+] Building 0.9s (2/2) FINISHED',
      ' => [internal] load build definition',
      ' => [1/2] FROM alpine',
      'after',
    ]);
  });

  it('TE-9: what is before a long output’s end has no sequences, and lines stay lines', () => {
    const line = '\u001b[32mok\u001b[0m one of many lines\r\n';
    const lines = shown(line.repeat(20_000));
    assert.equal(lines.length, 20_000);
    assert.ok(lines.every((each) => each === 'ok one of many lines'));
  });
});
