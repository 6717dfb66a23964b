import assert from 'node:assert/strict';
import { toolKinds, toolStatuses } from '../../../../src/shared/transcript/content';
import { normalise, text, toolField } from './normalised';

const update = { sessionUpdate: 'tool_call_update', toolCallId: 't' };

describe('tool calls of version 2', () => {
  it('an update has all that a call may have (V2-TOOL-1)', () => {
    const call = {
      ...update,
      title: 'Run',
      name: 'bash',
      kind: 'execute',
      status: 'paused',
      locations: [{ path: '/a', line: 3 }],
      content: [{ type: 'terminal', terminalId: 'x' }],
      rawInput: { any: ['json'] },
      rawOutput: 'text',
    };
    assert.deepEqual(normalise(call), call);
  });

  it('null clears or resets (V2-TOOL-2, V2-TOOL-4)', () => {
    const fields = ['title', 'name', 'kind', 'status', 'content', 'locations'];
    const nulls = Object.fromEntries([...fields, 'rawInput', 'rawOutput'].map((at) => [at, null]));
    assert.deepEqual(normalise({ ...update, ...nulls }), {
      ...update,
      title: null,
      name: null,
      kind: 'other',
      status: 'pending',
      content: [],
      locations: [],
      rawInput: null,
      rawOutput: null,
    });
    for (const field of fields) {
      assert.equal(toolField(field, 5), undefined, field);
    }
    assert.deepEqual(toolField('content', []), []);
    assert.deepEqual(toolField('locations', []), []);
    assert.equal(toolField('content', [null, 5]), undefined);
  });

  it('an unknown status is one of a running call, an unknown kind is other (V2-TOOL-5, V2-TOOL-6)', () => {
    for (const status of toolStatuses) {
      assert.equal(toolField('status', status), status);
    }
    for (const status of ['_queued', 'future', '']) {
      assert.equal(toolField('status', status), 'in_progress');
    }
    for (const kind of toolKinds) {
      assert.equal(toolField('kind', kind), kind);
    }
    assert.equal(toolField('kind', '_zap'), 'other');
  });

  it('content of an unknown type leaves a placeholder (V2-TOOL-7)', () => {
    const content = [{ type: 'film', reel: 1 }, { type: 'content', content: text('x') }, text('y')];
    assert.deepEqual(toolField('content', content), [
      {
        type: 'content',
        block: { type: 'unknown', label: 'film', raw: '{\n  "type": "film",\n  "reel": 1\n}' },
      },
      { type: 'content', block: text('x') },
      { type: 'content', block: text('y') },
    ]);
  });

  it('lines count from 1, and 0 is none (V2-TOOL-8)', () => {
    const locations = [0, -3, 1, 2.7, null, 'x'].map((line) => ({ path: '/a', line }));
    assert.deepEqual(toolField('locations', locations), [
      { path: '/a' },
      { path: '/a' },
      { path: '/a', line: 1 },
      { path: '/a', line: 2 },
      { path: '/a' },
      { path: '/a' },
    ]);
  });

  it('a chunk is one piece of content: several for a diff of several files (V2-TOOL-3)', () => {
    const chunk = { sessionUpdate: 'tool_call_content_chunk', toolCallId: 't' };
    const changes = ['/a', '/b'].map((path) => ({ operation: 'delete', path }));
    assert.deepEqual(normalise({ ...chunk, content: { type: 'diff', changes } }), {
      ...chunk,
      content: changes.map((change) => ({ type: 'fileChange', ...change })),
    });
    for (const content of [undefined, null, 7, []]) {
      assert.match(String(normalise({ ...chunk, content })), /without id or content/);
    }
  });

  it('sessions of subagents are found in either (V2-SUB-1)', () => {
    const content = { type: 'session', sessionId: 'c' };
    assert.deepEqual(normalise({ ...update, content: [content] }), {
      ...update,
      content: [],
      subagentIds: ['c'],
    });
    const chunk = { sessionUpdate: 'tool_call_content_chunk', toolCallId: 't', content };
    assert.deepEqual(normalise(chunk), { ...update, subagentIds: ['c'] });
  });

  it('TE-9, SUB-3: what adapters say in _meta is read as in version 1 (V2-EXT-4)', () => {
    const terminal = { terminal_id: 'x', data: 'out\n' };
    const claudeCode = { parentToolUseId: 'task' };
    assert.deepEqual(normalise({ ...update, _meta: { terminal_output: terminal, claudeCode } }), {
      ...update,
      parentCallId: 'task',
      terminalOutput: [{ terminalId: 'x', text: 'out\n', append: true }],
    });
    const exit = { terminal_id: 'x', exit_code: 2, signal: null };
    assert.deepEqual(normalise({ ...update, _meta: { terminal_exit: exit } }), {
      ...update,
      terminalOutput: [{ terminalId: 'x', text: '', append: true }],
      terminalExit: { terminalId: 'x', exitCode: 2, signal: null },
    });
    const piece = {
      sessionUpdate: 'tool_call_content_chunk',
      toolCallId: 't',
      content: { type: 'content', content: text('a') },
    };
    assert.deepEqual(normalise({ ...piece, _meta: { claudeCode } }), {
      ...piece,
      content: [{ type: 'content', block: text('a') }],
      parentCallId: 'task',
    });
    for (const _meta of [1, [], 'x', null, { terminal_output: 5 }, { claudeCode: 5 }]) {
      assert.deepEqual(normalise({ ...update, _meta }), update);
    }
  });
});
