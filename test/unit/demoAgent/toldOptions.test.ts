import assert from 'node:assert/strict';
import { DemoWorld, versions } from './harness';

interface Told {
  readonly sessionId?: string;
  readonly configOptions?: readonly { readonly id?: string; readonly currentValue: unknown }[];
}

for (const version of versions) {
  describe(`the demo agent that tells its options before a session, version ${version}`, () => {
    const world = new DemoWorld(version);
    afterEach(() => world.dispose());

    async function connected(tellsOptions: boolean) {
      const cwd = await world.folder();
      const client = await world.connect(await world.folder(), { tellsOptions });
      const ask = async (method: string, more: object = {}) =>
        (await client.request(method as never, { cwd, mcpServers: [], ...more } as never)) as Told;
      return { client, ask };
    }
    const valuesOf = ({ configOptions = [] }: Told) =>
      configOptions.map(({ currentValue }) => currentValue).slice(0, 3);

    it('T-140: tells what a session would begin with, makes none, and takes first values', async () => {
      const { client, ask } = await connected(true);
      const told = await ask('session/options');
      assert.deepEqual(valuesOf(told), ['ask', 'oak', 'brief']);
      assert.equal(told.sessionId, undefined);
      assert.deepEqual((await client.request('session/list', {})).sessions, []);
      const type = version === 2 && { type: 'id' };
      const made = await ask('session/new', {
        configOptions: [
          { configId: 'mode', value: 'plan', ...type },
          { configId: 'model', value: 'none', ...type },
          { configId: 'nothing', value: 'x', ...type },
        ],
      });
      assert.deepEqual(valuesOf(made), ['plan', 'oak', 'brief']);
    });

    it('T-140: does neither unless it is started so', async () => {
      const { ask } = await connected(false);
      await assert.rejects(ask('session/options'));
      const configOptions = [{ configId: 'mode', value: 'plan' }];
      assert.deepEqual(valuesOf(await ask('session/new', { configOptions }))[0], 'ask');
    });
  });
}
