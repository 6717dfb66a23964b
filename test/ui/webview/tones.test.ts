import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Tone } from '../../../src/shared/tone';
import { until } from './harness/composing';
import { useGlance } from './harness/glancePage';
import { useTranscripts } from './harness/transcriptPage';

/** What the stub of the page's audio has played: the notes of a context, in hertz. */
interface Played {
  readonly notes: number[];
  isClosed: boolean;
}

/**
 * Replaces the page's audio, and what the browser says about the user's gestures: to it, each call of a test is one.
 * The result waits for so many tones, and returns the notes of each.
 */
async function listen(page: Page): Promise<(count: number) => Promise<readonly number[][]>> {
  await page.evaluate(() => {
    const played: Played[] = [];
    const activation = { hasBeenActive: false };
    const active = ({ isTrusted }: Event): void => {
      activation.hasBeenActive ||= isTrusted;
    };
    addEventListener('pointerdown', active, true);
    addEventListener('keydown', active, true);
    Object.defineProperty(navigator, 'userActivation', { value: activation });
    class Recorder {
      readonly #made: Played = { notes: [], isClosed: false };
      readonly currentTime = 0;
      readonly destination = {};
      constructor() {
        played.push(this.#made);
      }
      createGain() {
        const step = (): void => undefined;
        const gain = {
          setValueAtTime: step,
          linearRampToValueAtTime: step,
          exponentialRampToValueAtTime: step,
        };
        return { gain, connect: (to: unknown) => to };
      }
      createOscillator() {
        const { notes } = this.#made;
        const oscillator = Object.assign(new EventTarget(), {
          frequency: { value: 0 },
          connect: (to: unknown) => to,
          start: () => notes.push(oscillator.frequency.value),
          stop: () => setTimeout(() => oscillator.dispatchEvent(new Event('ended'))),
        });
        return oscillator;
      }
      close(): void {
        this.#made.isClosed = true;
      }
    }
    Object.assign(globalThis, { AudioContext: Recorder, played });
  });
  return async (count) => {
    const done = await page.waitForFunction((wanted) => {
      const { played } = globalThis as unknown as { played: Played[] };
      const isDone = played.length === wanted && played.every(({ isClosed }) => isClosed);
      return isDone && played.map(({ notes }) => notes);
    }, count);
    return (await done.jsonValue()) || [];
  };
}

const pages = {
  transcript: () => {
    const open = useTranscripts();
    return async () => {
      const { page, host } = await open();
      return { page, silent: () => host.intentsOf('silent') };
    };
  },
  'view of all sessions': () => {
    const open = useGlance();
    return async () => {
      const { page, sent } = await open();
      return { page, silent: () => sent.filter(({ type }) => type === 'silent') };
    };
  },
};

for (const [name, use] of Object.entries(pages)) {
  describe(`tones of a ${name}`, () => {
    const open = use();

    const ask = (page: Page, tone: Tone): Promise<void> =>
      page.evaluate((wanted) => window.postMessage({ type: 'tone', tone: wanted }), tone);

    it('are played once the user has clicked there, and not before', async () => {
      const { page, silent } = await open();
      const played = await listen(page);
      await ask(page, 'needsAnswer');
      await until(() => silent().length > 0, page);
      assert.deepEqual(silent(), [{ type: 'silent', tone: 'needsAnswer' }]);
      assert.deepEqual(await played(0), []);
      await page.mouse.click(5, 5);
      await ask(page, 'ended');
      await ask(page, 'needsAnswer');
      const [ended, needsAnswer] = await played(2);
      assert.ok(ended?.length && needsAnswer?.length);
      assert.notDeepEqual(ended, needsAnswer);
      assert.equal(silent().length, 1);
    });
  });
}

describe('tones of a page', () => {
  const open = useTranscripts();

  it('are real sounds to the browser', async () => {
    const { page, host, errors } = await open();
    await page.evaluate(() => {
      const Real = AudioContext;
      const opened: AudioContext[] = [];
      const make = function (): AudioContext {
        const context = new Real();
        opened.push(context);
        return context;
      };
      Object.assign(globalThis, { AudioContext: make, opened });
    });
    await page.keyboard.press('Tab');
    await host.send({ type: 'tone', tone: 'needsAnswer' });
    // It is closed only when its last note has been played.
    await page.waitForFunction(() => {
      const { opened } = globalThis as unknown as { opened: AudioContext[] };
      return opened.length === 1 && opened[0]?.state === 'closed';
    });
    assert.deepEqual(errors, []);
  });
});
