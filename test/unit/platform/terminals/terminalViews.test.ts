import assert from 'node:assert/strict';
import os from 'node:os';
import process from 'node:process';
import type { Terminal } from '../../../../src/model/ports';
import { ChildTerminals } from '../../../../src/platform/terminals/terminals';
import { makeMirror } from '../../../../src/platform/terminals/terminalViews';
import { until } from '../../../support/until';

describe('terminals of VS Code', () => {
  describe('the terminal of a command', () => {
    function startOf(program: string, outputByteLimit?: number): Promise<Terminal> {
      return new ChildTerminals({
        workspace: { trusted: true },
        loginEnvironment: () => Promise.resolve(undefined),
      }).create({
        command: process.execPath,
        args: ['-e', program],
        env: {},
        cwd: os.tmpdir(),
        ...(outputByteLimit !== undefined && { outputByteLimit }),
      });
    }

    function shownOf(terminal: Terminal): () => string {
      let shown = '';
      const mirror = makeMirror(terminal);
      mirror.onDidWrite((text) => (shown += text));
      mirror.open(undefined);
      return () => shown;
    }

    it('TE-9: is all that it has written and goes on to write, in color, and how it ended', async () => {
      const program = `process.once('SIGTERM', () => { console.log('two'); process.exit(3) });
        console.log('\\u001b[31mone\\u001b[0m'); setInterval(() => {}, 1000)`;
      const terminal = await startOf(program);
      await until(() => terminal.output.output.includes('one'));
      const shown = shownOf(terminal);
      assert.equal(shown(), '\u001b[31mone\u001b[0m\r\n');
      await terminal.kill();
      assert.match(shown(), /one.*\r\ntwo\r\n.*Ended with exit code 3/s);
      assert.match(shownOf(terminal)(), /one.*two.*Ended with exit code 3/s);
    });

    it('TE-9: says that the beginning is not there any more', async () => {
      const terminal = await startOf('console.log("123456789")', 5);
      await terminal.exited;
      assert.match(shownOf(terminal)(), /earlier output was discarded.*\r\n6789\r\n/s);
    });
  });
});
