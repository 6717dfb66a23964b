import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { SessionUpdate } from '../../../src/protocol/updates';
import {
  deletesFile,
  editsLikeClaude,
  endOfTurn,
  movesFile,
  runsCommand,
  worksOnTenFiles,
  writesAlone,
  writesBytesAlone,
  writesThroughClient,
} from '../../fakeAgent/changes';
import { ableInitialize, type Step } from '../../fakeAgent/scenario';
import { removeTemporary, temporaryFile } from '../../support/temporary';
import { connect, endAgents, requestsWith, startAgent } from '../protocol/peer';

describe('fake agent: turns that change files', () => {
  afterEach(endAgents);
  after(removeTemporary);

  /** Runs these steps as one turn; returns the updates of its calls. */
  async function turn(
    steps: readonly Step[],
    written: string[] = [],
  ): Promise<readonly SessionUpdate[]> {
    const on = { 'session/prompt': [...steps, endOfTurn] };
    const requests = requestsWith({
      writeTextFile: ({ path: file, content }) => {
        written.push(file);
        fs.writeFileSync(file, content);
        return Promise.resolve();
      },
    });
    const transport = startAgent({ initialize: ableInitialize, on });
    const { connection, updates } = await connect(transport, { requests });
    assert.equal(await connection.prompt('s1', [{ type: 'text', text: 'go' }]), 'end_turn');
    return updates.map(({ update }) => update);
  }

  function read(file: string): string {
    return fs.readFileSync(file, 'utf8');
  }

  it('writes, moves and deletes files and makes binary ones by itself, without a diff', async () => {
    const folder = path.dirname(temporaryFile('x'));
    const at = (name: string): string => path.join(folder, name);
    fs.writeFileSync(at('gone.txt'), 'gone');
    const updates = await turn([
      ...writesAlone('a', at('sub/new.txt'), 'new\n'),
      ...movesFile('b', at('sub/new.txt'), at('moved.txt')),
      ...deletesFile('c', at('gone.txt')),
      ...writesBytesAlone('d', at('bytes.bin'), Uint8Array.of(0, 255)),
    ]);
    assert.equal(read(at('moved.txt')), 'new\n');
    assert.ok(!fs.existsSync(at('sub/new.txt')) && !fs.existsSync(at('gone.txt')));
    assert.deepEqual([...fs.readFileSync(at('bytes.bin'))], [0, 255]);
    assert.ok(!JSON.stringify(updates).includes('"diff"'));
    assert.equal(updates.length, 8);
  });

  it('reports fragments: first the edit alone, then with the lines around it', async () => {
    const file = temporaryFile('edited.txt');
    fs.writeFileSync(file, 'one\ntwo\nthree\n');
    const texts = { oldText: 'two', newText: '2' };
    const hunk = { above: 'one\n', below: '\nthree', line: 1 };
    const updates = await turn(editsLikeClaude('a', file, texts, hunk));
    assert.equal(read(file), 'one\n2\nthree\n');
    const sent = JSON.stringify(updates);
    assert.ok(sent.indexOf('"oldText":"two"') < sent.indexOf('"oldText":"one\\ntwo\\nthree"'));
  });

  it('runs a command that changes files and names none of them', async () => {
    const file = temporaryFile('by-command.txt');
    const program = "require('fs').writeFileSync('by-command.txt', 'changed')";
    const updates = await turn(runsCommand('a', path.dirname(file), program));
    assert.equal(read(file), 'changed');
    assert.ok(!JSON.stringify(updates).includes('"path"'));
  });

  it('writes through the client, and works on ten files', async () => {
    const file = temporaryFile('through.txt');
    const written: string[] = [];
    await turn(
      [...writesThroughClient('w', file, 'text'), ...worksOnTenFiles(path.dirname(file), 1)],
      written,
    );
    assert.deepEqual(written, [file]);
    assert.match(read(path.join(path.dirname(file), 'file-10.txt')), /^Line 20 of 10$/m);
  });
});
