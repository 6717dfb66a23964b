import assert from 'node:assert/strict';
import {
  boundedId,
  boundedJson,
  boundedMeta,
  boundedText,
  isSessionId,
  maxId,
  maxItems,
  maxText,
  maxTitle,
} from '../../../src/protocol/bounds';
import { readOpenedSession } from '../../../src/protocol/shapes/sessions/commonResponses';
import { readSessionPage } from '../../../src/protocol/shapes/sessions/sessionPage';
import { nested } from '../../support/nested';
import { normalise, text } from './v1/normalised';

type Raw = Record<string, unknown>;

function call(fields: Raw): Raw {
  return normalise({ sessionUpdate: 'tool_call', toolCallId: 't', ...fields }) as Raw;
}

/** Applies the operations that every value of the transcript undergoes. */
function handle(value: unknown): string {
  structuredClone(value);
  assert.deepEqual(value, value);
  return JSON.stringify(value);
}

describe('bounds of what an agent sends', () => {
  it('TO-7, SEC-85: JSON that is nested too deeply is cut where it is, and says so', () => {
    for (const levels of [65, 5_000, 200_000]) {
      const { rawInput, rawOutput } = call({
        rawInput: { command: 'ls', deep: nested(levels) },
        rawOutput: nested(levels),
      });
      assert.match(handle(rawInput), /"command":"ls".*… nested too deeply, left out/);
      assert.match(handle(rawOutput), /… nested too deeply, left out/);
    }
  });

  it('TO-7: JSON of ordinary depth is passed on as it is, not copied', () => {
    const value = nested(60);
    assert.equal(boundedJson(value), value);
    assert.deepEqual(boundedJson([1, null, true, undefined]), [1, null, true, undefined]);
  });

  it('TO-7, SEC-85: a list without end is cut, and says how much is missing', () => {
    const rawInput = Array.from({ length: 200_000 }, () => 0);
    const kept = call({ rawInput })['rawInput'] as unknown[];
    assert.ok(kept.length < 100_002, `${kept.length} values`);
    assert.match(String(kept.at(-1)), /^… 100,00\d more items left out$/);
  });

  it('TO-7: so is an object of that kind, and texts in either', () => {
    const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`k${at}`, at]));
    assert.ok(Object.keys(boundedJson(many) as Raw).length < 100_002);
    const { rawOutput } = call({ rawOutput: { long: 'x'.repeat(2 * maxText), more: 'y' } });
    assert.ok(handle(rawOutput).length < maxText + 100);
    assert.match(handle(rawOutput), /more characters left out/);
    const __proto__ = JSON.parse('{"__proto__":{"polluted":1},"deep":{}}') as Raw;
    __proto__['deep'] = nested(100);
    assert.equal(({} as Raw)['polluted'], undefined);
    assert.deepEqual(Object.keys(boundedJson(__proto__) as Raw), ['__proto__', 'deep']);
  });

  it('TO-7, SEC-85: the texts of JSON are together no longer than one may be, with its notes', () => {
    const texts = (value: unknown): number =>
      typeof value === 'string'
        ? value.length
        : typeof value === 'object' && value !== null
          ? Object.entries(value).reduce(
              (sum, [key, item]) => sum + (Array.isArray(value) ? 0 : key.length) + texts(item),
              0,
            )
          : 0;
    const long = 'x'.repeat(2 * maxText);
    for (const rawOutput of [
      [long, ...Array.from({ length: 90_000 }, () => 'a text')],
      Object.fromEntries(Array.from({ length: 90_000 }, (_, at) => [`key ${at}`, 'x'.repeat(100)])),
      Array.from({ length: 1_500 }, () => nested(64)),
      { a: { b: [[long], long], c: long }, d: long },
    ]) {
      const units = texts(call({ rawOutput })['rawOutput']);
      assert.ok(units <= maxText, `${units} characters`);
    }
  });

  it('CO-2: a text of twice the size is cut, and says how much is missing', () => {
    const long = 'x'.repeat(2 * maxText);
    const update = normalise({ sessionUpdate: 'agent_message_chunk', content: text(long) }) as {
      content: { text: string };
    };
    assert.ok(update.content.text.startsWith(long.slice(0, maxText)));
    assert.equal(
      update.content.text.slice(maxText),
      `\n… ${maxText.toLocaleString('en')} more characters left out`,
    );
    assert.equal(boundedText('x'.repeat(maxText)).length, maxText);
  });

  it('never cuts through a character', () => {
    assert.equal(boundedText('a😀b', 2), 'a\n… 3 more characters left out');
  });

  it('TO-1, PL-1, INFO-1, SEC-86: titles, plans and texts of twice the size are cut, not refused', () => {
    const long = 'x'.repeat(2 * maxTitle);
    const info = normalise({ sessionUpdate: 'session_info_update', title: long }) as Raw;
    for (const title of [call({ title: long })['title'], info['title']]) {
      assert.equal(title, `${'x'.repeat(maxTitle - 1)}…`);
    }
    const entries = Array.from({ length: 2 * maxItems }, () => ({ content: 'x'.repeat(20_000) }));
    const plan = normalise({ sessionUpdate: 'plan', entries }) as {
      entries: { content: string }[];
    };
    assert.equal(plan.entries.length, maxItems + 1);
    assert.ok((plan.entries[0]?.content.length ?? 0) < 10_100);
    assert.equal(plan.entries.at(-1)?.content, '… 2,000 more items left out');
  });

  it('TO-1, INFO-1, SEC-87: what is cut doesn’t end in half a character', () => {
    const long = `x${'𝒙'.repeat(maxTitle)}`;
    assert.equal(call({ title: long })['title'], `x${'𝒙'.repeat(maxTitle / 2 - 1)}…`);
    const { label } = boundedMeta({ label: '𝒙'.repeat(maxTitle) });
    assert.equal(label, `${'𝒙'.repeat(249)}…`);
    const { content } = normalise({
      sessionUpdate: 'agent_message_chunk',
      content: { type: long },
    }) as Raw;
    assert.equal((content as Raw)['label'], `x${'𝒙'.repeat(39)}`);
  });

  it('UP-3, SEC-87: the form of an unknown update is bounded in length, depth and number of values', () => {
    const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: deep(depth - 1) });
    for (const data of ['x'.repeat(40_000), deep(128), Array(200_000).fill(1)]) {
      const { raw } = normalise({ sessionUpdate: 'future', data }) as { raw: string };
      assert.ok(raw.includes('left out') && raw.length <= 20_100, raw.slice(0, 100));
    }
  });

  it('TO-5, TO-6: content and places of a call are cut, and the content says so', () => {
    const diff = { type: 'diff', path: '/a', newText: 'n' };
    const patch = call({
      content: Array.from({ length: 2 * maxItems }, () => diff),
      locations: Array.from({ length: 2 * maxItems }, () => ({ path: '/a' })),
    }) as { content: unknown[]; locations: unknown[] };
    assert.equal(patch.content.length, maxItems + 1);
    assert.deepEqual(patch.content.at(-1), {
      type: 'content',
      block: { type: 'text', text: '… 2,000 more items left out' },
    });
    assert.equal(patch.locations.length, maxItems);
  });

  it('CM-1, CF-9, MO-2, SEC-86: commands, options and their values are bounded in number and in length', () => {
    const long = 'x'.repeat(2 * maxTitle);
    const availableCommands = Array.from({ length: 2 * maxItems }, (_, at) => ({
      name: `c${at}`,
      description: long,
    }));
    const commands = normalise({
      sessionUpdate: 'available_commands_update',
      availableCommands,
    }) as { availableCommands: { description: string }[] };
    assert.equal(commands.availableCommands.length, maxItems);
    assert.equal(commands.availableCommands[0]?.description.length, maxTitle);
    const choice = (at: number): Raw => ({ value: `v${at}`, name: long });
    const values = Array.from({ length: 10_000 }, (_, at) => choice(at));
    const groups = Array.from({ length: 100 }, (_, at) => ({ name: `g${at}`, options: values }));
    const option = (id: number, options: unknown): Raw => ({
      id: `o${id}`,
      type: 'select',
      currentValue: 'v1',
      options,
    });
    const config = normalise({
      sessionUpdate: 'config_option_update',
      configOptions: [option(0, values), option(1, groups)],
    }) as { configOptions: { groups: { choices: unknown[] }[] }[] };
    for (const { groups } of config.configOptions) {
      const count = groups.reduce((sum, { choices }) => sum + choices.length, 0);
      assert.equal(count, maxItems);
    }
    const many = Array.from({ length: 1_000 }, (_, at) => option(at, []));
    const options = normalise({ sessionUpdate: 'config_option_update', configOptions: many });
    assert.equal((options as { configOptions: unknown[] }).configOptions.length, 200);
  });

  it('TO-11, MSG-5, SEC-86: ids of megabytes stay as unique as they are, and short', () => {
    const long = 'i'.repeat(1_000_000);
    const ids = [`${long}1`, `${long}2`, `${long}1`].map(
      (toolCallId) => call({ toolCallId })['toolCallId'] as string,
    );
    assert.equal(ids[0], ids[2]);
    assert.notEqual(ids[0], ids[1]);
    assert.ok(ids.every((id) => id.length < 100));
    assert.equal(boundedId('i'.repeat(maxId)).length, maxId);
    const chunk = { sessionUpdate: 'agent_message_chunk', content: text('x'), messageId: long };
    assert.ok(handle(normalise(chunk)).length < 300);
  });

  it('INFO-3: _meta of a session is kept as far as it can be displayed', () => {
    const small = { a: { b: [1] } };
    assert.equal(boundedMeta(small), small);
    const large = { model: 'm', deep: nested(5_000), list: [1], text: 'x'.repeat(1_000_000) };
    assert.ok(handle(boundedMeta(large)).length < 1_000);
    assert.equal(boundedMeta(large)['model'], 'm');
    const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`k${at}`, at]));
    assert.equal(Object.keys(boundedMeta(many)).length, 100);
  });

  it('LIST-19, NEW-4: a session whose id can’t be kept is passed over and counted, a new one fails', () => {
    const bad = ['', 'a\0b', 'x'.repeat(2 * maxId), 'lone \ud800'];
    const good = ['a', '日本 /#?%', '\u0001', 'x'.repeat(maxId)];
    assert.deepEqual([...bad, ...good].filter(isSessionId), good);
    const sessions = [...bad, ...good].map((sessionId) => ({ sessionId, cwd: '/w' }));
    const { page, skipped } = readSessionPage({ sessions }, undefined);
    assert.deepEqual(
      page.sessions.map(({ sessionId }) => sessionId),
      good,
    );
    assert.equal(skipped, bad.length);
    for (const sessionId of bad) {
      assert.throws(
        () => readOpenedSession({ sessionId }, 'session/new', () => ({})),
        /session id/,
      );
    }
  });

  it('LIST-12: rows of a page, their titles and folders are bounded', () => {
    const row = (at: number): Raw => ({
      sessionId: `s${at}`,
      cwd: '/w',
      title: 'x'.repeat(2 * maxTitle),
      additionalDirectories: Array.from({ length: 200 }, (_, root) => `/r${root}`),
    });
    const sessions = Array.from({ length: 20_000 }, (_, at) =>
      at < 2 ? row(at) : { ...row(0), sessionId: `s${at}` },
    );
    const { page, skipped } = readSessionPage({ sessions }, undefined);
    assert.equal(page.sessions.length, 10_000);
    assert.equal(page.leftOut, 10_000);
    assert.equal(skipped, 0);
    const [first] = page.sessions;
    assert.deepEqual([first?.title?.length, first?.additionalDirectories.length], [maxTitle, 100]);
    const nextCursor = 'c'.repeat(40_000);
    assert.throws(() => readSessionPage({ sessions: [], nextCursor }, undefined), /cursor/);
  });
});
