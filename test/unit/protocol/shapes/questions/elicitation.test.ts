import assert from 'node:assert/strict';
import type {
  ElicitationAnswer,
  ElicitationRequest,
} from '../../../../../src/protocol/agentRequests';
import { readElicitation } from '../../../../../src/protocol/shapes/questions/readElicitation';
import { readFormFields } from '../../../../../src/protocol/shapes/questions/readForm';
import { until } from '../../../../support/until';
import { ask, codeOf, connect, Peer, requestsWith } from '../../peer';

const method = 'elicitation/create';
const form = { sessionId: 's1', mode: 'form', message: 'Who?', requestedSchema: {} };
const link = {
  sessionId: 's1',
  mode: 'url',
  message: 'Log in',
  url: 'https://example.com/login?a=b',
  elicitationId: 'e1',
};

describe('elicitation/create', () => {
  async function asking(
    answer: ElicitationAnswer,
  ): Promise<{ readonly peer: Peer; readonly asked: ElicitationRequest[] }> {
    const peer = new Peer();
    const asked: ElicitationRequest[] = [];
    const elicit = (request: ElicitationRequest): Promise<ElicitationAnswer> => {
      asked.push(request);
      return Promise.resolve(answer);
    };
    await connect(peer.client, { requests: requestsWith({ elicit }) });
    return { peer, asked };
  }

  it('EL-5: in the scope of a session, of a tool call, or of another request', () => {
    const ask = { mode: 'form', fields: [] };
    assert.deepEqual(readElicitation(form), { sessionId: 's1', message: 'Who?', ask });
    assert.deepEqual(readElicitation({ ...form, toolCallId: 't' }), {
      sessionId: 's1',
      toolCallId: 't',
      message: 'Who?',
      ask,
    });
    for (const requestId of [0, 'r', null]) {
      const params = { ...form, sessionId: undefined, requestId };
      assert.deepEqual(readElicitation(params), { message: 'Who?', ask });
    }
  });

  const refused: readonly object[] = [
    { ...form, mode: '_custom' },
    { ...form, mode: 'Form' },
    { ...form, mode: undefined },
    { ...form, mode: null },
    { ...form, sessionId: undefined },
    { ...form, requestedSchema: undefined },
    { ...form, requestedSchema: [] },
    { ...form, message: 7 },
    { ...link, elicitationId: undefined },
    ...[
      '',
      'example.com',
      '/login',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'vscode://x',
      'command:x',
      'https://',
      7,
    ].map((url) => ({ ...link, url })),
  ];
  for (const params of refused) {
    it(`EL-4, EL-5, EL-11: ${JSON.stringify(params)} is -32602, and the handler isn’t called`, async () => {
      const { peer, asked } = await asking({ action: 'accept' });
      assert.equal(codeOf(await ask(peer, method, params)), -32602);
      assert.deepEqual(asked, []);
    });
  }

  it('EL-4: without a handler nothing was promised, and nothing is asked', async () => {
    const peer = new Peer();
    await connect(peer.client);
    assert.equal(codeOf(await ask(peer, method, form, 1)), -32601);
    assert.equal(codeOf(await ask(peer, method, link, 2)), -32601);
  });

  it('EL-11, EL-13: an address is shown exactly as it would be opened', () => {
    const shown = (url: string): unknown => {
      const request = readElicitation({ ...link, url });
      return request.ask.mode === 'url' ? request.ask.url : undefined;
    };
    assert.equal(shown(link.url), link.url);
    assert.equal(shown('https:\\\\evil.com\\@good.com'), 'https://evil.com/@good.com');
    assert.equal(shown('https://exa\tmple.com/\n'), 'https://example.com/');
    assert.equal(shown('https://аpple.com'), 'https://xn--pple-43d.com/');
    assert.equal(shown('http://user@evil.com/'), 'http://user@evil.com/');
  });

  it('EL-10, EL-18: values go with the acceptance of a form, and with nothing else', async () => {
    const values = { name: 'Ada', age: 36, tags: ['a'], ok: false };
    const cases: readonly [object, ElicitationAnswer, unknown][] = [
      [form, { action: 'accept', values }, { action: 'accept', content: values }],
      [form, { action: 'accept' }, { action: 'accept', content: {} }],
      [form, { action: 'decline' }, { action: 'decline' }],
      [form, { action: 'cancel' }, { action: 'cancel' }],
      [link, { action: 'accept', values }, { action: 'accept' }],
      [link, { action: 'cancel' }, { action: 'cancel' }],
    ];
    for (const [params, answer, result] of cases) {
      const { peer } = await asking(answer);
      assert.deepEqual(await ask(peer, method, params), { jsonrpc: '2.0', id: 'q', result });
    }
  });

  it('EL-14: completion is heard with its id; one that is about nothing is ignored', async () => {
    const peer = new Peer();
    const completed: string[] = [];
    const elicitationCompleted = (id: string): void => void completed.push(id);
    const { log } = await connect(peer.client, {
      requests: requestsWith({ elicitationCompleted }),
    });
    for (const params of [undefined, null, {}, { elicitationId: 7 }, { elicitationId: 'e1' }]) {
      peer.send({ jsonrpc: '2.0', method: 'elicitation/complete', params });
    }
    await until(() => completed.length > 0);
    assert.deepEqual(completed, ['e1']);
    assert.deepEqual(log.lines, []);
  });
});

describe('fields of a form', () => {
  const fields = (properties: unknown, required?: unknown): unknown =>
    readFormFields({ properties, required });
  const only = (property: unknown): unknown => readFormFields({ properties: { x: property } })[0];
  const x = { name: 'x', title: 'x', required: false };

  it('EL-6: every primitive with all that is said about it', () => {
    const text = {
      type: 'string',
      minLength: 1,
      maxLength: 9,
      pattern: '(a+)+$',
      format: 'email',
    };
    assert.deepEqual(only({ ...text, title: 'Mail', description: 'Yours', default: 'a@b' }), {
      ...x,
      ...text,
      title: 'Mail',
      description: 'Yours',
      initial: 'a@b',
    });
    const range = { minimum: -1.5, maximum: 0 };
    assert.deepEqual(only({ type: 'number', ...range, default: 0.5 }), {
      ...x,
      type: 'number',
      ...range,
      initial: 0.5,
    });
    assert.deepEqual(only({ type: 'integer', default: 0 }), { ...x, type: 'integer', initial: 0 });
    assert.deepEqual(only({ type: 'boolean', default: false }), {
      ...x,
      type: 'boolean',
      initial: false,
    });
  });

  it('EL-6: choices, however they are written', () => {
    const titled = [
      { value: 'a', title: 'A' },
      { value: 'b', title: 'b' },
    ];
    const consts = [{ const: 'a', title: 'A' }, { const: 'b' }, { const: 5 }, null];
    const select = { ...x, type: 'select', choices: titled };
    assert.deepEqual(only({ type: 'string', oneOf: consts }), select);
    assert.deepEqual(only({ type: 'string', anyOf: consts, enum: null }), select);
    assert.deepEqual(only({ type: 'string', enum: ['a', 'b', 'b', 5], enumNames: ['A'] }), select);
    assert.deepEqual(only({ type: 'string', enum: ['a', 'b'], enumNames: ['A'], default: 'b' }), {
      ...select,
      initial: 'b',
    });
    const multi = { ...x, type: 'multiselect', choices: titled };
    assert.deepEqual(only({ type: 'array', items: { anyOf: consts }, minItems: 1 }), {
      ...multi,
      minItems: 1,
    });
    const items = { type: 'string', enum: ['a', 'b'], enumNames: ['A'] };
    assert.deepEqual(only({ type: 'array', items, maxItems: 2, default: ['b', 'z', 5] }), {
      ...multi,
      maxItems: 2,
      initial: ['b'],
    });
  });

  it('EL-7: what we don’t know is never shown as something that we do', () => {
    const unknown = [
      { type: 'color' },
      { type: '_vendor', enum: ['a'] },
      { type: 'object', properties: {} },
      { type: ['string', 'null'] },
      {},
      null,
      'string',
      { type: 'string', enum: [] },
      { type: 'string', oneOf: 'x' },
      { type: 'array' },
      { type: 'array', items: { type: 'integer', enum: ['a'] } },
      { type: 'array', items: { type: 'color', anyOf: [{ const: 'a', title: 'A' }] } },
      { type: 'array', items: { type: 'string' } },
    ];
    for (const property of unknown) {
      assert.deepEqual(only(property), { ...x, type: 'unknown' }, JSON.stringify(property));
    }
    assert.deepEqual(only({ type: 'color', title: 'Colour' }), {
      ...x,
      title: 'Colour',
      type: 'unknown',
    });
  });

  it('EL-7: what is too long to be sent back is not asked for', () => {
    const id = 'x'.repeat(8192);
    const most = { oneOf: [{ const: id, title: 'Long' }] };
    assert.equal((only({ type: 'string', ...most }) as { type: string }).type, 'select');
    const more = { oneOf: [{ const: 'a' }, { const: `${id}x`, title: 'Too long' }] };
    for (const property of [
      { type: 'string', ...more },
      { type: 'array', items: more },
    ]) {
      assert.deepEqual(only(property), { ...x, type: 'unknown' });
    }
    const [named, unnamed] = fields({ [id]: { type: 'string' }, [`${id}x`]: { type: 'string' } }, [
      `${id}x`,
    ]) as { name: string; title: string; type: string; required: boolean }[];
    assert.deepEqual([named?.name, named?.type], [id, 'string']);
    assert.deepEqual([unnamed?.type, unnamed?.required], ['unknown', true]);
    assert.ok((unnamed?.name.length ?? 0) < 100 && (unnamed?.title.length ?? 0) <= 4096);
  });

  it('EL-9, V2-ELI-2: any format is a text', () => {
    assert.deepEqual(only({ type: 'string', format: 'hostname' }), {
      ...x,
      type: 'string',
      format: 'hostname',
    });
  });

  it('EL-16, EL-18: null and broken details are not said', () => {
    assert.deepEqual(readFormFields({}), []);
    assert.deepEqual(readFormFields({ type: null, properties: null }), []);
    assert.deepEqual(readFormFields({ type: 'strange', properties: {}, required: 'x' }), []);
    for (const value of [null, 'x', -1, 1.5, {}]) {
      const property = { type: 'string', minLength: value, maxLength: value, title: value };
      assert.deepEqual(only({ ...property, title: null, default: 5, pattern: 7, format: null }), {
        ...x,
        type: 'string',
      });
    }
    assert.deepEqual(only({ type: 'integer', default: 1.5, minimum: '0' }), {
      ...x,
      type: 'integer',
    });
    assert.deepEqual(only({ type: 'string', enum: ['a'], default: 'b' }), {
      ...x,
      type: 'select',
      choices: [{ value: 'a', title: 'a' }],
    });
  });

  it('EL-6: the order is the schema’s, and the listed fields are required', () => {
    const properties = { b: { type: 'string' }, a: { type: 'boolean' }, c: null };
    assert.deepEqual(
      (fields(properties, ['a', 'c', 'gone', 5]) as { name: string; required: boolean }[]).map(
        ({ name, required }) => [name, required],
      ),
      [
        ['b', false],
        ['a', true],
        ['c', true],
      ],
    );
  });

  it('EL-7: a field may have any name, and a form has an end', () => {
    const properties = JSON.parse('{"__proto__":{"type":"string"},"constructor":{}}') as object;
    assert.deepEqual(
      (fields(properties) as { name: string }[]).map(({ name }) => name),
      ['__proto__', 'constructor'],
    );
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`f${i}`, {}]));
    assert.throws(() => fields(many), /more than 500/);
  });
});
