import assert from 'node:assert/strict';
import { toolKinds } from '../../../../src/shared/transcript/content';
import { normalise, text } from './normalised';

/** The normalized value of this field in an update of a tool call. */
function toolField(field: string, value: unknown): unknown {
  const update = normalise({ sessionUpdate: 'tool_call_update', toolCallId: 't', [field]: value });
  return (update as Record<string, unknown>)[field];
}

describe('tool calls', () => {
  it('TO-1: a full call', () => {
    const call = {
      sessionUpdate: 'tool_call',
      toolCallId: 't',
      title: 'Edit',
      name: 'edit_file',
      kind: 'edit',
      status: 'pending',
      content: [
        { type: 'diff', path: '/a', oldText: null, newText: 'n' },
        { type: 'terminal', terminalId: 'x' },
      ],
      locations: [{ path: '/a', line: 3 }, { path: '/b' }],
      rawInput: { any: ['json'] },
      rawOutput: 'text',
    };
    assert.deepEqual(normalise(call), call);
  });

  it('TO-1: without an id there is no call', () => {
    assert.equal(normalise({ sessionUpdate: 'tool_call', title: 'x' }), 'tool_call without an id');
  });

  it('TO-2, T-21: null, omitted and broken all mean unchanged', () => {
    const fields = [
      'title',
      'name',
      'kind',
      'status',
      'content',
      'locations',
      'rawInput',
      'rawOutput',
    ];
    for (const broken of [null, undefined]) {
      const update = { sessionUpdate: 'tool_call_update', toolCallId: 't' };
      const bad = Object.fromEntries(fields.map((field) => [field, broken]));
      assert.deepEqual(normalise({ ...update, ...bad }), update);
    }
    for (const field of fields.slice(0, 6)) {
      assert.equal(toolField(field, 5), undefined, field);
    }
  });

  it('TO-3: kinds, and other for those from the future', () => {
    for (const kind of toolKinds) {
      assert.equal(toolField('kind', kind), kind);
    }
    assert.equal(toolField('kind', 'zap'), 'other');
  });

  it('TO-4: an unknown status leaves the previous one', () => {
    assert.equal(toolField('status', 'failed'), 'failed');
    assert.equal(toolField('status', 'weird'), undefined);
  });

  it('TO-5: content', () => {
    const diff = { type: 'diff', path: '/a', newText: 'n' };
    assert.deepEqual(toolField('content', [diff, { type: 'content', content: text('x') }, null]), [
      { ...diff, oldText: null },
      { type: 'content', block: text('x') },
    ]);
  });

  it('T-25: bare blocks, as in the documentation', () => {
    assert.deepEqual(toolField('content', [text('plan')]), [
      { type: 'content', block: text('plan') },
    ]);
  });

  it('SDK-7: unreadable content doesn’t erase earlier content', () => {
    assert.equal(toolField('content', [null, 5]), undefined);
    assert.deepEqual(toolField('content', []), []);
  });

  it('CO-8: content of an unknown or broken type leaves a placeholder', () => {
    const items = [{ type: 'diff', path: '/a' }, { type: 'movie' }];
    assert.deepEqual(
      toolField('content', items),
      items.map((item) => ({
        type: 'content',
        block: { type: 'unknown', label: item.type, raw: JSON.stringify(item, undefined, 2) },
      })),
    );
  });

  it('TO-6, TR-12: lines are 1-based, and clamped', () => {
    const locations = [
      { path: '/a', line: 0 },
      { path: '/b', line: 2.7 },
      { path: '/c', line: 'x' },
      { line: 1 },
    ];
    assert.deepEqual(toolField('locations', locations), [
      { path: '/a', line: 1 },
      { path: '/b', line: 2 },
      { path: '/c' },
    ]);
  });

  it('TE-9: output of terminals that the agent ran itself', () => {
    const update = { sessionUpdate: 'tool_call_update', toolCallId: 't' };
    const output = { terminal_id: 'x', data: 'out\n' };
    assert.deepEqual(normalise({ ...update, _meta: { terminal_output: output } }), {
      ...update,
      terminalOutput: [{ terminalId: 'x', text: 'out\n', append: true }],
    });
    assert.deepEqual(normalise({ ...update, _meta: { terminal_output_delta: output } }), {
      ...update,
      terminalOutput: [{ terminalId: 'x', text: 'out\n', append: true }],
    });
    const call = { sessionUpdate: 'tool_call', toolCallId: 't' };
    assert.deepEqual(normalise({ ...call, _meta: { terminal_info: { terminal_id: 'x' } } }), {
      ...call,
      terminalOutput: [{ terminalId: 'x', text: '', append: false }],
    });
  });

  it('TE-9: how a command that the agent ran itself ended, and what it has printed (T-73)', () => {
    const update = { sessionUpdate: 'tool_call_update', toolCallId: 't' };
    const ended = (exit: object) => normalise({ ...update, _meta: { terminal_exit: exit } });
    const piece = { terminalId: 'x', text: '', append: true };
    for (const [exit_code, signal] of [
      [3, null],
      [0, null],
      [null, 'SIGTERM'],
    ] as const) {
      assert.deepEqual(ended({ terminal_id: 'x', exit_code, signal }), {
        ...update,
        terminalOutput: [piece],
        terminalExit: { terminalId: 'x', exitCode: exit_code, signal },
      });
    }
    const unknown = { ...update, terminalOutput: [piece] };
    assert.deepEqual(ended({ terminal_id: 'x', exit_code: null, signal: null }), unknown);
    assert.deepEqual(ended({ terminal_id: 'x', exit_code: 1.5, signal: 7 }), unknown);
    const printed = (toolResponse: unknown) =>
      normalise({ ...update, _meta: { claudeCode: { toolResponse } } });
    const streams = { stdout: 'out\n', stderr: 'err' };
    assert.deepEqual(printed({ ...streams, interrupted: false, isImage: false }), {
      ...update,
      printed: streams,
    });
    assert.deepEqual(printed({ stdout: '', stderr: '', interrupted: false }), update);
    assert.deepEqual(printed({ filePath: '/a', originalFile: 'x' }), update);
    const huge = printed({ stdout: 'x'.repeat(5_000_000) }) as { printed: { stdout: string } };
    assert.ok(huge.printed.stdout.length < 4_300_000);
  });

  it('EX-2: _meta of any shape does no harm', () => {
    const update = { sessionUpdate: 'tool_call_update', toolCallId: 't' };
    for (const _meta of [
      1,
      [],
      'x',
      null,
      { terminal_output: 5 },
      { terminal_output: { data: 'x' } },
      { terminal_exit: { exit_code: 1 } },
      { terminal_exit: [], claudeCode: { toolResponse: [1] } },
    ]) {
      assert.deepEqual(normalise({ ...update, _meta }), update);
    }
  });
});
