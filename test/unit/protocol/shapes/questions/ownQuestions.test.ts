import assert from 'node:assert/strict';
import type {
  AgentRequests,
  ElicitationAnswer,
  ElicitationRequest,
  PermissionAnswer,
  PermissionRequest,
} from '../../../../../src/protocol/agentRequests';
import { ask, codeOf, connect, Peer, type Raw, requestsWith } from '../../peer';

/** The answer to an agent's own request, and what the user was asked. */
async function asked(
  method: string,
  params: unknown,
  answers: { readonly form?: ElicitationAnswer; readonly plan?: PermissionAnswer },
): Promise<{ readonly answer: Raw; readonly seen: (ElicitationRequest | PermissionRequest)[] }> {
  const seen: (ElicitationRequest | PermissionRequest)[] = [];
  const own: Partial<AgentRequests> = {
    elicit: (request) => {
      seen.push(request);
      return Promise.resolve(answers.form ?? { action: 'cancel' });
    },
    requestPermission: (request) => {
      seen.push(request);
      return Promise.resolve(answers.plan);
    },
  };
  const peer = new Peer();
  await connect(peer.client, { requests: requestsWith(own) });
  return { answer: await ask(peer, method, params), seen };
}

const accept = (values: Raw): ElicitationAnswer => ({
  action: 'accept',
  values: values as Readonly<Record<string, string>>,
});

describe('EX-7, T-95: questions of Cursor', () => {
  const method = 'cursor/ask_question';
  const question = {
    toolCallId: 'c1',
    title: 'Two things',
    questions: [
      {
        ...{ id: 'q1', prompt: 'Which database?' },
        options: [
          { id: 'pg', label: 'Postgres' },
          { id: 'lite', label: 'SQLite' },
        ],
      },
      { id: 'q2', prompt: 'What else?', options: [{ id: 'a', label: 'A' }], allowMultiple: true },
    ],
  };

  it('are a form, and answered with the ids of the choices, nested', async () => {
    const form = accept({ q1: 'lite', q2: ['a'] });
    const { answer, seen } = await asked(method, question, { form });
    assert.deepEqual(seen, [
      {
        toolCallId: 'c1',
        message: 'Two things',
        ask: {
          mode: 'form',
          fields: [
            {
              ...{ type: 'select', name: 'q1', title: 'Which database?', required: true },
              choices: [
                { value: 'pg', title: 'Postgres' },
                { value: 'lite', title: 'SQLite' },
              ],
            },
            {
              ...{ type: 'multiselect', name: 'q2', title: 'What else?', required: false },
              choices: [{ value: 'a', title: 'A' }],
            },
          ],
        },
      },
    ]);
    assert.deepEqual(answer['result'], {
      outcome: {
        outcome: 'answered',
        answers: [
          { questionId: 'q1', selectedOptionIds: ['lite'] },
          { questionId: 'q2', selectedOptionIds: ['a'] },
        ],
      },
    });
  });

  for (const [action, outcome] of [
    ['decline', 'skipped'],
    ['cancel', 'cancelled'],
  ] as const) {
    it(`are ${outcome} after ${action}`, async () => {
      const { answer } = await asked(method, question, { form: { action } });
      assert.deepEqual(answer['result'], { outcome: { outcome } });
    });
  }

  for (const [why, questions] of [
    ['none', []],
    [
      'too many',
      Array.from({ length: 200 }, (_, at) => ({ ...question.questions[0], id: `${at}` })),
    ],
    ['two of one id', [question.questions[0], question.questions[0]]],
    ['one without choices', [{ id: 'q', prompt: 'What?', options: [] }]],
    [
      'one with too many choices',
      [
        {
          id: 'q',
          prompt: 'What?',
          options: Array.from({ length: 400 }, (_, at) => ({ id: `${at}`, label: 'x' })),
        },
      ],
    ],
    ['an id that is too long', [{ ...question.questions[0], id: 'x'.repeat(20_000) }]],
  ] as const) {
    it(`are refused if there are ${why}`, async () => {
      const { answer, seen } = await asked(method, { ...question, questions }, {});
      assert.equal(codeOf(answer), -32602);
      assert.deepEqual(seen, []);
    });
  }

  it('texts are cut', async () => {
    const long = 'x'.repeat(40_000);
    const questions = [{ id: 'q', prompt: long, options: [{ id: 'a', label: long }] }];
    const { seen } = await asked(method, { ...question, title: long, questions }, {});
    assert.ok(JSON.stringify(seen).length < 50_000);
  });
});

describe('EX-7, T-95: plans of Cursor', () => {
  const plan = {
    toolCallId: 'c1',
    name: 'Move the shop',
    overview: 'To a larger house.',
    plan: '# Move',
    todos: [
      { id: '1', content: 'Pack', status: 'completed' },
      { id: '2', content: 'Drive', status: 'pending' },
    ],
  };

  it('are shown in full, with their to-do list', async () => {
    const { seen } = await asked('cursor/create_plan', plan, {});
    const [request] = seen;
    assert.ok(request && 'toolCall' in request);
    assert.equal(request.sessionId, undefined);
    assert.equal(request.description, 'To a larger house.');
    assert.deepEqual(request.toolCall, {
      ...{ toolCallId: 'c1', title: 'Move the shop', kind: 'switch_mode', status: 'pending' },
      content: [
        {
          type: 'content',
          block: { type: 'text', text: '# Move\n\n- [x] Pack\n- [ ] Drive' },
        },
      ],
    });
    assert.deepEqual(
      request.options.map(({ name }) => name),
      ['Approve', 'Reject'],
    );
  });

  it('with phases have a list for each', async () => {
    const phases = [{ name: 'First', todos: plan.todos }];
    const { seen } = await asked('cursor/create_plan', { ...plan, phases }, {});
    assert.match(JSON.stringify(seen), /# Move\\n\\n### First\\n\\n- \[x\] Pack/);
  });

  for (const [outcome, choice] of [
    ['accepted', { optionId: 'approve' }],
    ['rejected', { optionId: 'reject' }],
    ['cancelled', undefined],
  ] as const) {
    it(`are ${outcome} as the user says`, async () => {
      const { answer } = await asked('cursor/create_plan', plan, { plan: choice });
      assert.deepEqual(answer['result'], { outcome: { outcome } });
    });
  }
});

describe('EX-9, T-97: questions and plans of Grok', () => {
  const question = {
    ...{ sessionId: 's1', toolCallId: 'c1', mode: 'default' },
    questions: [
      {
        question: 'Which database?',
        options: [{ label: 'Postgres', description: 'The large one' }, { label: 'SQLite' }],
        multiSelect: null,
      },
      { question: 'What else?', options: [{ label: 'A' }, { label: 'B' }], multiSelect: true },
    ],
  };
  const form = accept({ 'Which database?': 'SQLite', 'What else?': ['A', 'B'] });

  for (const family of ['_x.ai/', 'x.ai/']) {
    for (const [how, wrap] of [
      ['bare', (params: unknown) => params],
      ['wrapped', (params: unknown) => ({ method: 'any', params })],
    ] as const) {
      it(`${family}ask_user_question, ${how}: by the texts, and not nested`, async () => {
        const { answer, seen } = await asked(`${family}ask_user_question`, wrap(question), {
          form,
        });
        const [request] = seen;
        assert.ok(request && 'ask' in request && request.ask.mode === 'form');
        assert.equal(request.sessionId, 's1');
        const [field] = request.ask.fields;
        assert.ok(field?.type === 'select');
        assert.equal(field.choices[0]?.title, 'Postgres – The large one');
        assert.deepEqual(answer['result'], {
          outcome: 'accepted',
          answers: { 'Which database?': 'SQLite', 'What else?': ['A', 'B'] },
        });
      });

      it(`${family}exit_plan_mode, ${how}: is approved by nobody but the user`, async () => {
        const params = wrap({ sessionId: 's1', toolCallId: 'c1', planContent: '# Move' });
        for (const [plan, outcome] of [
          [{ optionId: 'approve' }, 'approved'],
          [{ optionId: 'keepPlanning' }, 'cancelled'],
          [{ optionId: 'reject' }, 'abandoned'],
          [undefined, 'cancelled'],
        ] as const) {
          const { answer, seen } = await asked(`${family}exit_plan_mode`, params, { plan });
          assert.deepEqual(answer['result'], { outcome });
          assert.match(JSON.stringify(seen), /# Move/);
        }
      });
    }
  }

  it('a question takes words of the user’s own, beside a choice or instead of one', async () => {
    const values = { '0:notes': 'DuckDB', 'What else?': ['B'], '1:notes': 'and quickly' };
    const { answer, seen } = await asked('_x.ai/ask_user_question', question, {
      form: accept(values),
    });
    const [request] = seen;
    assert.ok(request && 'ask' in request && request.ask.mode === 'form');
    assert.deepEqual(
      request.ask.fields.map(({ type, required }) => [type, required]),
      [
        ['select', false],
        ['string', false],
        ['multiselect', false],
        ['string', false],
      ],
    );
    assert.deepEqual(answer['result'], {
      outcome: 'accepted',
      answers: { 'Which database?': 'Other', 'What else?': ['B'] },
      annotations: {
        'Which database?': { notes: 'DuckDB' },
        'What else?': { notes: 'and quickly' },
      },
    });
  });

  it('a question without an answer is left out', async () => {
    const { answer } = await asked('_x.ai/ask_user_question', question, {
      form: accept({ 'Which database?': 'SQLite' }),
    });
    assert.deepEqual(answer['result'], {
      outcome: 'accepted',
      answers: { 'Which database?': 'SQLite' },
    });
  });

  it('a plan may be missing: then only the decision is asked for', async () => {
    const params = { sessionId: 's1', toolCallId: 'c1', planContent: null };
    const { answer, seen } = await asked('_x.ai/exit_plan_mode', params, {
      plan: { optionId: 'approve' },
    });
    assert.deepEqual(answer['result'], { outcome: 'approved' });
    const [request] = seen;
    assert.ok(request && 'toolCall' in request);
    assert.deepEqual(request.toolCall.content, []);
    assert.deepEqual(
      request.options.map(({ name }) => name),
      ['Approve', 'Keep Planning', 'Reject'],
    );
  });

  it('a question that is declined is canceled', async () => {
    const { answer } = await asked('_x.ai/ask_user_question', question, {
      form: { action: 'decline' },
    });
    assert.deepEqual(answer['result'], { outcome: 'cancelled' });
  });
});
