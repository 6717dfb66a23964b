import assert from 'node:assert/strict';
import { until } from '../../support/until';
import { DemoWorld, history, inVersion, type TestClient, textOf, versions } from './harness';

for (const version of versions) {
  describe(`demo agent, version ${version}: prompts for the running turn`, () => {
    const world = new DemoWorld(version);
    afterEach(() => world.dispose());

    function steer(client: TestClient, sessionId: string, text: string): Promise<unknown> {
      const prompt = [{ type: 'text', text }];
      return client.extension('_session/steering', { sessionId, prompt });
    }

    async function running(prompt: string) {
      const store = await world.folder();
      const cwd = await world.folder();
      const client = await world.connect(store, { pace: 0.02 });
      const sessionId = await client.newSession(cwd);
      const turn = client.prompt(sessionId, prompt);
      await until(() =>
        client.updates(sessionId).some((each) => each.sessionUpdate === 'tool_call'),
      );
      return { client, sessionId, turn, store, cwd };
    }

    inVersion(1, version)(
      'T-39: takes one into the turn, and replays it as an ordinary prompt',
      async () => {
        const { client, sessionId, turn, store, cwd } = await running('/steering');
        assert.deepEqual(await steer(client, sessionId, 'other way'), { outcome: 'injected' });
        assert.equal(await turn, 'end_turn');
        const live = history(client.updates(sessionId));
        assert.ok(
          textOf(live, 'agent_message_chunk').includes('I take that into account: other way'),
        );
        assert.ok(!live.some((update) => update.sessionUpdate === 'user_message_chunk'));
        const again = await world.connect(store);
        const own = (await again.load(sessionId, cwd)).filter(
          (update) => update.sessionUpdate === 'user_message_chunk',
        );
        assert.deepEqual(
          own.map((update) => update.content),
          [
            { type: 'text', text: '/steering' },
            { type: 'text', text: 'other way' },
          ],
        );
      },
    );

    inVersion(1, version)('T-39: asks for an ordinary prompt when no turn runs', async () => {
      const client = await world.connect(await world.folder());
      const sessionId = await client.prompted(await world.folder(), 'hello');
      assert.deepEqual(await steer(client, sessionId, 'x'), {
        outcome: 'promptRequired',
        reason: 'noRunningTurn',
      });
    });
  });
}
