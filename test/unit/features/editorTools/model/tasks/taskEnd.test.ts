import assert from 'node:assert/strict';
import { begun, describeEnd } from '../../../../../../src/features/editorTools/model/tasks/taskEnd';
import type { TerminalExit } from '../../../../../../src/protocol/agentRequests';
import { deferred } from '../../../../../../src/util/async';
import { Emitter } from '../../../../../../src/util/emitter';

const ended = (exitCode: number | null, signal: string | null = null): TerminalExit => ({
  exitCode,
  signal,
});

describe('the end of a task', () => {
  it('SEC-285: is told with the end of what was printed, without terminal sequences', () => {
    const output = '\u001b[31mbad\u001b[0m\r\nworse\r\n';
    const tell = (exit: TerminalExit | undefined, isLate = false): string =>
      describeEnd({ label: 'test' }, 'npm test', { output, exit, isLate });
    assert.equal(
      tell(ended(3)),
      'Task "test" (npm test) ended with exit code 3.\nOutput:\nbad\nworse',
    );
    assert.match(tell(undefined), /goes on running\.\nOutput/);
    assert.match(tell(ended(null, 'SIGTERM')), /was ended by SIGTERM/);
    assert.match(tell(ended(null, 'SIGTERM'), true), /ran for too long/);
    const long = `${'a'.repeat(40_000)}the end`;
    const told = describeEnd({ label: 'l' }, 'l', { output: long, exit: ended(0), isLate: false });
    assert.ok(told.endsWith('the end') && told.length < 20_200 && told.includes('left out'));
    const nothing = describeEnd({ label: 'l' }, 'l', { output: '', exit: ended(0), isLate: false });
    assert.match(nothing, /printed nothing/);
  });

  it('isn’t awaited of one that goes on: it has begun when it is quiet, or ended', async () => {
    for (const how of ['quiet', 'ended', 'neverQuiet'] as const) {
      const changed = new Emitter<string>();
      const exited = deferred<TerminalExit>();
      const long = 2 ** 30;
      const patience = {
        quietMs: how === 'quiet' ? 1 : long,
        mostMs: how === 'neverQuiet' ? 1 : long,
      };
      const over = begun({ onDidChange: changed.event, exited: exited.promise }, patience);
      changed.fire('Listening');
      if (how === 'ended') {
        exited.resolve(ended(1));
      }
      await over;
    }
  });
});
