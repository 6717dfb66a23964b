import assert from 'node:assert/strict';
import { CountedLog, shorten } from '../../../../src/protocol/rpc/countedLog';
import { redactedText } from '../../../../src/protocol/rpc/traffic';
import { fc } from '../../../support/properties';
import { TestLog } from '../peer';

describe('traffic log', () => {
  const redacted = (message: unknown): unknown => JSON.parse(redactedText(message));

  it('T-35, MCP-7: values in env, headers and _meta are replaced, names stay', () => {
    const message = {
      method: 'session/new',
      params: {
        mcpServers: [
          {
            name: 'a',
            env: [{ name: 'TOKEN', value: 's3cret' }],
            headers: [{ name: 'H', value: 's3cret' }],
          },
          { name: 'b', env: { KEY: 's3cret' } },
        ],
        _meta: { vendor: { token: 's3cret', count: 5, list: ['s3cret'], off: null } },
      },
    };
    const text = redactedText(message);
    assert.ok(!text.includes('s3cret'));
    for (const name of ['TOKEN', '"H"', 'KEY', 'vendor', 'token', '"a"', 'session/new']) {
      assert.ok(text.includes(name), name);
    }
    assert.deepEqual(redacted({ _meta: { a: 5, b: null } }), { _meta: { a: '‹hidden›', b: null } });
  });

  it('MCP-7: arguments and addresses can contain what the user has entered for a server', () => {
    const servers = [
      { name: 'a', command: '/bin/a', args: ['--token', 's3cret'] },
      { name: 'b', type: 'http', url: 'https://example.org/?key=s3cret' },
    ];
    assert.deepEqual(redacted({ params: { mcpServers: servers } }), {
      params: {
        mcpServers: [
          { name: 'a', command: '/bin/a', args: ['‹hidden›', '‹hidden›'] },
          { name: 'b', type: 'http', url: '‹hidden›' },
        ],
      },
    });
  });

  it('MCP-7: a variable or a header that is called name is one like the others', () => {
    assert.deepEqual(redacted({ env: { name: 's3cret' }, headers: [{ name: 'H', value: 'v' }] }), {
      env: { name: '‹hidden›' },
      headers: [{ name: 'H', value: '‹hidden›' }],
    });
  });

  it('EL-17, T-35: values of forms, texts of files, output of commands and system prompts are left out', () => {
    const answer = { action: 'accept', content: { name: 's3cret', pin: 1234, tags: ['s3cret'] } };
    assert.deepEqual(redacted({ id: 1, result: answer }), {
      id: 1,
      result: {
        action: 'accept',
        content: { name: '‹hidden›', pin: '‹hidden›', tags: '‹hidden›' },
      },
    });
    const tool = { resultType: 'complete', content: [{ type: 'text', text: 's3cret' }] };
    assert.deepEqual(redacted({ id: 1, result: { result: tool } }), {
      id: 1,
      result: { result: { resultType: '‹hidden›', content: '‹hidden›' } },
    });
    assert.deepEqual(redacted({ id: 1, result: { content: 's3cret' } }), {
      id: 1,
      result: { content: '‹hidden›' },
    });
    assert.deepEqual(redacted({ id: 1, result: { output: 's3cret', truncated: false } }), {
      id: 1,
      result: { output: '‹hidden›', truncated: false },
    });
    const toGrok = {
      outcome: 'accepted',
      answers: { 'Which?': 'Other', 'What else?': ['s3cret'] },
      annotations: { 'Which?': { notes: 's3cret' } },
    };
    assert.deepEqual(redacted({ id: 1, result: toGrok }), {
      id: 1,
      result: {
        outcome: 'accepted',
        answers: { 'Which?': '‹hidden›', 'What else?': '‹hidden›' },
        annotations: { 'Which?': '‹hidden›' },
      },
    });
    const systemPrompt = { mode: 'append', content: [{ type: 'text', text: 's3cret' }] };
    const open = { method: 'session/new', params: { cwd: '/w', systemPrompt } };
    assert.deepEqual(redacted(open), {
      ...open,
      params: { cwd: '/w', systemPrompt: { mode: '‹hidden›', content: '‹hidden›' } },
    });
    const write = { method: 'fs/write_text_file', params: { path: '/w/a', content: 's3cret' } };
    assert.deepEqual(redacted(write), { ...write, params: { path: '/w/a', content: '‹hidden›' } });
  });

  it('T-35, V2-AUTH-8, AUTH-15: what only version 2 has is left out like what version 1 has', () => {
    const base64 = Buffer.from('export KEY=s3cret').toString('base64');
    const secret = [{ name: 'TOKEN', value: 's3cret' }];
    const message = {
      method: 'session/update',
      params: {
        mcpServers: [
          { type: 'stdio', name: 'a', command: '/bin/a', args: ['s3cret'], env: secret },
          { type: 'http', name: 'b', url: 'https://s3cret', headers: secret },
        ],
        authMethods: [{ type: 'terminal', methodId: 'm', args: ['s3cret'], env: secret }],
        authStatus: { kind: 's3cret', label: 's3cret', account: { email: 's3cret@example.org' } },
        account: { plan: 's3cret' },
        accounts: [{ label: 's3cret', email: 's3cret@example.org', active: true }],
        updates: [
          {
            sessionUpdate: 'terminal_update',
            terminalId: 't',
            output: { data: base64, x: base64 },
          },
          { sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: base64 },
          { sessionUpdate: 'terminal_update', terminalId: 't', output: { data: [base64] } },
          { sessionUpdate: 'terminal_update', terminalId: 't', output: null },
        ],
        subject: { type: 'command', command: 'run --token s3cret', cwd: '/w' },
      },
    };
    const text = redactedText(message);
    assert.ok(!text.includes('s3cret') && !text.includes(base64), text);
    for (const name of ['"stdio"', 'TOKEN', '"m"', 'label', '"t"', '"output":null', '/w']) {
      assert.ok(text.includes(name), name);
    }
  });

  it('T-35: queries of addresses and arguments that are named like secrets are left out', () => {
    for (const [text, logged] of [
      [
        'see https://a.example/b?id=s3cret&x=s3cret#top now',
        'see https://a.example/b?id=‹hidden›&x=‹hidden›#top now',
      ],
      ['run --api-key s3cret --model m', 'run --api-key ‹hidden› --model m'],
      ['run --token="s3cret s3cret" -v', 'run --token="‹hidden›" -v'],
      ["MY_SECRET='s3cret' PASSWORD=s3cret run", "MY_SECRET='‹hidden›' PASSWORD=‹hidden› run"],
      ['The key is under the mat. Is it? a=b', 'The key is under the mat. Is it? a=b'],
    ] as const) {
      assert.deepEqual(redacted({ title: text }), { title: logged });
    }
    assert.deepEqual(redacted({ command: ['run', '--password', 's3cret', '--fast', 'yes'] }), {
      command: ['run', '--password', '‹hidden›', '--fast', 'yes'],
    });
    const long = redactedText({ a: `run --token ${'s3cret'.repeat(100)}` });
    assert.ok(!long.includes('s3cret'));
  });

  it('T-35, SEC-182: everything below what is called a secret is left out, however it is spelled', () => {
    for (const name of [
      'password',
      'cookies',
      'Env',
      'environment',
      'envVars',
      'ENV_VARS',
      'Headers',
    ]) {
      for (const value of [['s3cret'], { value: 's3cret' }, [{ a: ['s3cret', 5, true] }]]) {
        const text = redactedText({ params: { rawInput: { [name]: value } } });
        assert.ok(!/s3cret|5|true/.test(text) && text.includes(name), text);
      }
    }
    assert.deepEqual(
      redacted({ list: [{ name: 'TOKEN', value: ['s3cret'] }], tokens: { in: 5 } }),
      {
        list: [{ name: 'TOKEN', value: ['‹hidden›'] }],
        tokens: { in: 5 },
      },
    );
  });

  it('T-35, SEC-182: no name of a member is a secret, or longer than a text', () => {
    for (const secret of [`ghp_${'0a'.repeat(18)}`, 'https://u:hunter2Zq8@h/']) {
      const text = redactedText({ rawInput: { [secret]: 1 } });
      assert.ok(!/0a0a|hunter2/.test(text), text);
    }
    const long = redactedText({ a: { ['k'.repeat(5_000_000)]: 1 }, id: 'i'.repeat(5_000_000) });
    assert.ok(long.length < 600, long.slice(0, 1000));
  });

  it('SEC-183: a message of very many values is one line of bounded length', () => {
    const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`name ${at}`, at]));
    const text = redactedText({ params: many });
    assert.ok(text.length < 2_000, `${text.length} characters`);
    assert.match(text, /"…":"200000 members"/);
    const nest = (depth: number): unknown =>
      depth === 0 ? 'x'.repeat(500) : Array.from({ length: 5 }, () => nest(depth - 1));
    const nests = redactedText({ a: nest(7) });
    assert.ok(nests.length < 500_000, `${nests.length} characters`);
  });

  it('what an agent says is not left out', () => {
    const content = { type: 'text', text: 'Hello' };
    const update = { sessionUpdate: 'agent_message_chunk', content };
    const message = { method: 'session/update', params: { sessionId: 's', update } };
    assert.deepEqual(redacted(message), message);
  });

  it('SEC-183: long strings and lists are shortened', () => {
    const text = redactedText({ a: 'x'.repeat(5000), b: Array(1000).fill(1) });
    assert.ok(text.length < 600);
    assert.match(text, /5000 characters/);
    assert.match(text, /1000 items/);
  });

  it('is one line of JSON for any message, however deep', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void redacted(value)));
    const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown;
    assert.ok(redactedText(deep).length < 200);
  });
});

describe('CountedLog', () => {
  it('UP-3: the first is written in full but bounded, the rest is counted', () => {
    const log = new TestLog();
    const counted = new CountedLog(log, 1);
    for (let i = 0; i < 1000; i++) {
      counted.note('odd', () => 'x'.repeat(10_000));
    }
    assert.deepEqual(
      log.lines.map((line) => line.slice(0, 30)),
      [
        `odd: ${'x'.repeat(25)}`,
        'odd: 10 times so far',
        'odd: 100 times so far',
        'odd: 1000 times so far',
      ],
    );
    assert.ok((log.lines[0] ?? '').length < 2100);
  });

  it('kinds without end are counted together', () => {
    const log = new TestLog();
    const counted = new CountedLog(log, 1);
    for (let i = 0; i < 100_000; i++) {
      counted.note(`kind ${i}`, () => '');
    }
    assert.ok(log.lines.length < 120, `${log.lines.length}`);
  });

  it('control characters can’t break or color the log', () => {
    assert.equal(shorten('a\n\u001b[31mb"', 100), 'a\\n\\u001b[31mb"');
  });
});
