import assert from 'node:assert/strict';
import { toldApart } from '../../../../src/model/agents/toldApart';
import type { AgentConfig } from '../../../../src/model/ports';
import { bench, config, FakeConnection } from '../fakes';

describe('agents of one name', () => {
  const titles = (...agents: readonly [string, Partial<AgentConfig>?][]): readonly string[] => [
    ...toldApart(
      agents.map(([name, more], index) => ({ name, config: config(`id-${index}`, more) })),
    ).values(),
  ];
  const npx = (spec: string): Partial<AgentConfig> => ({ command: 'npx', args: ['-y', spec] });
  const at = (url: string): Partial<AgentConfig> => ({
    ...{ command: '', remote: { url, headers: {}, pathMappings: [] } },
  });

  it('are told apart by what is shortest and differs', () => {
    assert.deepEqual(
      titles(
        ['Claude', npx('@agentclientprotocol/claude-agent-acp@0.101.0')],
        ['Claude', npx('@zed-industries/claude-code-acp@0.16.2')],
        ['claude', { command: '/opt/bin/claude-acp.exe' }],
      ),
      ['Claude (claude-agent-acp)', 'Claude (claude-code-acp)', 'claude (claude-acp)'],
    );
    assert.deepEqual(
      titles(
        ['Qwen', { command: 'qwen' }],
        ['Qwen', at('wss://one.example:80/acp')],
        ['Qwen', at('https://two.example')],
      ),
      ['Qwen (qwen)', 'Qwen (one.example:80)', 'Qwen (two.example)'],
    );
  });

  it('are told apart by their ids if they run the same, or only an interpreter is known', () => {
    assert.deepEqual(
      titles(
        ['Claude', npx('claude-agent-acp@1')],
        ['Claude', npx('claude-agent-acp@2')],
        ['Codex', { command: 'node', args: ['/a.js'] }],
        ['Codex', { command: '/usr/bin/node', args: ['/b.js'] }],
      ),
      ['Claude (id-0)', 'Claude (id-1)', 'Codex (id-2)', 'Codex (id-3)'],
    );
  });

  it('are told apart by their ids if one is the package that the other is installed from', () => {
    assert.deepEqual(
      titles(
        ['Claude', npx('@agentclientprotocol/claude-agent-acp@0.101.0')],
        ['Claude', { command: '/usr/bin/claude-agent-acp' }],
      ),
      ['Claude (id-0)', 'Claude (id-1)'],
    );
    const long = 'a'.repeat(60);
    assert.deepEqual(titles(['A', { command: `${long}1` }], ['A', { command: `${long}2` }]), [
      'A (id-0)',
      'A (id-1)',
    ]);
  });

  it('are not where nobody has the same name', () => {
    assert.deepEqual(titles(['Claude', npx('a')], ['Codex', npx('a')]), ['Claude', 'Codex']);
  });

  it('are as soon as one says its name, and no longer when one is gone', async () => {
    const made = bench(['first', 'second']);
    made.connect = () =>
      Promise.resolve(Object.assign(new FakeConnection(), { info: { title: 'Claude' } }));
    const [first, second] = made.agents.all;
    assert.ok(first && second);
    const changed: string[] = [];
    await first.connect();
    assert.deepEqual([first.title, second.title], ['Claude', 'second']);
    made.agents.onDidChangeAgent(({ title }) => changed.push(title));
    await second.connect();
    assert.deepEqual([first.title, second.title], ['Claude (first)', 'Claude (second)']);
    assert.deepEqual([...new Set(changed)].sort(), ['Claude (first)', 'Claude (second)', 'second']);
    made.settings.set(config('first'));
    assert.equal(first.title, 'Claude');
    await made.agents.close();
  });
});
