import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { absent } from '../../../../../../src/features/review/model/record/fileState';
import { Journal } from '../../../../../../src/features/review/model/record/journal';
import {
  type JournalLine,
  journalBounds,
  type KeepLine,
  type TurnLine,
  writeLine,
} from '../../../../../../src/features/review/model/record/journalLines';
import { readLine } from '../../../../../../src/features/review/model/record/readLine';
import { posixOnly } from '../../../../../support/posixOnly';
import { removeTemporary, temporaryFile } from '../../../../../support/temporary';
import { until } from '../../../../../support/until';
import { makePipe } from '../../../../model/files/hostileFiles';

const head: JournalLine = { type: 'record', agentId: 'a', sessionId: 's' };
const turn = (it: number): TurnLine => ({ type: 'turn', turn: it, prompt: 'p', began: it, pid: 1 });

function keeping(files: number): KeepLine {
  const state = { seen: absent, base: absent, form: 'text', added: 0, removed: 0 } as const;
  const one = { ...state, turns: [1], was: [absent, absent] as const, of: [1] };
  const all = Array.from({ length: files }, (_, at) => ({ ...one, file: `/f${at}` }));
  return { type: 'keep', at: 1, files: all };
}

describe('The journal of a session’s changes', () => {
  let folder: string;
  let opened: Journal[];

  beforeEach(() => {
    folder = temporaryFile('journal');
    opened = [];
  });

  afterEach(() => {
    for (const journal of opened) {
      journal.dispose();
    }
    removeTemporary();
  });

  function open(): { journal: Journal; lines: JournalLine[] } {
    const lines: JournalLine[] = [];
    const journal = new Journal(folder, (more) => void lines.push(...more));
    opened.push(journal);
    return { journal, lines };
  }

  function add(text: string): void {
    fs.mkdirSync(folder, { recursive: true });
    fs.appendFileSync(path.join(folder, 'journal.ndjson'), text);
  }

  it('lines are read back as they were written, by every window', async () => {
    const one = open();
    assert.ok(await one.journal.append([head, turn(1)]));
    const other = open();
    await other.journal.catchUp();
    await other.journal.append([turn(2)]);
    await one.journal.catchUp();
    assert.deepEqual(one.lines, [head, turn(1), turn(2)]);
    assert.deepEqual(other.lines, one.lines);
  });

  it('what another window appends appears', async () => {
    const one = open();
    await one.journal.append([head]);
    one.journal.watch();
    await open().journal.append([turn(1)]);
    await until(() => one.lines.length === 2);
  });

  it('a torn last line isn’t read, and the next line isn’t glued to it', async () => {
    await open().journal.append([head, turn(1)]);
    add('\n{"type":"turn","turn":2,"pro');
    const { journal, lines } = open();
    await journal.catchUp();
    assert.equal(lines.length, 2);
    await journal.append([turn(3)]);
    assert.deepEqual(lines, [head, turn(1), turn(3)]);
  });

  it('lines appended at the same time by many windows are all whole', async () => {
    const windows = Array.from({ length: 5 }, open);
    await Promise.all(
      windows.flatMap(({ journal }, at) =>
        [1, 2, 3, 4].map((n) => journal.append([turn(1 + at * 10 + n)])),
      ),
    );
    const { journal, lines } = open();
    await journal.catchUp();
    assert.equal(lines.length, 20);
    for (const window of windows) {
      await window.journal.catchUp();
      assert.deepEqual(window.lines, lines);
    }
  });

  it('SEC-82: damaged and hostile lines are skipped', async () => {
    const good = writeLine(keeping(1)) ?? '';
    const bad = [
      'null',
      '[]',
      '{"type":"other"}',
      '{"type":"turn","turn":0,"prompt":"","began":1}',
      '{"type":"turn","turn":1e99,"prompt":"","began":1}',
      good.replace('"-"', '"../../etc/passwd"'),
      good.replace('/f0', 'relative'),
      good.replace('/f0', '/f\\u0000'),
      good.replace('"turns":[1]', '"turns":["1"]'),
      good.replace('"form":"text"', '"form":"script"'),
      good.replace('"files"', '"__proto__"'),
      '\u0000\u0001',
    ];
    for (const line of bad) {
      assert.equal(readLine(line), undefined, line);
    }
    add([...bad, good, ''].join('\n'));
    const { journal, lines } = open();
    await journal.catchUp();
    assert.deepEqual(lines, [keeping(1)]);
  });

  it('a line of twice the longest length is skipped, and those around it are read', async () => {
    const long = JSON.stringify({ ...turn(2), prompt: 'x'.repeat(2 * journalBounds.lineBytes) });
    add(`${writeLine(turn(1))}\n${long}\n${writeLine(turn(3))}\n`);
    const { journal, lines } = open();
    await journal.catchUp();
    assert.deepEqual(lines, [turn(1), turn(3)]);
  });

  it('a line with twice the most files is neither written nor read', async () => {
    const line = keeping(2 * journalBounds.filesPerLine);
    assert.equal(writeLine(line), undefined);
    const text = JSON.stringify({
      ...line,
      files: line.files.map((it) => ({ ...it, seen: '-', base: '-', was: ['-', '-'] })),
    });
    assert.equal(readLine(text), undefined);
    assert.notEqual(readLine(writeLine(keeping(journalBounds.filesPerLine)) ?? ''), undefined);
    assert.equal(await open().journal.append([line]), false);
  });

  it('more lines than the most aren’t read, and no more are written', async () => {
    const line = `${writeLine(turn(1))}\n`;
    add(line.repeat(journalBounds.lines).repeat(2));
    const { journal, lines } = open();
    await journal.catchUp();
    assert.equal(lines.length, journalBounds.lines);
    assert.ok(journal.isFull);
    assert.equal(await journal.append([turn(2)]), false);
  });

  it('SEC-127: when no more changes fit, decisions and turns still do', async () => {
    const { lines, reservedLines } = journalBounds;
    add(`${writeLine(turn(1))}\n`.repeat(lines - reservedLines));
    const { journal } = open();
    await journal.catchUp();
    assert.ok(journal.isFull);
    const step: JournalLine = {
      ...{ type: 'step', by: 'agent', source: 'write', turn: 1, at: 1 },
      files: keeping(1).files.map((file) => ({
        ...file,
        before: absent,
        own: [0, 0] as const,
        revision: 0,
      })),
    };
    assert.equal(await journal.append([step]), false);
    assert.equal(await journal.append([keeping(1), turn(2)]), true);
  });

  posixOnly('SEC-82: a journal that is a link or a pipe is neither read nor written', async () => {
    const elsewhere = path.join(temporaryFile('elsewhere'));
    fs.writeFileSync(elsewhere, `${writeLine(turn(1))}\n`);
    fs.mkdirSync(folder, { recursive: true });
    fs.symlinkSync(elsewhere, path.join(folder, 'journal.ndjson'));
    const { journal, lines } = open();
    await assert.rejects(journal.catchUp());
    await assert.rejects(journal.append([turn(2)]));
    assert.deepEqual(lines, []);
    assert.equal(fs.readFileSync(elsewhere, 'utf8'), `${writeLine(turn(1))}\n`);
    fs.unlinkSync(path.join(folder, 'journal.ndjson'));
    makePipe(path.join(folder, 'journal.ndjson'));
    await journal.catchUp();
    await assert.rejects(journal.append([turn(2)]));
  });

  it('a journal of a later version is left alone', async () => {
    add('{"type":"record","version":2,"agentId":"a","sessionId":"s"}\n{"type":"else"}\n');
    const { journal, lines } = open();
    await journal.catchUp();
    assert.ok(journal.isNewer);
    assert.equal(await journal.append([turn(1)]), false);
    assert.deepEqual(lines, []);
    assert.match(fs.readFileSync(path.join(folder, 'journal.ndjson'), 'utf8'), /else"\}\n$/);
  });

  it('a journal that isn’t there is empty', async () => {
    const { journal, lines } = open();
    await journal.catchUp();
    assert.deepEqual(lines, []);
  });
});
