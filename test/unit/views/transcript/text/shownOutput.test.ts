import assert from 'node:assert/strict';
import { entryMarkdown } from '../../../../../src/model/transcript/transcriptText';
import type { ToolCallEntry } from '../../../../../src/shared/transcript/entries';
import { textsAt } from '../../../../../src/views/transcript/find/findTexts';
import { findText } from '../../../../../src/views/transcript/text/openParts';

const output = 'waiting\r\nworking\r\n\u001b[2A\u001b[J\u001b[32mready\u001b[0m\r\n';
const call: ToolCallEntry = {
  kind: 'toolCall',
  toolCallId: 'c1',
  title: 'Start',
  toolKind: 'execute',
  status: 'completed',
  locations: [],
  content: [
    { type: 'terminal', terminalId: 't' },
    { type: 'content', block: { type: 'text', text: output.replace('ready', 'ended') } },
  ],
  terminalOutput: new Map([['t', output]]),
};

describe('output of a command in other places than the page', () => {
  it('TE-9: is found as it is shown', () => {
    const texts = textsAt([call], 0);
    assert.ok(texts.includes('ready') && texts.includes('ended'));
    assert.doesNotMatch(texts.join('\n'), /wait|work|\u001b/);
  });

  it('TE-9: is copied and exported as it is shown', () => {
    const text = entryMarkdown(call, { agentTitle: 'Agent' });
    assert.match(text, /Terminal:\n\n```\nready\n```\n\n```\nended\n```$/);
    assert.doesNotMatch(text, /wait|work|\u001b/);
  });

  it('TE-9: opens in an editor as it is shown', () => {
    assert.deepEqual(
      [findText(call, 'content', 0)?.text, findText(call, 'content', 1)?.text],
      ['ready', 'ended'],
    );
  });
});
