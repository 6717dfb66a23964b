import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { methods } from '@agentclientprotocol/sdk/unstable';
import { SessionStore } from '../../../src/demoAgent/store/sessionStore';
import { DemoWorld, history, textOf } from './harness';

describe('demo agent: the files', () => {
  const world = new DemoWorld();
  afterEach(() => world.dispose());

  async function onlyFile(store: string): Promise<string> {
    const folder = path.join(store, 'sessions');
    const [name] = await readdir(folder);
    return path.join(folder, name!);
  }

  it('a last line that a crash cut off at any byte costs that line only, and the next turn mends the file', async () => {
    const store = await world.folder();
    const cwd = await world.folder();
    const client = await world.connect(store);
    const sessionId = await client.prompted(cwd, 'Hello');
    const file = await onlyFile(store);
    const whole = await readFile(file);
    const all = history(await client.load(sessionId, cwd));
    const lastLine = whole.lastIndexOf('\n', whole.length - 2) + 1;
    for (const size of [lastLine + 1, lastLine + 20, whole.length - 1]) {
      await writeFile(file, whole);
      await truncate(file, size);
      const later = await world.connect(store);
      assert.deepEqual(await later.titles(), [['Hello']], `cut at ${size}`);
      const kept = history(await later.load(sessionId, cwd));
      // If only the final newline is missing, nothing is lost.
      assert.deepEqual(kept, size === whole.length - 1 ? all : all.slice(0, -1));
      await later.prompt(sessionId, '/plan');
      const after = history(await (await world.connect(store)).load(sessionId, cwd));
      assert.deepEqual(after.slice(0, kept.length), kept);
      assert.match(textOf(after, 'agent_message_chunk'), /one came up on the way/);
    }
  });

  it('broken and foreign lines and files are left out; everything else is there', async () => {
    const store = await world.folder();
    const cwd = await world.folder();
    const client = await world.connect(store);
    const sessionId = await client.prompted(cwd, 'Hello');
    const file = await onlyFile(store);
    const before = history(await client.load(sessionId, cwd));
    await appendFile(file, '{"type":"meta","meta":{"sessionId":5}}\n\0\0\0\n[]\nnull\n"meta"\n');
    await appendFile(file, '{"type":"future","update":{}}\n\n{"type":"update"}\n');
    const folder = path.dirname(file);
    await writeFile(path.join(folder, 'empty.jsonl'), '');
    await writeFile(path.join(folder, 'half.jsonl'), '{"type":"upd');
    await writeFile(path.join(folder, 'copy.jsonl'), await readFile(file));
    await writeFile(path.join(folder, 'notes.txt'), 'hello');
    assert.deepEqual(await client.titles(), [['Hello']]);
    assert.deepEqual(history(await client.load(sessionId, cwd)), before);
  });

  it('the title is found behind a turn of any length, also by a process that saw the file before', async () => {
    const store = await world.folder();
    const cwd = await world.folder();
    const writer = await world.connect(store);
    const reader = await world.connect(store);
    const sessionId = await writer.prompted(cwd, 'Hello');
    assert.deepEqual(await reader.titles(), [['Hello']]);
    const files = await SessionStore.open(store);
    const text = 'x'.repeat(1000);
    const update = {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text },
    } as const;
    await files.append(
      sessionId,
      Array.from({ length: 500 }, () => update),
    );
    assert.deepEqual(await reader.titles(), [['Hello']]);
    assert.deepEqual(await (await world.connect(store)).titles(), [['Hello']]);
    await files.patch(sessionId, { title: 'Another' });
    await files.append(sessionId, [update]);
    assert.deepEqual(await reader.titles(), [['Another']]);
  });

  it('a load replays lines longer than one read, and text of any script', async () => {
    const store = await world.folder();
    const cwd = await world.folder();
    const client = await world.connect(store);
    const text = `日本語 \u2028 🌱 ${'é'.repeat(1_500_000)}`;
    const sessionId = await client.prompted(cwd, text);
    const replayed = await (await world.connect(store)).load(sessionId, cwd);
    assert.equal(textOf(replayed, 'user_message_chunk'), text);
  });

  it('sessions untouched for longer than the given days go; the others stay', async () => {
    const store = await world.folder();
    const cwd = await world.folder();
    const client = await world.connect(store);
    const day = 24 * 60 * 60 * 1000;
    await client.prompted(cwd, 'oldest');
    world.time += 5 * day;
    const old = await client.prompted(cwd, 'old');
    world.time += 3 * day;
    await client.prompted(cwd, 'recent');
    world.time += 4 * day;
    await client.prompt(old, 'touched again');
    await (await SessionStore.open(store)).deleteUntouched(7, world.time);
    assert.deepEqual(await client.titles(), [['old', 'recent']]);
  });

  it('nothing is written before the first prompt', async () => {
    const store = await world.folder();
    const client = await world.connect(store);
    const sessionId = await client.newSession(await world.folder());
    await client.request(methods.agent.session.setMode, { sessionId, modeId: 'act' });
    assert.deepEqual(await readdir(path.join(store, 'sessions')), []);
    await client.prompt(sessionId, 'Hello');
    assert.equal((await readdir(path.join(store, 'sessions'))).length, 1);
  });
});
