import process from 'node:process';
import { createInterface } from 'node:readline';

/**
 * An agent that works as real ones do: it replays a conversation, and in each turn says much, reports calls and writes
 * files through the client. A process of its own, so that its memory isn't counted.
 */

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string; readonly cwd?: string };
}

const replayed = 300;
const filesOfTurn = 4;
const waiting = new Map<string, () => void>();
const folders = new Map<string, string>();
let sent = 0;

function send(message: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function update(sessionId: string, value: Readonly<Record<string, unknown>>): void {
  send({ method: 'session/update', params: { sessionId, update: value } });
}

function say(sessionId: string, messageId: string, text: string): void {
  const content = { type: 'text', text };
  update(sessionId, { sessionUpdate: 'agent_message_chunk', messageId, content });
}

function replay(sessionId: string): void {
  for (let at = 0; at < replayed; at++) {
    const content = { type: 'text', text: `Prompt ${at}` };
    update(sessionId, { sessionUpdate: 'user_message_chunk', messageId: `u${at}`, content });
    say(sessionId, `a${at}`, `Answer ${at}: ${'some words of it '.repeat(20)}`);
  }
}

async function work(sessionId: string): Promise<void> {
  const cwd = folders.get(sessionId) ?? process.cwd();
  const turn = sent;
  for (let at = 0; at < 100; at++) {
    say(sessionId, `t${turn}`, `word ${at} `);
  }
  for (let at = 0; at < filesOfTurn; at++) {
    const path = `${cwd}/${sessionId}-${at}.txt`;
    const toolCallId = `c${turn}-${at}`;
    const content = `turn ${turn}\n${'a line of the file\n'.repeat(50)}`;
    const diff = { type: 'diff', path, oldText: '', newText: content };
    update(sessionId, {
      ...{ sessionUpdate: 'tool_call', toolCallId, title: `Write ${path}`, kind: 'edit' },
      ...{ status: 'in_progress', content: [diff], locations: [{ path }] },
    });
    const id = `w${sent++}`;
    const answered = new Promise<void>((resolve) => waiting.set(id, resolve));
    send({ id, method: 'fs/write_text_file', params: { sessionId, path, content } });
    await answered;
    update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
  }
}

async function answer({ id, method, params = {} }: Message): Promise<void> {
  const { sessionId = '', cwd } = params;
  if (cwd !== undefined) {
    folders.set(sessionId, cwd);
  }
  switch (method) {
    case 'initialize':
      send({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } });
      break;
    case 'session/load':
      replay(sessionId);
      send({ id, result: {} });
      break;
    case 'session/prompt':
      await work(sessionId);
      send({ id, result: { stopReason: 'end_turn' } });
      break;
    case undefined:
      waiting.get(String(id))?.();
      waiting.delete(String(id));
      break;
    default:
      if (id !== undefined) {
        send({ id, result: {} });
      }
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  void answer(JSON.parse(line) as Message);
});
