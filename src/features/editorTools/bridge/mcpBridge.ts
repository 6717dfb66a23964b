import { Agent, request } from 'node:http';
import process from 'node:process';
import { LineSplitter } from '../../../protocol/lineSplitter';
import { isObject, parseJson } from '../../../util/json';

/**
 * The tools of the editor for agents that start MCP servers, but connect to none over HTTP: a program that hands each
 * line of its input to the window's server, and writes the answers. It ends with its input.
 */

/** Bytes of a line; the server takes no more. */
const maxLine = 1_000_000;
/** Bytes of an answer. */
const maxAnswer = 4_000_000;
/** Lines that wait for answers; the rest isn't read. */
const maxWaiting = 32;

// What is in the environment isn't seen by other users, as arguments are.
const { ACP_SESSIONS_TOOLS_URL: url = '', ACP_SESSIONS_TOOLS_TOKEN: token = '' } = process.env;
const agent = new Agent({ keepAlive: true });
let waiting = 0;

/** What the server answers to a message; empty if nothing. */
function post(line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (text.length > maxAnswer) {
          response.destroy(new Error('The answer is too long'));
        }
      });
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0 } = response;
        if (statusCode >= 400) {
          reject(new Error(`The editor refuses this: ${statusCode}`));
        } else {
          resolve(text);
        }
      });
    });
    sent.on('error', reject);
    sent.end(line);
  });
}

async function hand(line: string): Promise<void> {
  waiting += 1;
  if (waiting >= maxWaiting) {
    process.stdin.pause();
  }
  try {
    write(await post(line));
  } catch (error) {
    const message = parseJson(line);
    if (isObject(message) && 'id' in message && 'method' in message) {
      const text = error instanceof Error ? error.message : 'The editor does not answer';
      const { id } = message;
      write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: text } }));
    }
  } finally {
    waiting -= 1;
    process.stdin.resume();
  }
}

function write(answer: string): void {
  if (answer !== '') {
    process.stdout.write(`${answer}\n`);
  }
}

const lines = new LineSplitter({
  maxBytes: maxLine,
  onLine: (line) => {
    if (line.trim() !== '') {
      void hand(line);
    }
  },
  onOversize: () => undefined,
});
process.stdin.on('data', (chunk: Buffer) => lines.push(chunk));
process.stdin.on('end', () => process.exit());
process.stdout.on('error', () => process.exit());
