import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

interface Schema {
  parse(value: unknown): unknown;
}

// The SDK doesn't export its schemas; by address they can be had all the same.
const file = 'node_modules/@agentclientprotocol/sdk/dist/v1/unstable/schema/zod.gen.js';
const schemas = (await import(pathToFileURL(path.resolve(file)).href)) as Record<string, Schema>;

/**
 * Fails unless the value is what the protocol says. The SDK's schemas repair what they can (a wrong
 * kind becomes none, a wrong item is left out), so all that goes in has to come out again.
 */
export function assertValid(name: string, value: unknown): void {
  const schema = schemas[name];
  assert.ok(schema, `There is no schema ${name}`);
  assertKept(value, schema.parse(value), name);
}

/** Like deepEqual, but what was parsed may have more: defaults. */
function assertKept(value: unknown, parsed: unknown, at: string): void {
  if (typeof value !== 'object' || value === null) {
    assert.equal(parsed, value, at);
    return;
  }
  assert.ok(typeof parsed === 'object' && parsed !== null, at);
  assert.equal(Array.isArray(parsed), Array.isArray(value), at);
  if (Array.isArray(value)) {
    assert.equal((parsed as unknown[]).length, value.length, `${at}.length`);
  }
  for (const [key, item] of Object.entries(value)) {
    assertKept(item, (parsed as Record<string, unknown>)[key], `${at}.${key}`);
  }
}
