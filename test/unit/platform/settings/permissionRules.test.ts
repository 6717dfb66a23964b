import assert from 'node:assert/strict';
import { decideByKind } from '../../../../src/model/rules/permissionRule';
import { readPermissionRules } from '../../../../src/platform/settings/permissionRuleSettings';
import { type ToolKind } from '../../../../src/shared/transcript/content';

function decide(
  user: unknown,
  agent: string,
  kind: ToolKind,
  ...workspace: readonly unknown[]
): 'allow' | 'reject' | undefined {
  return decideByKind(readPermissionRules(user, workspace).rules, agent, kind);
}

describe('rules for permissions', () => {
  it('PE-5: the first matching rule decides, and without one the user is asked', () => {
    const rules = [
      { agent: 'a', kind: 'execute', decision: 'reject' },
      { kind: 'read', decision: 'allow' },
      { agent: 'a', decision: 'allow' },
    ];
    assert.equal(decide(rules, 'a', 'execute'), 'reject');
    assert.equal(decide(rules, 'b', 'execute'), undefined);
    assert.equal(decide(rules, 'b', 'read'), 'allow');
    assert.equal(decide(rules, 'a', 'edit'), 'allow');
    assert.equal(decide([{ decision: 'reject' }], 'any', 'other'), 'reject');
    assert.equal(decide(undefined, 'a', 'read'), undefined);
    assert.equal(decide([], 'a', 'read'), undefined);
  });

  it('PE-5: a workspace can only reject', () => {
    const allow = [{ decision: 'allow' }];
    assert.equal(decide(undefined, 'a', 'read', allow, allow), undefined);
    assert.equal(decide(allow, 'a', 'edit', [{ kind: 'edit', decision: 'reject' }]), 'reject');
    assert.equal(decide(allow, 'a', 'read', [{ kind: 'edit', decision: 'reject' }]), 'allow');
    assert.equal(decide([{ decision: 'reject' }], 'a', 'read', allow), 'reject');
    assert.match(readPermissionRules(undefined, [allow]).problems[0] ?? '', /only reject/);
  });

  it('PE-5: what several levels have in common is reported once', () => {
    const allow = [{ decision: 'allow' }];
    assert.equal(readPermissionRules(undefined, [allow, allow]).problems.length, 1);
  });

  it('PE-5: a bad entry that allows is named, and nothing behind it is allowed', () => {
    const reasons = [
      [{ decision: 'allow', kind: 'exec' }, /"kind" must be one of/],
      [{ decision: 'allow', kind: null }, /"kind" must be one of/],
      [{ decision: 'allow', agent: 3 }, /"agent" must be/],
      [{ decision: 'allow', kinds: 'read' }, /Unknown property "kinds"/],
    ] as const;
    for (const [bad, reason] of reasons) {
      const user = [
        { kind: 'read', decision: 'allow' },
        bad,
        { kind: 'edit', decision: 'reject' },
        { decision: 'allow' },
      ];
      assert.match(readPermissionRules(user, []).problems[0] ?? '', reason);
      assert.equal(decide(user, 'a', 'read'), 'allow');
      assert.equal(decide(user, 'a', 'edit'), 'reject');
      assert.equal(decide(user, 'a', 'execute'), undefined);
    }
    assert.match(readPermissionRules({ decision: 'allow' }, []).problems[0] ?? '', /a list/);
  });

  it('PE-5, SEC-19: whatever else can’t be read may have been meant to reject, and does, all of its kind', () => {
    const reasons = [
      [7, /must be an object/],
      [null, /must be an object/],
      ['reject git push', /must be an object/],
      [['git', 'push'], /must be an object/],
      [{}, /"decision" must be/],
      [{ kind: 'execute', decision: 'Reject' }, /"decision" must be/],
      [{ kind: 'execute', decision: 'deny' }, /"decision" must be/],
      [{ kind: 'execute' }, /"decision" must be/],
      [{ decision: 'reject', kind: 'exec' }, /"kind" must be one of/],
      [{ decision: 'reject', agent: 5, kind: 'execute' }, /"agent" must be/],
      [{ commands: ['git', 'push'], decision: 'reject' }, /Unknown property "commands"/],
      [{ kind: 'execute', decision: 'reject', comment: 'never' }, /Unknown property "comment"/],
    ] as const;
    for (const [bad, reason] of reasons) {
      const user = [{ decision: 'allow' }, bad];
      assert.match(readPermissionRules(user, []).problems[0] ?? '', reason);
      assert.equal(decide(user, 'a', 'execute'), 'reject', JSON.stringify(bad));
    }
    assert.equal(decide([{ decision: 'allow' }, { kind: 'execute' }], 'a', 'edit'), 'allow');
  });

  it('PE-5: commands and paths are read as they are written', () => {
    const rules = [
      { command: ['git', 'status'], decision: 'allow' },
      { agent: 'a', kind: 'execute', command: ['/opt/my tool'], decision: 'reject' },
      { kind: 'edit', path: 'src/**/*.ts', decision: 'allow' },
      { path: '**/.env', decision: 'reject' },
    ];
    const read = readPermissionRules(rules, [[rules[0], rules[3]]]);
    const all = rules.map((rule) => ({ agent: undefined, kind: undefined, ...rule }));
    assert.deepEqual(read.rules, [all[3], ...all]);
    assert.match(read.problems[0] ?? '', /only reject/);
  });

  it('PE-5, SEC-19: a rule with a bad command or path rejects all of its kind, unless it says that it allows', () => {
    const reasons = [
      [{ command: 'git status' }, /"command" must be an array/, 'execute'],
      [{ command: ['git status'] }, /"command" must be an array/, 'execute'],
      [{ command: [] }, /"command" must be an array/, 'execute'],
      [{ command: ['git', ''] }, /"command" must be an array/, 'execute'],
      [{ command: ['rm'], kind: 'edit' }, /only have the kind "execute"/, 'edit'],
      [{ command: ['rm'], path: 'x' }, /not both/, 'execute'],
      [{ path: '/etc/**' }, /relative/, 'read'],
      [{ path: '../x' }, /relative/, 'read'],
      [{ path: 'a//b' }, /relative/, 'read'],
      [{ path: 'src/' }, /relative/, 'read'],
      [{ path: '~/x' }, /relative/, 'read'],
      [{ path: 'C:/x' }, /relative/, 'read'],
      [{ path: 'a\\b' }, /relative/, 'read'],
      [{ path: '*.{ts,js}' }, /relative/, 'read'],
      [{ path: 'a'.repeat(2000) }, /relative/, 'read'],
      [{ path: 7 }, /relative/, 'read'],
      [{ path: 'x', kind: 'execute' }, /only have one of these kinds/, 'execute'],
    ] as const;
    for (const [bad, reason, kind] of reasons) {
      const allow = { kind, decision: 'allow' };
      const [first = '', second = ''] = readPermissionRules(
        [allow, { ...bad, decision: 'reject' }],
        [],
      ).problems;
      assert.match(first, reason);
      assert.match(second, /is rejected/);
      assert.equal(decide([allow, { ...bad, decision: 'reject' }], 'a', kind), 'reject');
      assert.equal(decide([allow, bad], 'a', kind), 'reject');
      assert.equal(decide([allow, { ...bad, decision: 'allow' }], 'a', kind), 'allow');
      assert.equal(decide(undefined, 'a', kind, [{ ...bad, decision: 'reject' }]), 'reject');
    }
    const other = [{ decision: 'allow' }, { agent: 'b', path: '/x', decision: 'reject' }];
    assert.equal(decide(other, 'a', 'read'), 'allow');
    assert.equal(decide(other, 'b', 'read'), 'reject');
  });
});
