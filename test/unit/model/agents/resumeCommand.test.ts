import assert from 'node:assert/strict';
import { findResumeCommand, isPlainId } from '../../../../src/model/agents/resumeCommand';
import { config } from '../fakes';

function words(command: string, args: readonly string[], resumeCommand?: readonly string[]) {
  const entry = config('a', { command, args, ...(resumeCommand && { resumeCommand }) });
  return findResumeCommand(entry, 'id-1')?.join(' ');
}

describe('the command that continues a session in a terminal', () => {
  it('is that of a known agent, by the words of its entry', () => {
    assert.equal(words('claude-agent-acp', []), 'claude --resume id-1');
    assert.equal(words('/opt/bin/codex-acp', ['-c', 'x']), 'codex resume id-1');
    assert.equal(words('C:\\npm\\claude-agent-acp.cmd', []), 'claude --resume id-1');
    assert.equal(words('/opt/gemini', ['--acp']), '/opt/gemini --resume id-1');
    assert.equal(words('copilot', ['--acp']), 'copilot --resume id-1');
    assert.equal(words('qwen', ['--acp']), 'qwen --resume id-1');
    assert.equal(words('opencode', ['acp']), 'opencode --session id-1');
    const npx = ['--yes', '--package=@google/gemini-cli@0.61.0', '--', 'gemini', '--acp'];
    assert.equal(
      words('npx', npx),
      'npx --yes --package=@google/gemini-cli@0.61.0 -- gemini --resume id-1',
    );
    const claude = ['--yes', '@agentclientprotocol/claude-agent-acp@0.100.0'];
    assert.equal(words('npx', claude), 'claude --resume id-1');
  });

  it('is unknown for others, and for a known program that is started in another way', () => {
    assert.equal(words('my-agent', ['--acp']), undefined);
    assert.equal(words('node', ['@google/gemini-cli', '--acp']), undefined);
    assert.equal(words('gemini', ['--experimental-acp']), undefined);
    assert.equal(words('npx', ['@evil/claude-agent-acp']), undefined);
  });

  it('is that of the settings before all others, with the ID in one word', () => {
    const own = ['my agent', '--session=${sessionId}', '$HOME'];
    const entry = config('a', { command: 'gemini', args: ['--acp'], resumeCommand: own });
    assert.deepEqual(findResumeCommand(entry, '$&x'), ['my agent', '--session=$&x', '$HOME']);
  });

  it('SEC-41: takes only IDs that are no option and no text for a shell', () => {
    for (const id of ['c991d867-78de-4b4c-825b-7d57640f02cd', 'ses_e046fd20', 'a:b@c.d', '7']) {
      assert.ok(isPlainId(id), id);
    }
    for (const id of [
      ...['', '-p', '--dangerously-skip-permissions', 'a b', 'a;b', '$(x)', '`x`', 'a\nb', '../x'],
      ...['a/b', 'a\\b', '"a"', "'a'", 'a&b', '%PATH%', '\u202ea', 'ä', 'a'.repeat(512), '@a'],
    ]) {
      assert.ok(!isPlainId(id), id);
    }
  });
});
