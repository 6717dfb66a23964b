import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject, type JsonObject } from '../../src/util/json';
import { inProject } from '../support/project';
import { type LaterKind, updateKinds } from '../unit/protocol/v1/updateKinds';
import type { Random } from './random';
import { sessionId } from './world';

/** A placeholder for JSON that no value can hold: a nesting depth, or a number of characters. */
const marker = /"⟦(array|object|text|list):(\d+)⟧"/g;
export const deep = (levels: number): string => `⟦object:${levels}⟧`;
const deepList = (levels: number): string => `⟦array:${levels}⟧`;
export const long = (length: number): string => `⟦text:${length}⟧`;
const wide = (length: number): string => `⟦list:${length}⟧`;

/** Serializes a value and expands its markers. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value).replace(marker, (_, kind: string, size: string) => {
    const count = Number(size);
    switch (kind) {
      case 'array':
        return '['.repeat(count) + ']'.repeat(count);
      case 'object':
        return `${'{"a":'.repeat(count)}1${'}'.repeat(count)}`;
      case 'text':
        return `"${'x'.repeat(count)}"`;
      default:
        return `[${Array.from({ length: count }, (__, index) => index).join(',')}]`;
    }
  });
}

const ids = ['a', 'b', 'c', '', '__proto__', 'constructor', 'toString', 'a\0b', '\ud800', '\u202e'];
const texts = [
  'Hello',
  '',
  'a\u202egnp.exe\u2066\u200b\u0000\u001b[31m',
  '\ud800 alone \udfff',
  '`'.repeat(200),
  '[x](command:workbench.action.quit) <img src=x onerror=alert(1)>',
  '# Title\n\n- a\n  - b\n'.repeat(50),
  '\r\r\n\n\u2028\u2029\u0085',
];
/** Kinds that only version 2 has; over version 1 they are unknown ones, and the other way round. */
const laterKinds: readonly LaterKind[] = [
  ...(['user_message', 'agent_message', 'agent_thought', 'state_update'] as const),
  ...(['tool_call_content_chunk', 'terminal_update', 'terminal_output_chunk'] as const),
];
const kinds = [
  ...updateKinds,
  'plan_update',
  ...laterKinds,
  'messages_dropped',
  'of_another_world',
];
const methods = [
  'session/request_permission',
  'fs/read_text_file',
  'fs/write_text_file',
  'terminal/create',
  'terminal/output',
  'terminal/wait_for_exit',
  'terminal/kill',
  'terminal/release',
  'elicitation/create',
  'elicitation/complete',
  'session/update',
  '_vendor/anything',
  'toString',
];

/** Generates lines that no well-behaved agent would send: mutations of real ones, and values of every wrong type. */
export class HostileLines {
  readonly #random: Random;
  readonly #real: readonly JsonObject[];
  readonly #largest: number;

  /** `largest`: bytes of the longest lines, which occur now and then. */
  constructor(random: Random, largest: number) {
    this.#random = random;
    this.#largest = largest;
    this.#real = realLines();
  }

  next(): string {
    const random = this.#random;
    if (random.chance(0.03)) {
      return random.pick([
        '',
        'null',
        '[]',
        '{}',
        '{"jsonrpc":"2.0"}',
        'Listening…',
        '\ufeff{',
        '[[[',
      ]);
    }
    const line = jsonOf(this.#mutated(random.chance(0.5) ? this.#realLine() : this.#madeLine()));
    if (random.chance(0.03)) {
      return `[${[line, jsonOf(this.#mutated(this.#madeLine()))].join(',')}]`;
    }
    // Sometimes a line is truncated or repeated.
    if (random.chance(0.02)) {
      return line.slice(0, random.below(line.length));
    }
    return random.chance(0.05) ? `${line}\n${line}` : line;
  }

  #realLine(): unknown {
    const line = structuredClone(this.#random.pick(this.#real));
    if (isObject(line['params'])) {
      line['params']['sessionId'] = sessionId;
    }
    return line;
  }

  #madeLine(): unknown {
    const random = this.#random;
    const id = random.chance(0.5) ? { id: this.#id() } : {};
    if (random.chance(0.7)) {
      const update = { sessionUpdate: random.pick(kinds), ...this.#fields() };
      return { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } };
    }
    const params = { sessionId: random.chance(0.9) ? sessionId : this.#id(), ...this.#fields() };
    return { jsonrpc: '2.0', ...id, method: random.pick(methods), params };
  }

  /** Fields of all kinds of updates and requests together, each with the right or a wrong type. */
  #fields(): JsonObject {
    const random = this.#random;
    const blocks = (): unknown[] => Array.from({ length: random.below(4) }, () => this.#block());
    const all: Record<string, () => unknown> = {
      messageId: () => this.#id(),
      toolCallId: () => this.#id(),
      compactionId: () => this.#id(),
      terminalId: () => this.#id(),
      content: () => (random.chance(0.5) ? this.#block() : blocks()),
      summary: blocks,
      title: () => this.#text(),
      description: () => this.#text(),
      message: () => this.#text(),
      severity: () => random.pick(['info', 'warning', 'error', 'none']),
      status: () => random.pick(['pending', 'in_progress', 'completed', 'failed', 'so-so']),
      kind: () => random.pick(['edit', 'execute', 'read', 'other', 'magic']),
      rawInput: () => this.#value(),
      rawOutput: () => this.#value(),
      locations: () => [{ path: this.#text(), line: random.below(100) - 50 }],
      entries: () => [{ content: this.#text(), priority: 'high', status: 'pending' }],
      availableCommands: () => [{ name: this.#text(), description: this.#text() }],
      currentModeId: () => this.#id(),
      configOptions: () => [{ id: this.#id(), name: this.#text(), type: 'select', options: [] }],
      used: () => this.#value(),
      size: () => this.#value(),
      options: () => [{ optionId: this.#id(), name: this.#text(), kind: 'allow_once' }],
      toolCall: () => ({ toolCallId: this.#id(), title: this.#text(), rawInput: this.#value() }),
      path: () =>
        random.pick(['/home/user/project/a', '/etc/passwd', '../..', 'a\0b', this.#text()]),
      command: () => this.#text(),
      args: () => [this.#text()],
      mode: () => random.pick(['form', 'url']),
      requestedSchema: () => ({ type: 'object', properties: { a: { type: 'string' } } }),
      ...this.#laterFields(),
      _meta: () => this.#value(),
    };
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, make]) => (random.chance(0.5) ? [[name, make()]] : [])),
    );
  }

  /** The fields that only version 2 has. */
  #laterFields(): Record<string, () => unknown> {
    const random = this.#random;
    const base64 = (): unknown => random.pick<unknown>(['4pyT', '4p', '****', this.#text()]);
    return {
      state: () => random.pick(['running', 'idle', 'requires_action', 'unknown', 'sleeping']),
      stopReason: () => random.pick(['end_turn', 'cancelled', 'error', '_own', 'why']),
      background: () => [{ type: 'terminal', terminalId: this.#id() }, this.#value()],
      data: base64,
      output: () => (random.chance(0.8) ? { data: base64() } : null),
      exitStatus: () => ({ exitCode: this.#value(), signal: null }),
      cwd: () => this.#text(),
      planId: () => this.#id(),
      plan: () => ({
        type: random.pick(['items', 'file', 'markdown', 'none']),
        ...{
          planId: this.#id(),
          content: this.#text(),
          uri: this.#text(),
          entries: [this.#value()],
        },
      }),
      subject: () => ({
        type: random.pick(['tool_call', 'command', 'none']),
        toolCall: this.#value(),
      }),
    };
  }

  /** A diff of version 2, whose patch may be none. */
  #patch(): unknown {
    const operation = this.#random.pick(['add', 'delete', 'modify', 'move', 'copy', 'mix']);
    const text = `diff --git /a /b\n--- /a\n+++ /b\n@@ -1 +1,${'9'.repeat(this.#random.below(30))} @@\n`;
    return {
      type: 'diff',
      changes: [{ operation, path: this.#text(), oldPath: this.#text() }],
      patch: {
        format: 'git_patch',
        text: this.#random.chance(0.5) ? `${text}-a\n+b` : this.#text(),
      },
    };
  }

  #block(): unknown {
    const random = this.#random;
    return random.pick<() => unknown>([
      () => ({ type: 'text', text: this.#text() }),
      () => ({ type: 'image', mimeType: 'image/png', data: this.#text() }),
      () => ({ type: 'content', content: { type: 'text', text: this.#text() } }),
      () => ({ type: 'diff', path: this.#text(), oldText: this.#text(), newText: this.#text() }),
      () => this.#patch(),
      () => ({ type: 'terminal', terminalId: this.#id() }),
      () => ({ type: 'resource', resource: { uri: this.#text(), text: this.#text() } }),
      () => ({ type: 'resource_link', uri: this.#text(), name: this.#text() }),
      () => this.#value(),
    ])();
  }

  /** Replaces or removes up to two members at random places. */
  #mutated(line: unknown): unknown {
    for (let times = this.#random.below(3); times > 0; times--) {
      const place = this.#place(line);
      if (place !== undefined) {
        const name = this.#random.pick(Object.keys(place));
        if (this.#random.chance(0.3)) {
          Reflect.deleteProperty(place, name);
        } else {
          Reflect.set(place, name, this.#value());
        }
      }
    }
    return line;
  }

  /** A random object or array with members within a value. */
  #place(value: unknown): object | undefined {
    let place: object | undefined;
    let here: unknown = value;
    while (typeof here === 'object' && here !== null && Object.keys(here).length > 0) {
      place = here;
      if (this.#random.chance(0.25)) {
        return place;
      }
      here = this.#random.pick(
        Object.values(here as JsonObject).map((member) => ({ member })),
      ).member;
    }
    return place;
  }

  #id(): unknown {
    return this.#random.chance(0.9) ? this.#random.pick(ids) : this.#value();
  }

  #text(): unknown {
    return this.#random.chance(0.85) ? this.#random.pick(texts) : this.#value();
  }

  #value(): unknown {
    const random = this.#random;
    if (random.chance(0.01)) {
      return random.chance(0.5)
        ? long(random.below(this.#largest))
        : wide(Math.floor(this.#largest / 10));
    }
    if (random.chance(0.05)) {
      return random.pick([deep, deepList])(random.below(20_000));
    }
    return random.pick<unknown>([
      ...[null, true, false, 0, -1, 1.5, 1e308, -0, 2 ** 53, '', 'text', [], {}, [[]], [null]],
      ...[{ __proto__: null, length: -1 }, { toString: 1 }, { type: 'text' }, [{}], wide(100)],
      ...[long(1000), random.pick(texts), random.pick(ids)],
    ]);
  }
}

/** Lines that real agents sent, from the fixtures. */
function realLines(): readonly JsonObject[] {
  const folder = inProject('test/fixtures');
  const linesIn = (name: string): JsonObject[] =>
    readdirSync(path.join(folder, name))
      .filter((file) => file.endsWith('.jsonl'))
      .flatMap((file) =>
        readFileSync(path.join(folder, name, file), 'utf8')
          .trim()
          .split('\n'),
      )
      .map((line) => JSON.parse(line) as JsonObject);
  const updates = linesIn('updates').map((update) => ({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { sessionId, update },
  }));
  return [...linesIn('wire'), ...linesIn('requests'), ...updates];
}
