import assert from 'node:assert/strict';
import { askUser } from '../../../../../src/features/editorTools/tools/askUser';
import { getServedSession } from '../../../../../src/model/session/ownServers';
import type {
  ElicitationAnswer,
  ElicitationRequest,
} from '../../../../../src/protocol/agentRequests';
import { servedSession } from '../../../../support/servedSession';
import { until } from '../../../../support/until';
import { prompted, sessionBench } from '../../../model/sessionBench';

const never = new AbortController().signal;

function asking(answer: ElicitationAnswer) {
  const asked: ElicitationRequest[] = [];
  const session = servedSession({
    ask: (request) => {
      asked.push(request);
      return Promise.resolve(answer);
    },
  });
  return { asked, run: (args: Record<string, unknown>) => askUser.run(args, session, never) };
}

describe('the tool by which agents ask the user', () => {
  it('asks freely, or with options beside which another answer can be given', async () => {
    const { asked, run } = asking({
      action: 'accept',
      values: { choice: 'Blue', answer: 'Light' },
    });
    assert.equal(
      await run({ question: 'Which color?', options: ['Red', 'Blue'] }),
      'The user chose: Blue\nThe user says: Light',
    );
    await run({ question: 'Which colors?', options: ['Red', 'Blue'], multiple: true });
    await run({ question: 'Why?' });
    assert.deepEqual(
      asked.map(({ message, ask }) => [
        message,
        ...(ask.mode === 'form' ? ask.fields.map(({ type, name }) => `${name}: ${type}`) : []),
      ]),
      [
        ['Which color?', 'choice: select', 'answer: string'],
        ['Which colors?', 'choice: multiselect', 'answer: string'],
        ['Why?', 'answer: string'],
      ],
    );
  });

  it('says that the user declined, or that nobody answers any more', async () => {
    assert.match(await asking({ action: 'decline' }).run({ question: 'Why?' }), /declined/);
    assert.match(await asking({ action: 'cancel' }).run({ question: 'Why?' }), /canceled/);
  });

  it('SEC-221: more or longer options than fit, at twice the bound, are refused', async () => {
    const { asked, run } = asking({ action: 'cancel' });
    const many = Array.from({ length: 20 }, (_, at) => `o${at}`);
    for (const options of [many, ['x'.repeat(400)], ['a', 'a'], [' '], [1], 'a']) {
      await assert.rejects(run({ question: 'Why?', options }), /"options" must be/);
    }
    await assert.rejects(run({ question: 'x'.repeat(2000) }), /at most 1000/);
    await assert.rejects(run({}), /Say the "question"/);
    assert.deepEqual(asked, []);
  });

  it('is a card in the session, which ends with the call, the turn or the session', async () => {
    const made = sessionBench();
    const { session } = made;
    await prompted(made);
    for (const end of ['answer', 'abort', 'close'] as const) {
      const abort = new AbortController();
      const said = askUser.run({ question: 'Why?' }, getServedSession(session), abort.signal);
      await until(() => session.requests.waiting.length === 1);
      const entry = session.transcript.entries[session.requests.waiting[0] ?? -1];
      assert.ok(entry?.kind === 'elicitation');
      if (end === 'answer') {
        session.requests.answerElicitation(entry.requestId, 'accept', { answer: 'So.' });
      } else if (end === 'abort') {
        abort.abort();
      } else {
        await session.close();
      }
      assert.match(await said, end === 'answer' ? /^The user says: So\.$/ : /canceled/);
    }
  });
});
