import assert from 'node:assert/strict';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import { normaliseUpdate } from '../../../../src/protocol/v2/normaliseUpdate';
import { fc, tries } from '../../../support/properties';
import { leastUpdates, normalise, text } from './normalised';
import { assertShape } from './updateShapes';

/** Values that no field may have. */
const broken = [null, 0, -1, true, '', [], {}, [null, 7, {}], { type: 'x' }];

const film = { type: 'unknown', label: 'film', raw: '{\n  "type": "film"\n}' };

describe('normaliseUpdate of version 2', () => {
  it('says which session an update is for', () => {
    const update = { sessionUpdate: 'agent_message_chunk', content: text('hi') };
    assert.deepEqual(normaliseUpdate({ sessionId: 'a/b 日', update }), {
      sessionId: 'a/b 日',
      update,
    });
    for (const params of [null, [], {}, { sessionId: 7, update }, { sessionId: 's' }]) {
      assert.equal(typeof normaliseUpdate(params), 'string');
    }
  });

  for (const { kind, fields, read } of leastUpdates) {
    it(`reads the least ${kind}, and passes over what isn't known of it (V2-EXT-4)`, () => {
      const update = { sessionUpdate: kind, ...fields, extra: 1 };
      assert.deepEqual(normalise(update), read);
      const { _meta, ...rest } = normalise({ ...update, _meta: { vendor: { a: [1] } } }) as {
        _meta?: unknown;
      };
      assert.deepEqual(rest, read);
    });

    it(`a ${kind} with every field broken neither throws nor passes the breakage on`, () => {
      for (const value of broken) {
        const bad = Object.fromEntries(Object.keys(fields).map((key) => [key, value]));
        const result = normalise({ ...bad, sessionUpdate: kind });
        if (typeof result !== 'string') {
          assert.equal((result as SessionUpdate).sessionUpdate, read.sessionUpdate);
          assertShape(result as SessionUpdate);
        }
      }
    });

    if (Object.keys(fields).length > 0) {
      it(`a ${kind} without what it needs gives a reason`, () => {
        assert.equal(typeof normalise({ sessionUpdate: kind }), 'string');
      });
    }
  }

  describe('messages', () => {
    it('a chunk belongs to the message with its id; without one, to the last one (V2-MSG-2, T-48)', () => {
      const chunk = { sessionUpdate: 'user_message_chunk', content: text('') };
      for (const messageId of ['1', '01', ' 1', 'x'.repeat(5000)]) {
        const update = { ...chunk, messageId };
        assert.deepEqual(normalise(update), { ...update, idIsUnique: true });
      }
      for (const messageId of [null, undefined, 5, {}, '']) {
        assert.deepEqual(normalise({ ...chunk, messageId }), chunk);
      }
    });

    it('null and [] clear, absent and malformed content changes nothing (V2-MSG-3 to V2-MSG-5)', () => {
      const update = { sessionUpdate: 'agent_message', messageId: 'm' };
      const content = (value: unknown): unknown => normalise({ ...update, content: value });
      assert.deepEqual(content([text('a'), { type: 'film' }, null]), {
        ...update,
        content: [text('a'), film],
      });
      for (const empty of [null, []]) {
        assert.deepEqual(content(empty), { ...update, content: [] });
      }
      for (const odd of [undefined, 7, 'x', {}, [null, 5]]) {
        assert.deepEqual(content(odd), update);
      }
      assert.deepEqual(normalise({ ...update, _meta: { a: 1 } }), update);
    });

    it('a text of Gemini’s about a mode is a text, and a call’s subagent is told', () => {
      const chunk = {
        sessionUpdate: 'agent_message_chunk',
        content: text('[MODE_UPDATE] yolo'),
        messageId: 'm',
      };
      const _meta = { claudeCode: { parentToolUseId: 'task' } };
      assert.deepEqual(normalise({ ...chunk, _meta }), {
        ...chunk,
        idIsUnique: true,
        parentCallId: 'task',
      });
      const whole = { sessionUpdate: 'user_message', messageId: 'm', content: [text('Look.')] };
      assert.deepEqual(normalise({ ...whole, _meta }), { ...whole, parentCallId: 'task' });
    });
  });

  it('unknown kinds are shown, those of version 1 among them, unless they are for others (V2-EXT-1 to V2-EXT-3)', () => {
    const earlier = ['tool_call', 'plan', 'current_mode_update', 'subagent_spawned'];
    for (const kind of ['future', 'constructor', 'k'.repeat(500), ...earlier]) {
      const update = { sessionUpdate: kind, toolCallId: 't', entries: [] };
      assert.deepEqual(normalise(update), {
        sessionUpdate: '_acp_sessions_unknown',
        what: 'update',
        name: kind.slice(0, 80),
        raw: JSON.stringify(update, undefined, 2),
      });
    }
    for (const kind of ['_vendor/x', '__proto__', '', 7, null, undefined]) {
      assert.match(String(normalise({ sessionUpdate: kind })), /^update of unknown kind/);
    }
  });

  it('commands: those of an unknown type are plain ones, an unknown input is none (V2-CMD-1, V2-CMD-2)', () => {
    const availableCommands = [
      { type: 'command', name: 'a', description: 'A', input: { type: 'text', hint: 'what' } },
      { type: '_flow', name: 'b', description: 'B', input: null, steps: [] },
      { name: 'c', input: { type: 'form', hint: 'no text' } },
      { name: 'd', input: { hint: 'as in version 1' } },
      { type: 'command', description: 'no name' },
    ];
    assert.deepEqual(normalise({ sessionUpdate: 'available_commands_update', availableCommands }), {
      sessionUpdate: 'available_commands_update',
      availableCommands: [
        { name: 'a', description: 'A', hint: 'what' },
        { name: 'b', description: 'B' },
        { name: 'c', description: '' },
        { name: 'd', description: '', hint: 'as in version 1' },
      ],
    });
  });

  it('options have a configId, groups a groupId, and unknown types are kept apart (V2-CONF-2 to V2-CONF-4)', () => {
    const unknown = { configId: 'n', name: 'N', type: 'number', currentValue: 5 };
    const configOptions = [
      {
        configId: 'mode',
        name: 'Mode',
        category: 'future',
        type: 'select',
        currentValue: 'a',
        options: [{ groupId: 'g', options: [{ value: 'a', name: 'A' }] }],
      },
      { configId: 'think', name: 'Think', type: 'boolean', currentValue: true },
      unknown,
      { id: 'earlier', name: 'E', type: 'boolean', currentValue: true },
    ];
    assert.deepEqual(normalise({ sessionUpdate: 'config_option_update', configOptions }), {
      sessionUpdate: 'config_option_update',
      configOptions: [
        {
          id: 'mode',
          name: 'Mode',
          category: 'future',
          type: 'select',
          value: 'a',
          groups: [{ name: 'g', choices: [{ value: 'a', name: 'A' }] }],
        },
        { id: 'think', name: 'Think', type: 'boolean', value: true },
        {
          ...{ type: 'unknown', kind: 'number', name: 'N' },
          raw: JSON.stringify(unknown, undefined, 2),
        },
      ],
    });
  });

  it('session_info_update changes only what it has (V2-INFO-1, T-47)', () => {
    const info = { sessionUpdate: 'session_info_update' };
    const _meta = { acpSessions: { openElsewhere: true } };
    assert.deepEqual(normalise({ ...info, title: null, updatedAt: 5, _meta }), {
      ...info,
      title: null,
      openElsewhere: true,
    });
  });

  it('usage: a cost that is omitted stays, null clears it, and any unit does (V2-USE-1, V2-USE-2)', () => {
    const usage = { sessionUpdate: 'usage_update', used: 5, size: 9 };
    const cost = { amount: 0.5, currency: 'credits' };
    assert.deepEqual(normalise({ ...usage, cost }), { ...usage, cost });
    assert.deepEqual(normalise({ ...usage, cost: null }), usage);
    for (const odd of [undefined, 7, { amount: 'x' }]) {
      assert.deepEqual(normalise({ ...usage, cost: odd }), { ...usage, keepsCost: true });
    }
  });

  it('a notice of an unknown severity is one, and compactions are patches (V2-NOTICE-1, V2-COMP-1, V2-COMP-2)', () => {
    const notice = { sessionUpdate: 'notice', severity: '_odd', title: 'T' };
    assert.deepEqual(normalise(notice), notice);
    const update = { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'odd' };
    const cleared = { ...update, summary: null, error: null };
    assert.deepEqual(normalise(cleared), cleared);
    const { status: _, ...unchanged } = cleared;
    assert.deepEqual(normalise(unchanged), unchanged);
    assert.deepEqual(normalise({ ...update, status: null }), { ...update, status: 'in_progress' });
    const chunk = { sessionUpdate: 'compaction_summary_chunk', compactionId: 'n' };
    assert.deepEqual(normalise({ ...chunk, content: { type: 'film' } }), {
      ...chunk,
      content: film,
    });
  });

  it('subagents: null clears, a state from the future is unknown, messages are read (V2-SUB-1 to V2-SUB-4)', () => {
    const update = { sessionUpdate: 'subagent_update', sessionId: 'c' };
    assert.deepEqual(normalise({ ...update, title: null, capabilities: null, state: null }), {
      ...update,
      title: null,
      canCancel: false,
      state: null,
    });
    for (const state of ['unknown', '_asleep']) {
      assert.deepEqual(normalise({ ...update, state: { state, background: [] } }), {
        ...update,
        state: { kind: 'unknown' },
      });
    }
    const message = { sessionUpdate: 'session_message', messageId: 'm', senderSessionId: 'c' };
    assert.deepEqual(normalise({ ...message, content: null }), { ...message, content: [] });
  });

  it('never throws on an update whose fields are any JSON, and its result has the shape of a kind', () => {
    const json = fc.jsonValue({ maxDepth: 2 });
    const types = ['text', 'image', 'diff', 'content', 'terminal', 'items', 'markdown', 'file'];
    const patch = fc.record({ format: fc.constant('git_patch'), text: patchText() });
    const part = fc.record(
      {
        type: fc.constantFrom(...types),
        text: json,
        path: json,
        changes: fc.oneof(
          json,
          fc.array(fc.record({ operation: json, path: fc.constantFrom('/a', '/b') })),
        ),
        patch: fc.oneof(json, patch),
        entries: json,
        uri: json,
        state: json,
      },
      { requiredKeys: ['type'] },
    );
    const field = fc.oneof(json, part, fc.array(part, { maxLength: 3 }));
    const names = [
      ...['toolCallId', 'content', 'messageId', 'locations', 'title', 'status', 'kind', '_meta'],
      ...[
        'summary',
        'availableCommands',
        'configOptions',
        'used',
        'size',
        'cost',
        'plan',
        'planId',
      ],
      ...[
        'terminalId',
        'output',
        'exitStatus',
        'data',
        'state',
        'stopReason',
        'error',
        'background',
      ],
    ];
    const kinds = new Map(leastUpdates.map(({ kind, read }) => [kind, read.sessionUpdate]));
    const update = fc.record({
      kind: fc.constantFrom(...kinds.keys()),
      fields: fc.dictionary(fc.constantFrom(...names), field),
    });
    fc.assert(
      fc.property(update, ({ kind, fields }) => {
        const result = normaliseUpdate({
          sessionId: 's',
          update: { ...fields, sessionUpdate: kind },
        });
        if (typeof result !== 'string') {
          assert.equal(result.update.sessionUpdate, kinds.get(kind));
          assertShape(result.update);
        }
      }),
      tries(500),
    );
    fc.assert(fc.property(fc.jsonValue(), (params) => void normaliseUpdate(params)));
  });
});

/** Lines of patches in any order. */
function patchText(): fc.Arbitrary<string> {
  const lines = [
    ...['diff --git /a /a', 'diff --git "/b" "/b"', 'diff --git', '--- /a', '+++ /dev/null'],
    ...[
      '@@ -1 +1 @@',
      '@@ -1,3 +0,0 @@',
      '@@ x',
      '-a',
      '+b',
      ' c',
      '',
      '\\ No newline',
      'rename to /b',
    ],
    ...[
      '"\\303',
      'new file mode 120000',
      'Binary files /a and /b differ',
      'GIT binary patch',
      '\r',
    ],
  ];
  return fc.array(fc.constantFrom(...lines), { maxLength: 20 }).map((each) => each.join('\n'));
}
