import assert from 'node:assert/strict';
import type { OfferedRule, PermissionOption } from '../../../../src/shared/requests/agentQuestions';
import { deferred } from '../../../../src/util/async';
import { until } from '../../../support/until';
import type { FakeConnection } from '../fakes';
import { prompted, sessionBench } from '../sessionBench';

const options: readonly PermissionOption[] = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
const never = new AbortController().signal;

function ask(connection: FakeConnection, toolCallId: string, own = options) {
  const toolCall = { toolCallId, title: 'Status', kind: 'execute' as const };
  return connection.requests.requestPermission({ sessionId: 's0', toolCall, options: own }, never);
}

describe('Rules that are offered with permission requests', () => {
  it('PE-5: a rule is offered with a request that waits for it, and only with an option to allow once', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    const rule = { command: ['git', 'status'] };
    const offer = deferred<OfferedRule | undefined>();
    made.offer = offer.promise;
    const answers = [ask(connection, 'a'), ask(connection, 'b', options.slice(0, 1))];
    const late = ask(connection, 'c');
    const ids = made.session.requests.waiting.map((index) => {
      const entry = made.session.transcript.entries[index];
      assert.ok(entry?.kind === 'permission');
      return entry.requestId;
    });
    made.session.requests.answerPermission(ids[2]!, 'no');
    assert.deepEqual(await late, { optionId: 'no' });
    offer.resolve(rule);
    await until(() => made.session.requests.offered(ids[0]!) !== undefined);
    assert.deepEqual(
      ids.map((id) => made.session.requests.offered(id)),
      [{ rule, optionId: 'yes' }, undefined, undefined],
    );
    const rules = made.session.transcript.entries.flatMap((entry) =>
      entry.kind === 'permission' ? [entry.rule] : [],
    );
    assert.deepEqual(rules, [rule, undefined, undefined]);
    made.session.turns.cancel();
    assert.deepEqual(await Promise.all(answers), [undefined, undefined]);
    assert.equal(made.session.requests.offered(ids[0]!), undefined, 'it isn’t asked any more');
  });
});
