import assert from 'node:assert/strict';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import { normaliseUpdate } from '../../../../src/protocol/v1/normaliseUpdate';
import { fc, tries } from '../../../support/properties';
import { normalise, text } from './normalised';
import type { LaterKind } from './updateKinds';

describe('normaliseUpdate', () => {
  it('UP-1: says which session an update is for', () => {
    const update = { sessionUpdate: 'agent_message_chunk', content: text('hi') };
    assert.deepEqual(normaliseUpdate({ sessionId: 'a/b 日', update }), {
      sessionId: 'a/b 日',
      update,
    });
  });

  for (const params of [
    null,
    [],
    'x',
    {},
    { sessionId: 7, update: {} },
    { sessionId: 's' },
    { sessionId: 's', update: [] },
  ]) {
    it(`gives a reason for params that are ${JSON.stringify(params)}`, () => {
      assert.equal(typeof normaliseUpdate(params), 'string');
    });
  }

  describe('UP-2: every kind of v1', () => {
    const minimal: Record<Exclude<SessionUpdate['sessionUpdate'], LaterKind>, object> = {
      user_message_chunk: { content: text('u') },
      agent_message_chunk: { content: text('a'), messageId: 'm' },
      agent_thought_chunk: { content: text('t') },
      tool_call: { toolCallId: 't', title: 'Read' },
      tool_call_update: { toolCallId: 't' },
      plan: { entries: [] },
      plan_removed: { planId: 'p' },
      _acp_sessions_unknown: { what: 'update', name: 'future', raw: '{}' },
      _acp_sessions_turn_end: { stopReason: 'max_tokens' },
      available_commands_update: { availableCommands: [] },
      current_mode_update: { currentModeId: 'ask' },
      config_option_update: { configOptions: [] },
      session_info_update: {},
      usage_update: { used: 1, size: 2 },
      prompt_suggestions_update: { suggestions: [] },
      notice: { severity: 'info', title: 'T' },
      compaction_update: { compactionId: 'c', status: 'in_progress' },
      compaction_summary_chunk: { compactionId: 'c', content: text('s') },
      subagent_update: { sessionId: 'child', title: 'Look', description: null },
      session_message: { messageId: 'm', content: [text('do')] },
      session_message_chunk: { messageId: 'm', content: text('do') },
    };
    for (const [sessionUpdate, fields] of Object.entries(minimal)) {
      it(sessionUpdate, () => {
        const update = { sessionUpdate, ...fields };
        assert.deepEqual(normalise({ ...update, extra: 1, _meta: undefined }), update);
      });
      it(`${sessionUpdate} with every field broken neither throws nor passes the breakage on`, () => {
        for (const broken of [null, 0, -1, true, '', [], {}, [null, 7, {}], { type: 'x' }]) {
          const bad = Object.fromEntries(Object.keys(fields).map((key) => [key, broken]));
          const result = normalise({ ...bad, sessionUpdate });
          assert.ok(
            typeof result === 'string' ||
              sessionUpdate === (result as { sessionUpdate: string }).sessionUpdate,
          );
        }
      });
    }
  });

  it('UP-3: an unknown kind is shown as such, unless its name says that it is for others', () => {
    for (const kind of ['future', 'state_update', 'constructor', 'k'.repeat(160)]) {
      const update = { sessionUpdate: kind, plan: {} };
      assert.deepEqual(normalise(update), {
        sessionUpdate: '_acp_sessions_unknown',
        what: 'update',
        name: kind.slice(0, 80),
        raw: JSON.stringify(update, undefined, 2),
      });
    }
  });

  for (const kind of ['_vendor', '', 7, null, undefined, '__proto__']) {
    it(`UP-3: kind ${JSON.stringify(kind)} gives a reason`, () => {
      assert.match(String(normalise({ sessionUpdate: kind, plan: {} })), /unknown kind/);
    });
  }

  describe('messages', () => {
    it('MSG-2: ids stay as they are', () => {
      for (const messageId of ['1', '01', ' 1', 'x'.repeat(5000)]) {
        const update = { sessionUpdate: 'user_message_chunk', content: text(''), messageId };
        assert.deepEqual(normalise(update), update);
      }
    });

    it('MSG-3: null is no id, as is anything that is not a string', () => {
      for (const messageId of [null, 5, {}]) {
        const update = { sessionUpdate: 'user_message_chunk', content: text('') };
        assert.deepEqual(normalise({ ...update, messageId }), update);
      }
    });
  });

  it('PL-3: entries of unknown status or priority are shown, broken ones left out', () => {
    const entries = [
      { content: 'a', priority: 'high', status: 'completed' },
      { content: 'b', status: 'odd' },
      { priority: 'low' },
      null,
    ];
    assert.deepEqual(normalise({ sessionUpdate: 'plan', entries }), {
      sessionUpdate: 'plan',
      entries: [
        { content: 'a', priority: 'high', status: 'completed' },
        { content: 'b', priority: 'medium', status: 'pending' },
      ],
    });
  });

  it('CM-1: commands with and without a hint', () => {
    const availableCommands = [
      { name: 'a', description: 'A', input: { hint: 'what' } },
      { name: 'b', input: null },
      { description: 'no name' },
    ];
    assert.deepEqual(normalise({ sessionUpdate: 'available_commands_update', availableCommands }), {
      sessionUpdate: 'available_commands_update',
      availableCommands: [
        { name: 'a', description: 'A', hint: 'what' },
        { name: 'b', description: '' },
      ],
    });
  });

  it('T-25: modeId counts as currentModeId', () => {
    assert.deepEqual(normalise({ sessionUpdate: 'current_mode_update', modeId: 'ask' }), {
      sessionUpdate: 'current_mode_update',
      currentModeId: 'ask',
    });
  });

  it('MO-4: a mode that Gemini only speaks of is a change of the mode, and no text', () => {
    const said = (value: string): unknown =>
      normalise({ sessionUpdate: 'agent_message_chunk', content: text(value) });
    assert.deepEqual(said('[MODE_UPDATE] autoEdit'), {
      sessionUpdate: 'current_mode_update',
      currentModeId: 'autoEdit',
    });
    for (const other of ['[MODE_UPDATE] ', 'See [MODE_UPDATE] yolo', '[MODE_UPDATE] yolo now']) {
      assert.deepEqual(said(other), {
        sessionUpdate: 'agent_message_chunk',
        content: text(other),
      });
    }
  });

  describe('session_info_update', () => {
    const info = (fields: object): unknown =>
      normalise({ sessionUpdate: 'session_info_update', ...fields });
    const expected = (fields: object): unknown => ({
      sessionUpdate: 'session_info_update',
      ...fields,
    });

    it('INFO-1: only present fields', () => {
      assert.deepEqual(info({ updatedAt: '2026-01-01' }), expected({ updatedAt: '2026-01-01' }));
    });
    it('INFO-2, T-21: null clears, an invalid value is ignored', () => {
      assert.deepEqual(info({ title: null, updatedAt: 5 }), expected({ title: null }));
    });
    it('T-40: Codex says when it works', () => {
      for (const [type, isWorking] of [
        ['active', { isWorking: true }],
        ['idle', { isWorking: false }],
        ['systemError', {}],
        [7, {}],
      ] as const) {
        const _meta = { codex: { threadStatus: { type, activeFlags: [] } } };
        assert.deepEqual(info({ _meta }), expected({ _meta, ...isWorking }));
      }
      assert.deepEqual(info({ _meta: { codex: 1 } }), expected({ _meta: { codex: 1 } }));
    });
    it('T-47: that a session is open elsewhere, which replaces no other _meta', () => {
      const acpSessions = { openElsewhere: false };
      assert.deepEqual(info({ _meta: { acpSessions } }), expected({ openElsewhere: false }));
      const _meta = { acpSessions: { openElsewhere: true }, a: 1 };
      assert.deepEqual(info({ _meta }), expected({ _meta, openElsewhere: true }));
    });
    it('INFO-3: _meta as it is, null included', () => {
      assert.deepEqual(info({ _meta: { a: 1 } }), expected({ _meta: { a: 1 } }));
      assert.deepEqual(info({ _meta: null }), expected({ _meta: null }));
      assert.deepEqual(info({ _meta: 'x' }), expected({}));
    });
    it('INFO-4: ids and folders are not part of it', () => {
      assert.deepEqual(
        info({ cwd: '/x', sessionId: 'y', additionalDirectories: [] }),
        expected({}),
      );
    });
  });

  it('US-1, US-3: usage has displayable numbers, or is ignored', () => {
    const usage = (used: unknown, size: unknown, cost?: unknown): unknown =>
      normalise({ sessionUpdate: 'usage_update', used, size, cost });
    const cost = { amount: 0.5, currency: 'credits' };
    assert.deepEqual(usage(5, 0, cost), { sessionUpdate: 'usage_update', used: 5, size: 0, cost });
    assert.deepEqual(usage(5, 9, { amount: 'x' }), {
      sessionUpdate: 'usage_update',
      used: 5,
      size: 9,
    });
    for (const bad of [null, '5', -1, JSON.parse('1e999')]) {
      assert.equal(usage(bad, 5), 'usage_update without numbers');
      assert.equal(usage(5, bad), 'usage_update without numbers');
    }
  });

  it('NO-2: severities are the agent’s own words, an empty title is no notice', () => {
    const notice = (fields: object): unknown => normalise({ sessionUpdate: 'notice', ...fields });
    for (const severity of ['info', 'warning', 'error', 'odd']) {
      assert.deepEqual(notice({ severity, title: 'T', description: null }), {
        sessionUpdate: 'notice',
        severity,
        title: 'T',
      });
    }
    assert.equal(notice({ severity: 'info', title: '' }), 'notice without a title');
  });

  it('CP-2, CP-4: omitted keeps, null clears, any status', () => {
    const update = { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'odd' };
    assert.deepEqual(normalise(update), update);
    assert.deepEqual(normalise({ ...update, summary: null, error: null }), {
      ...update,
      summary: null,
      error: null,
    });
    assert.deepEqual(normalise({ ...update, summary: [text('s'), null] }), {
      ...update,
      summary: [text('s')],
    });
    assert.deepEqual(normalise({ ...update, summary: [] }), { ...update, summary: [] });
  });

  it('never throws on an update whose fields are any JSON', () => {
    const kinds = [
      'agent_message_chunk',
      'tool_call',
      'tool_call_update',
      'plan',
      'plan_removed',
      'usage_update',
      'notice',
      'session_info_update',
      'compaction_update',
      'available_commands_update',
    ];
    const types = ['text', 'image', 'resource', 'diff', 'content', 'terminal'];
    const json = fc.jsonValue({ maxDepth: 2 });
    const part = fc.record(
      { type: fc.constantFrom(...types), text: json, path: json, resource: json, uri: json },
      { requiredKeys: ['type'] },
    );
    const field = fc.oneof(json, part, fc.array(part, { maxLength: 3 }));
    const names = ['toolCallId', 'content', 'entries', 'locations', 'title', 'status', 'kind'];
    const more = ['_meta', 'summary', 'availableCommands', 'used', 'size', 'cost'];
    const update = fc.record({
      kind: fc.constantFrom(...kinds),
      fields: fc.dictionary(fc.constantFrom(...names, ...more), field),
    });
    fc.assert(
      fc.property(update, ({ kind, fields }) => {
        const params = { sessionId: 's', update: { ...fields, sessionUpdate: kind } };
        const result = normaliseUpdate(params);
        assert.ok(typeof result === 'string' || result.update.sessionUpdate === kind);
      }),
      tries(1500),
    );
    fc.assert(fc.property(fc.jsonValue(), (params) => void normaliseUpdate(params)));
  });
});
