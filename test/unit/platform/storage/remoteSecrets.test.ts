import assert from 'node:assert/strict';
import { RemoteSecrets } from '../../../../src/platform/storage/remoteSecrets';

describe('secrets for servers of agents', () => {
  function bench(): { readonly kept: Map<string, string>; readonly secrets: RemoteSecrets } {
    const kept = new Map<string, string>();
    const secrets = new RemoteSecrets({
      get: (key) => Promise.resolve(kept.get(key)),
      store: (key, value) => Promise.resolve(void kept.set(key, value)),
      delete: (key) => Promise.resolve(void kept.delete(key)),
      keys: () => Promise.resolve([...kept.keys()]),
    });
    return { kept, secrets };
  }

  it('SEC-151: belong to one address and one header, whatever these are called', async () => {
    const { kept, secrets } = bench();
    const hosts = ['a.example', 'a.example.header.b', 'a.example.header', 'header.b', 'token'];
    const names = ['b.token', 'token', 'b', 'header.b', 'b.header.token', undefined];
    const all = hosts.flatMap((host) => names.map((name) => ({ url: `wss://${host}/`, name })));
    for (const [at, { url, name }] of all.entries()) {
      await secrets.store({ url }, `${at}`, name);
    }
    assert.equal(kept.size, all.length);
    for (const [at, { url, name }] of all.entries()) {
      assert.equal(await secrets.get({ url }, name), `${at}`);
    }
  });

  it('SEC-151: belong to an address, whatever the path and the agent; forgetting removes all of them', async () => {
    const { kept, secrets } = bench();
    const remote = { url: 'wss://build.example/acp', headers: { 'X-Key': '${secret:a}' } };
    await secrets.store(remote, 't0ken');
    await secrets.store(remote, 'k3y', 'a');
    assert.equal(await secrets.get({ url: 'wss://build.example/other' }), 't0ken');
    for (const url of [
      'wss://build.example:444/acp',
      'https://build.example/acp',
      'wss://evil/acp',
    ]) {
      assert.equal(await secrets.get({ url }), undefined);
      assert.equal(await secrets.get({ url }, 'a'), undefined);
    }
    assert.equal(await secrets.forget(remote), true);
    assert.equal(kept.size, 0);
    assert.equal(await secrets.forget(remote), false);
  });
});
