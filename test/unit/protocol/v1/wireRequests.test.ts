import assert from 'node:assert/strict';
import fs from 'node:fs';
import { inProject } from '../../../support/project';
import { ask, connect, isMethod, Peer, type Raw, requestsWith } from '../peer';

const folder = inProject('test/fixtures/requests');
/** The agent whose requests have no kind: it says of what kind a call is before it asks. */
const kindless = 'claude-code-acp';

function read(agent: string): Raw[] {
  const lines = fs.readFileSync(`${folder}/${agent}.jsonl`, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Raw);
}

describe('what real agents ask', () => {
  for (const agent of fs.readdirSync(folder).map((file) => file.replace('.jsonl', ''))) {
    it(`PE-2, PE-3, PE-6, FS-1, T-53: ${agent}: everything is understood and answered, though its ids are like ours`, async () => {
      const peer = new Peer();
      const asked: unknown[] = [];
      const { connection, log } = await connect(peer.client, {
        requests: requestsWith({
          requestPermission: (request) => {
            asked.push(request.options);
            assert.ok(request.toolCall.title);
            assert.ok(agent === kindless || request.toolCall.kind);
            return Promise.resolve({ optionId: request.options.at(-1)?.optionId ?? '' });
          },
          readTextFile: ({ path }) => Promise.resolve(path),
          writeTextFile: () => Promise.resolve(),
          createTerminal: ({ command, args }) => Promise.resolve([command, ...args].join('|')),
        }),
      });
      const turn = connection.prompt('session-1', [{ type: 'text', text: 'Go' }]);
      const prompt = await peer.message(isMethod('session/prompt'));
      const lines = read(agent);
      for (const { id, method, params } of lines) {
        const { result } = (await ask(peer, String(method), params, id)) as { result: Raw };
        const { options, path, command } = params as {
          options?: Raw[];
          path?: string;
          command?: string;
        };
        assert.deepEqual(
          result,
          options
            ? { outcome: { outcome: 'selected', optionId: options.at(-1)?.['optionId'] } }
            : method === 'fs/read_text_file'
              ? { content: path }
              : method === 'terminal/create'
                ? { terminalId: command }
                : {},
        );
      }
      const sent = lines.filter(isMethod('session/request_permission'));
      assert.deepEqual(
        asked,
        sent.map((line) => (line['params'] as Raw)['options']),
      );
      peer.send({ jsonrpc: '2.0', id: prompt['id'], result: { stopReason: 'end_turn' } });
      assert.equal(await turn, 'end_turn');
      assert.deepEqual(log.lines, []);
    });
  }
});
