import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inProject } from '../../support/project';

interface Schema {
  parse(value: unknown): unknown;
}

// The SDK doesn't export its schemas, but they can be imported by path.
const schemas = { 1: await schemasOf(1), 2: await schemasOf(2) };

async function schemasOf(version: 1 | 2): Promise<Record<string, Schema>> {
  const file = path.join(
    inProject('node_modules/@agentclientprotocol/sdk/dist'),
    `v${version}/unstable/schema/zod.gen.js`,
  );
  return (await import(pathToFileURL(file).href)) as Record<string, Schema>;
}

/**
 * Fails unless the value is valid according to the protocol. The SDK's schemas repair what they can
 * (an unknown kind is removed, an invalid item left out), so the parsed value must contain
 * everything in the original one.
 */
export function assertValid(name: string, value: unknown, version: 1 | 2 = 1): void {
  const schema = schemas[version][name];
  assert.ok(schema, `There is no schema ${name}`);
  assertKept(value, schema.parse(value), name);
}

/** Asserts what `deepEqual` does, except that the parsed value may have more members: defaults. */
export function assertKept(value: unknown, parsed: unknown, at: string): void {
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
