import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {
  type CheckedTrace,
  checkTrace,
} from '../../../../../src/features/traces/model/openedTrace';
import { recordTrace } from '../../../../../src/features/traces/model/recordTrace';
import { problemWith } from '../../../../../src/features/traces/model/traceWords';
import { traceLimits } from '../../../../../src/protocol/trace/traceFormat';
import { posixOnly } from '../../../../support/posixOnly';
import { removeTemporary, temporaryFile } from '../../../../support/temporary';
import { header, TraceText } from '../../../protocol/trace/traceBench';

describe('the file of a trace', () => {
  after(removeTemporary);
  let files = 0;
  const newFile = (): string => temporaryFile(`file-${files++}`);

  function read(file: string): Promise<CheckedTrace> {
    return checkTrace(file, new AbortController().signal);
  }

  /** What the user is told about a file that can't be opened. */
  async function refusal(open: () => Promise<unknown>): Promise<string> {
    let said: string | undefined;
    await open().catch((error: unknown) => (said = problemWith(error)));
    assert.ok(said !== undefined, 'it was opened');
    return said;
  }

  it('says in which version of the protocol it is read: its own, if that is known', async () => {
    for (const [protocolVersion, expected] of [
      [1, '1'],
      [2, '2'],
      [7, '1'],
      [{ a: 2 }, '1'],
      [undefined, '1'],
    ] as const) {
      const file = newFile();
      writeFileSync(file, new TraceText().request('initialize', {}, { protocolVersion }).text);
      assert.equal((await read(file)).protocol, expected);
    }
  });

  it('SEC-185: is refused if it is missing, or a folder', async () => {
    const folder = newFile();
    mkdirSync(folder);
    assert.equal(
      await refusal(() => read(folder)),
      'It is a folder, or something else that isn’t a file.',
    );
    assert.match(await refusal(() => recordTrace(folder, header)), /^It is a folder/);
    assert.equal(await refusal(() => read(newFile())), 'It doesn’t exist.');
    assert.match(await refusal(() => recordTrace(`${newFile()}/x`, header)), /^It doesn’t exist/);
  });

  posixOnly('SEC-185: is refused at once if it is a pipe', async () => {
    const pipe = newFile();
    execFileSync('mkfifo', [pipe]);
    assert.match(await refusal(() => read(pipe)), /^It is a folder, or something else/);
    assert.match(
      await refusal(() => recordTrace(pipe, header)),
      /^It is a folder, or something else/,
    );
  });

  it('SEC-185: is refused without being read if it is twice as large as a trace may be', async () => {
    const file = newFile();
    writeFileSync(file, '');
    truncateSync(file, 2 * traceLimits.bytes);
    assert.match(await refusal(() => read(file)), /^It is larger than 256 MB/);
  });

  it('says what is wrong with its content', async () => {
    const file = newFile();
    writeFileSync(file, 'text');
    assert.match(await refusal(() => read(file)), /^It isn’t a trace/);
    writeFileSync(file, '{"format":"acp-sessions-trace","version":2}\n');
    assert.match(await refusal(() => read(file)), /newer version of ACP Sessions/);
  });

  posixOnly('may be behind a link', async () => {
    const [file, link] = [newFile(), newFile()];
    writeFileSync(file, new TraceText().says('s', 'x').raw('{"half').text);
    symlinkSync(file, link);
    assert.equal((await read(link)).unusable, 1);
  });

  it('reading it can be canceled', async () => {
    const file = newFile();
    writeFileSync(file, new TraceText().says('s', 'x').text);
    await assert.rejects(checkTrace(file, AbortSignal.abort()), { name: 'AbortError' });
  });

  it('replaces another file, and only the user may read it', async () => {
    const file = newFile();
    writeFileSync(file, 'x'.repeat(10_000), { mode: 0o644 });
    const recorder = await recordTrace(file, header);
    recorder.take('toAgent', { jsonrpc: '2.0', id: 0, method: 'initialize' });
    await recorder.stop();
    assert.equal(readFileSync(file, 'utf8').split('\n').length, 3);
    if (process.platform !== 'win32') {
      assert.equal(statSync(file).mode & 0o777, 0o600);
    }
    await read(file);
  });

  it('says what a disk says', () => {
    const problem = (code: string): string => problemWith(Object.assign(new Error(), { code }));
    assert.match(problem('ENOSPC'), /disk is full/);
    assert.match(problem('EACCES'), /may not do that/);
    assert.match(problem('EIO'), /log has the reason/);
  });
});
