import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import MarkdownIt from 'markdown-it';
import type { Diagnosis } from '../../../../../src/features/diagnosis/model/diagnosis';
import { findManager, isOlder } from '../../../../../src/features/diagnosis/model/programFacts';
import { findQuirks } from '../../../../../src/features/diagnosis/model/quirks';
import {
  getReport,
  type Report,
  reportForIssue,
} from '../../../../../src/features/diagnosis/model/report';
import { withoutHome } from '../../../../../src/features/diagnosis/model/withoutHome';
import { AcpError } from '../../../../../src/protocol/errors';
import { fakeAgent, type Scenario } from '../../../../fakeAgent/scenario';
import { allSecretTexts, hasSecret } from '../../../../support/secretTexts';
import { removeTemporary, temporaryFile } from '../../../../support/temporary';
import { diagnosed } from './bench';

const hostile = [
  '</code><img src=x onerror=alert(1)>',
  '[click](command:workbench.action.quit) ![x](https://example.invalid/x.png)',
  '``` `` ` ~~~\n# Heading\n## Findings\n| a | b |',
  '@everyone #1 <!-- -->',
  '\u001b]8;;https://example.invalid\u0007link\u001b]8;;\u0007 \u001b[31mred\u202eesrever\u200b',
  '$(trash) &lt;b&gt; \\` \\[x](y)',
].join(' ');

const nothing: Diagnosis = {
  config: { id: 'x', title: 'X', command: 'x', args: [], env: {}, cwd: undefined },
  ...{ cwd: undefined, trusted: true, steps: [], missingFolder: false },
  lookup: { path: undefined, loginPath: undefined, loginFailed: false },
  ...{ noise: [], noiseFirst: false, stderr: [] },
};

const context = { title: 'X', versions: ['Test 1.0.0'] };

/** A diagnosis of an agent on another machine. */
const far: Diagnosis = {
  ...nothing,
  config: {
    ...nothing.config,
    command: '',
    remote: { url: 'wss://example.com/acp?key=1', headers: {}, pathMappings: [] },
  },
  steps: [{ kind: 'start', outcome: 'done', ms: 12 }],
};

/** A diagnosis in which everything that others can write is this text. */
function diagnosisOf(text: string): Diagnosis {
  const capabilities = new Proxy({} as NonNullable<Diagnosis['agent']>['capabilities'], {
    get: () => true,
  });
  return {
    ...nothing,
    config: { ...nothing.config, title: text, command: text, args: [text], env: { [text]: 'v' } },
    cwd: text,
    missingFolder: true,
    lookup: {
      ...{ path: [text, text].join(path.delimiter), loginPath: text, loginFailed: false },
      program: {
        ...{ file: text, realPath: `${text}/real`, through: 'path', environments: [] },
        package: { name: text, version: text, node: '>=99' },
        interpreter: { program: text, isNode: true },
        lacksInterpreter: true,
      },
    },
    node: { file: text, version: 'v20.0.0' },
    startError: new AcpError('rpc', text, { rpcCode: -32603 }),
    agent: {
      protocolVersion: 2,
      info: { title: text, version: text },
      capabilities,
      authMethods: [{ id: text, name: text, type: 'agent' }],
      listError: new AcpError('authRequired', text),
    },
    noise: [text, text],
    stderr: [text, text],
  };
}

function reported(text: string): Report {
  return getReport(diagnosisOf(text), { title: text, versions: [text], facts: [text] });
}

/** Everything in a Markdown text that isn't text, a heading, a list, a table or code. */
function markup(markdown: string): string[] {
  const tokens = new MarkdownIt({ html: true, linkify: false }).parse(markdown, {});
  return tokens
    .flatMap((token) => [token, ...(token.children ?? [])])
    .filter(({ type }) => /^(?:html|link|image|em_|strong|s_|blockquote|hr)/.test(type))
    .map(({ type, content }) => `${type} ${content}`);
}

describe('the report of a diagnosis', function () {
  this.timeout(30_000);
  after(removeTemporary);

  it('SEC-176: has no markup but its own, whatever an agent is called and says', () => {
    const { markdown } = reported(hostile);
    assert.deepEqual(markup(markdown), []);
    const headings = new MarkdownIt()
      .parse(markdown, {})
      .flatMap(({ type, tag }) => (type === 'heading_open' ? [tag] : []));
    assert.equal(headings.filter((tag) => tag === 'h1').length, 1);
    // As many sections as with a harmless text.
    const harmless = new MarkdownIt().parse(reported('word').markdown, {});
    assert.equal(headings.length, harmless.filter(({ type }) => type === 'heading_open').length);
    assert.doesNotMatch(markdown, /[\u001b\u0007\u202e\u200b]/);
  });

  it('SEC-176: names nobody outside of code', () => {
    const inline = new MarkdownIt().parse(reported(hostile).markdown, {});
    const texts = inline
      .flatMap(({ children }) => children ?? [])
      .filter(({ type }) => type === 'text')
      .map(({ content }) => content);
    assert.ok(texts.every((text) => !text.includes('@everyone')));
  });

  it('SEC-176: puts each remedy on the heading of its finding', () => {
    const { markdown, remedies } = reported(hostile);
    const lines = markdown.split('\n');
    assert.ok(remedies.length > 2);
    for (const { line } of remedies) {
      assert.match(lines[line] ?? '', /^### (?:Error|Warning|Note): /);
    }
  });

  it('SEC-177: is bounded: at twice the size it is as long', () => {
    const long = (count: number): number => {
      const one = diagnosisOf('x'.repeat(count));
      const folders = Array.from({ length: count }, (_, at) => `/p${at}`).join(path.delimiter);
      const env = Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`V${String(at).padStart(6, '0')}`, '']),
      );
      const methods = Array.from({ length: count }, () => ({
        ...{ id: 'i'.repeat(100), name: 'n'.repeat(100), type: 'agent' as const },
      }));
      return getReport(
        {
          ...one,
          config: { ...one.config, env },
          lookup: { ...one.lookup, path: folders },
          ...(one.agent && { agent: { ...one.agent, authMethods: methods } }),
        },
        { title: 'x'.repeat(count), versions: ['1'] },
      ).markdown.length;
    };
    // The number of folders that are left out is in it.
    assert.equal(long(20_000), long(40_000));
    assert.ok(long(40_000) < 60_000);
  });

  it('T-35, SEC-173: has no value of the settings’ variables, whoever prints it', async () => {
    const secret = 'correct horse battery';
    const scenario: Scenario = {
      start: [
        { line: `noise with ${secret}` },
        { line: 'noise with correct \u200bhorse\u001b[0m battery' },
        { stderr: `key=${secret}\nAuthorization: Bearer abc123def456\nsk-proj-0123456789abcdef\n` },
      ],
      on: { 'session/list': [{ error: { code: -1, message: `wrong ${secret}` } }] },
    };
    // Not as an argument, which is a part of the report.
    const file = temporaryFile('scenario.json');
    writeFileSync(file, JSON.stringify(scenario));
    const [program = ''] = fakeAgent().args;
    const env = { ELECTRON_RUN_AS_NODE: '1', API_KEY: secret };
    const found = await diagnosed({}, { config: { args: [program, file], env } });
    const { markdown } = found.report;
    assert.match(markdown, /`API_KEY`/);
    assert.doesNotMatch(markdown, /battery|abc123def456|0123456789abcdef/);
    assert.match(markdown, /wrong ‹hidden›/);
  });

  it('tells of an agent with an address what concerns the connection, and nothing of a program', () => {
    const { markdown } = getReport(far, context);
    assert.match(markdown, /\| Connect \| done \| 12 ms \|/);
    assert.match(markdown, /- Address: `wss:\/\/example\.com\/acp`/);
    assert.doesNotMatch(markdown, /Found|Node\.js|Look up|key=1/);
  });

  it('T-35, SEC-173: has no argument that is a secret by its name', () => {
    const args = [
      ...['--api-key', 'plainword', '--token=otherword', '--acp', '--pass', 'thirdword'],
      ...['--pw', 'fourthword', '--auth', 'fifthword', '-pW0rdsixth', '-H', 'X-Auth: seventhword'],
    ];
    const config = { ...nothing.config, args };
    const { markdown } = getReport({ ...nothing, config, stderr: ['got plainword'] }, context);
    assert.doesNotMatch(markdown, /plainword|\w+word|rdsixth/);
    assert.match(markdown, /--acp/);
  });

  it('T-35, SEC-174: has no secret that an agent says or prints, on one line or on several', () => {
    for (const text of allSecretTexts) {
      const noise = text.split('\n');
      const startError = new AcpError('rpc', text, { rpcCode: -32603 });
      const args = ['--x', text];
      const { markdown } = getReport(
        {
          ...{ ...nothing, noise, stderr: noise, startError },
          config: { ...nothing.config, command: text, args },
        },
        context,
      );
      assert.ok(!hasSecret(markdown), `${text} -> ${markdown}`);
    }
  });

  it('SEC-175: leaves this machine without the user’s folder', () => {
    const lookup = { ...nothing.lookup, path: ['/home/ann/bin', '/home/annika/x'].join(':') };
    const stderr = ['file:///home/ann/a.js', 'at C:\\Users\\Ben\\x.js', '/Users/carl/y: no'];
    const report = getReport({ ...nothing, lookup, cwd: '/home/ann/w', stderr }, context);
    const issue = reportForIssue(report, '/home/ann');
    assert.match(report.markdown, /\/home\/ann\/w/);
    assert.match(issue, /~\/w/);
    assert.doesNotMatch(issue, /ann|annika|Ben|carl/);
  });

  it('SEC-175: replaces a folder of Windows in each spelling', () => {
    const home = 'C:\\Users\\Ann';
    const text = 'C:\\Users\\Ann\\x C:/Users/Ann/x "C:\\\\Users\\\\Ann\\\\x"';
    assert.equal(withoutHome(text, home), '~\\x ~/x "~\\\\x"');
    assert.equal(withoutHome('/a/b', '/'), '/a/b');
  });

  it('SEC-175: replaces a folder of a user that is escaped, encoded, part of a name, or has spaces', () => {
    for (const [text, shown, home = '/home/ann'] of [
      ['/tmp/.claude/projects/-home-ann-work/x.jsonl', '/tmp/.claude/projects/~-work/x.jsonl'],
      ['/tmp/-home-ben-work -Users-ben', '/tmp/-home-‹hidden›-work -Users-‹hidden›'],
      ['vscode://file/%2Fhome%2Fann%2Fx', 'vscode://file/~%2Fx'],
      ['a=%252fhome%252fann%252fx', 'a=~%252fx'],
      ['{"cwd":"\\/home\\/ann\\/x"}', '{"cwd":"~\\/x"}'],
      ['/Users/Ann\\ Lee/x /Users/Ann%20Lee/y', '~/x ~/y', '/Users/Ann Lee'],
      ['/home/a\u0308nn/x', '~/x', '/home/\u00e4nn'],
      ['C:\\Users\\Ben Lee\\x', 'C:\\Users\\‹hidden›\\x'],
      ['"/Users/Ben Lee" %2FUsers%2FBen%20Lee%2Fx', '"/Users/‹hidden›" %2FUsers%2F‹hidden›%2Fx'],
      ['/x/C--Users-Ben-w C--Users-Ann-w', '/x/C--Users-‹hidden›-w ~-w', 'C:\\Users\\Ann'],
      ['file:///c%3A/Users/ann/x', 'file:///c%3A/Users/‹hidden›/x', 'C:\\Users\\ann'],
      ['/home/annika/x --root -root -rooted', '/home/‹hidden›/x --root -root -rooted', '/root'],
    ] as const) {
      assert.equal(withoutHome(text, home), shown);
    }
  });

  it('T-35: replaces a folder in linear time', () => {
    for (const unit of [
      '/',
      '%2F',
      '/home/',
      '/users/a ',
      '-home-',
      '-',
      '\\',
      '/home/a b c ',
      ' a',
    ]) {
      withoutHome(unit.repeat(100_000 / unit.length), '/home/ann lee');
      withoutHome(`/home/${unit.repeat(100_000 / unit.length)}`, '/home/ann lee');
    }
  });

  it('T-1: tells what is known about the agent, by any of its names', () => {
    const ids = (diagnosis: Partial<Diagnosis>): string[] | undefined =>
      findQuirks({ ...nothing, ...diagnosis })?.quirks.map(({ id }) => id);
    const through = { command: 'npx', args: ['--yes', '--package=@github/copilot@1.0.102'] };
    assert.deepEqual(ids({ config: { ...nothing.config, ...through } }), ['T-1', 'T-6', 'T-11']);
    assert.deepEqual(ids({ config: { ...nothing.config, command: 'gemini' } }), ['T-9']);
    assert.equal(ids({}), undefined);
  });
});

describe('what is told of programs', () => {
  it('knows whether a version of Node is too old', () => {
    assert.equal(isOlder('v18.19.0', '>=20'), true);
    assert.equal(isOlder('v20.0.0', '>=20.19.0'), true);
    assert.equal(isOlder('v20.19.0', '>= 20.19.0'), false);
    assert.equal(isOlder('v22.1.0', '^20.0.0'), false);
    assert.equal(isOlder('v18.0.0', '>=20 || 18'), false);
    assert.equal(isOlder('none', '>=20'), false);
  });

  it('knows what has installed one', () => {
    assert.equal(findManager('/home/a/.nvm/versions/node/v24/bin/node'), 'nvm');
    assert.equal(findManager('/run/user/1/fnm_multishells/1_2/bin/node'), 'fnm');
    assert.equal(findManager('/home/a/.volta/bin/node'), 'Volta');
    assert.equal(findManager('/home/a/.asdf/shims/node'), 'asdf');
    assert.equal(findManager('/home/a/.local/share/mise/shims/node'), 'mise');
    assert.equal(
      findManager('/usr/local/bin/x', '/opt/homebrew/Cellar/node/24/bin/node'),
      'Homebrew',
    );
    assert.equal(findManager('/usr/bin/node'), undefined);
  });
});
