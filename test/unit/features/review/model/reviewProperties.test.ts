import { fc, tries } from '../../../../support/properties';
import { act } from './acts';
import { SeveralSessions, act as severalAct } from './severalSessions';
import { Story } from './story';
import { World } from './world';

describe('Reviews: properties', () => {
  const often = tries(100);

  it('whatever happens, the record explains every file, and the user’s own text is in it', async function () {
    this.timeout(10_000 + 200 * often.numRuns);
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 25 }), fc.boolean(), async (acts, isSummedUp) => {
        // After each few lines, or never.
        const world = await new World(undefined, isSummedUp ? 0 : undefined).open();
        const story = new Story(world);
        try {
          world.write('a', '1\n2\n3\n4\n5\n6\n7\n8\n');
          world.write('c', '\0\n');
          await world.beginTurn(1);
          for (const it of acts) {
            await story.play(it);
          }
          await story.check();
        } finally {
          story.dispose();
          world.dispose();
        }
      }),
      often,
    );
  });

  it('SEC-80: no undo of one session takes back what only another one has written', async function () {
    this.timeout(10_000 + 400 * often.numRuns);
    await fc.assert(
      fc.asyncProperty(fc.array(severalAct, { maxLength: 20 }), async (acts) => {
        const several = new SeveralSessions();
        try {
          for (const it of acts) {
            await several.play(it);
          }
          await several.end();
        } finally {
          several.dispose();
        }
      }),
      often,
    );
  });
});
