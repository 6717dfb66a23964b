import assert from 'node:assert/strict';
import { findForkPoint } from '../../../../src/features/branches/model/forkPoint';
import {
  cachedEntry,
  readCachedEntry,
} from '../../../../src/features/cachedTranscripts/model/cachedEntry';
import { getFullTitle, getLabel } from '../../../../src/model/text/titles';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import type { Entry } from '../../../../src/shared/transcript/entries';
import { isEmpty } from '../../../../src/shared/transcript/isEmpty';
import { Outline } from '../../../../src/views/transcript/feed/outlineFeed';
import { agent, call, change, chunk, transcriptOf, user, whole } from '../updates';

/** What is shown, one line per entry: a prompt in quotation marks, each of its blocks apart. */
function shown(entries: readonly Entry[]): readonly string[] {
  return entries
    .filter((entry) => !isEmpty(entry))
    .map((entry) => {
      if (entry.kind === 'turn') {
        return entry.outcome.type === 'stopped' ? `end: ${entry.outcome.stopReason}` : 'failed';
      }
      const blocks = 'blocks' in entry ? (entry.blocks ?? []) : [];
      const text = blocks.map((block) => (block.type === 'text' ? block.text : block.type));
      const kind = entry.kind === 'user' && entry.command ? 'command' : entry.kind;
      return `${kind}: ${text.join(' | ')}`;
    });
}

const replayed = (...updates: readonly SessionUpdate[]) => shown(transcriptOf(...updates).entries);

const name = '<command-name>/model</command-name>';
const message = '<command-message>model</command-message>';
const args = '<command-args>opus</command-args>';
const printed = '<local-command-stdout>Set model to \u001b[1mopus\u001b[22m</local-command-stdout>';
const caveat =
  '<local-command-caveat>Caveat: these were made by local commands.</local-command-caveat>';
const note = '<system-reminder>\nMind the rules.\n</system-reminder>';
const interrupted = '[Request interrupted by user]';

describe('what agents write into messages for themselves', () => {
  for (const [what, text, expected] of [
    ['an interruption', interrupted, ['end: cancelled']],
    ['one of a tool', '[Request interrupted by user for tool use]', ['end: cancelled']],
    ['a command', `${name}\n            ${message}\n            ${args}`, ['command: /model opus']],
    ['a command without arguments', `${message}\n${name}`, ['command: /model']],
    ['one with empty ones', `${name}${message}<command-args></command-args>`, ['command: /model']],
    ['output', printed, ['agent: ```\nSet model to opus\n```']],
    [
      'errors',
      '<local-command-stderr>No such model</local-command-stderr>',
      ['agent: ```\nNo such model\n```'],
    ],
    [
      'a command with its output',
      `${name}\n${printed}`,
      ['command: /model | ```\nSet model to opus\n```'],
    ],
    ['a caveat', caveat, []],
    ['a note', note, []],
    ['context', `<session_context>\nToday\n</session_context>`, []],
    ['a line of the shell', '<bash-input>ls</bash-input>', ['command: !ls']],
    [
      'its output',
      '<bash-stdout>a.ts</bash-stdout><bash-stderr></bash-stderr>',
      ['agent: ```\na.ts\n```'],
    ],
  ] as const) {
    it(`T-81: ${what} is what it means, in whatever pieces it comes`, () => {
      assert.deepEqual(replayed(user(text, 'u1')), expected);
      assert.deepEqual(replayed(user(text)), expected, 'without an id');
      assert.deepEqual(replayed(whole('user', 'u1', text)), expected, 'as a whole');
      for (const size of [1, 3, 7, 20]) {
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        assert.deepEqual(replayed(...pieces.map((piece) => user(piece, 'u1'))), expected);
        assert.deepEqual(replayed(...pieces.map((piece) => chunk('user', 'u1', piece))), expected);
      }
      for (let cut = 1; cut < text.length; cut++) {
        const halves = [user(text.slice(0, cut), 'u1'), user(text.slice(cut), 'u1')];
        assert.deepEqual(replayed(...halves), expected, `cut at ${cut}`);
      }
    });
  }

  for (const text of [
    `Why do you write ${interrupted}?`,
    `${interrupted} is what it says`,
    `See ${name} in the log`,
    `${name} is a tag`,
    `${printed}\nWhat is this?`,
    `${note}\nGo on`,
    '<command-args>x</command-args>',
    '<local-command-stdout>never closed',
    '<system-reminder>a</system-reminder> b <system-reminder>c</system-reminder>',
    '[Request interrupted by nobody]',
    '<div>\nmarkup\n</div>',
  ]) {
    it(`T-81: a prompt with such words keeps them: ${text.slice(0, 30).replaceAll('\n', ' ')}…`, () => {
      assert.deepEqual(replayed(user(text, 'u1')), [`user: ${text}`]);
      for (const size of [1, 4, 9]) {
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        const [only, ...others] = replayed(...pieces.map((piece) => user(piece, 'u1')));
        assert.deepEqual(others, []);
        assert.equal(only?.replaceAll(' | ', ''), `user: ${text}`);
      }
    });
  }

  it('no turn begins with them, and none is forked at them', () => {
    const { entries } = transcriptOf(
      user(caveat, 'u1'),
      user(`${name}\n${message}`, 'u2'),
      user(printed, 'u3'),
      user('Fix the parser', 'u4'),
      agent('Fixing', 'a4'),
      user(interrupted, 'u5'),
      user('Rather the lexer', 'u6'),
      agent('Done', 'a6'),
    );
    assert.deepEqual(shown(entries), [
      'command: /model',
      'agent: ```\nSet model to opus\n```',
      'user: Fix the parser',
      'agent: Fixing',
      'end: cancelled',
      'user: Rather the lexer',
      'agent: Done',
    ]);
    const outline = new Outline(() => entries);
    assert.deepEqual(
      outline.allTurns().map(({ prompt }) => prompt),
      ['Fix the parser', 'Rather the lexer'],
    );
    const command = entries.findIndex((entry) => entry.kind === 'user' && entry.command);
    assert.equal(findForkPoint(entries, command), undefined);
  });

  it('without ids they are told apart as well', () => {
    assert.deepEqual(
      replayed(
        user(caveat),
        user(name),
        user(printed),
        user('Fix the parser'),
        agent('Fixing'),
        user(interrupted),
        user('Rather the lexer'),
      ),
      [
        'command: /model | ```\nSet model to opus\n```',
        'user: Fix the parser',
        'agent: Fixing',
        'end: cancelled',
        'user: Rather the lexer',
      ],
    );
  });

  it('an interruption that comes with the next prompt ends the turn before it', () => {
    const blocks = [
      { type: 'text', text: interrupted },
      { type: 'text', text: 'stop, keep the old name' },
    ] as const;
    const expected = ['end: cancelled', 'user: stop, keep the old name'];
    assert.deepEqual(
      replayed(user(interrupted, 'u'), user('stop, keep the old name', 'u')),
      expected,
    );
    assert.deepEqual(replayed(whole('user', 'u', blocks)), expected);
  });

  it('a note among the blocks of a prompt isn’t shown', () => {
    const prompt = [user('Fix the parser', 'u'), user(note, 'u'), user('and the lexer', 'u')];
    assert.deepEqual(replayed(...prompt), ['user: Fix the parser | and the lexer']);
    const blocks = ['Fix the parser', note, 'and the lexer'].map(
      (text) => ({ type: 'text', text }) as const,
    );
    assert.deepEqual(replayed(whole('user', 'u', blocks)), [
      'user: Fix the parser | and the lexer',
    ]);
  });

  it('T-81: blocks of a prompt stay apart', () => {
    for (const texts of [
      ['Look at this', 'and mend it'],
      ['alpha', 'beta'],
      ['First.', 'Second.', 'Third one.'],
      ['One', 'Two'],
    ]) {
      const expected = [`user: ${texts.join(' | ')}`];
      assert.deepEqual(replayed(...texts.map((text) => user(text, 'u'))), expected);
      const blocks = texts.map((text) => ({ type: 'text', text }) as const);
      assert.deepEqual(replayed(whole('user', 'u', blocks)), expected);
    }
  });

  it('a command is one again when its transcript is read from the cache', () => {
    const { entries } = transcriptOf(user(`${name}\n${args}`, 'u1'));
    assert.deepEqual(readCachedEntry(cachedEntry(entries, 0), [], new Map()), entries[0]);
  });

  it('T-81: the tags around an error of a tool, and notes after its result, aren’t shown', () => {
    const text = (value: string) =>
      ({ type: 'content', block: { type: 'text', text: value } }) as const;
    for (const [sent, expected] of [
      ['<tool_use_error>No such file</tool_use_error>', 'No such file'],
      ['```\n<tool_use_error>No such\nfile</tool_use_error>\n```', '```\nNo such\nfile\n```'],
      [`let a;\n\n${note}`, 'let a;'],
      [`\`\`\`\nlet a;\n\n${note}\n\`\`\``, '```\nlet a;\n```'],
      ['It says <tool_use_error>x</tool_use_error> here', undefined],
      [`${note}\nlet a;`, undefined],
    ] as const) {
      const transcript = transcriptOf(
        call('c'),
        change('c', { status: 'failed', content: [text(sent)], rawOutput: sent }),
      );
      const shownCall = transcript.toolCall('c');
      assert.deepEqual(shownCall?.content, [text(expected ?? sent)]);
      assert.equal(shownCall.rawOutput, expected ?? sent);
    }
  });

  it('T-81: titles that were made of them are readable', () => {
    for (const [title, expected] of [
      [`${name} ${message} ${args}`, '/model opus'],
      [
        '<command-message>init is analyzing…</command-message> <command-name>/init</command-name>',
        '/init',
      ],
      [`${name} <command-mess`, '/model'],
      ['<command-message>review</command-mess', 'review'],
      [`${caveat} Fix the parser`, 'Fix the parser'],
      [interrupted, 'Untitled session'],
      ['<local-command-caveat>Caveat: The mess', 'Untitled session'],
      ['<bash-input>ls -l</bash-input>', '!ls -l'],
      [`About ${name}`, `About ${name}`],
      ['<div> in the header', '<div> in the header'],
    ] as const) {
      assert.equal(getLabel(title), expected);
      assert.equal(getFullTitle(title), expected);
    }
  });
});
