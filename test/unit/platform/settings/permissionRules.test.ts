import assert from 'node:assert/strict';
import {
  decideByRules,
  readPermissionRules,
} from '../../../../src/platform/settings/permissionRuleSettings';
import { type ToolKind } from '../../../../src/shared/transcript/content';

function decide(
  user: unknown,
  agent: string,
  kind: ToolKind,
  ...workspace: readonly unknown[]
): 'allow' | 'reject' | undefined {
  return decideByRules(readPermissionRules(user, workspace).rules, agent, kind);
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

  it('PE-5: a bad entry is named, and nothing behind it is allowed', () => {
    const reasons = [
      [7, /must be an object/],
      [{}, /"decision" must be/],
      [{ decision: 'ask' }, /"decision" must be/],
      [{ decision: 'reject', kind: 'exec' }, /"kind" must be one of/],
      [{ decision: 'reject', kind: null }, /"kind" must be one of/],
      [{ decision: 'reject', agent: 3 }, /"agent" must be/],
      [{ decision: 'reject', kinds: 'read' }, /Unknown property "kinds"/],
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
});
