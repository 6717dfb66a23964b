import assert from 'node:assert/strict';
import { readTurnUsage } from '../../../../../src/protocol/shapes/updates/readTurnUsage';

describe('the tokens of a turn', () => {
  it('US-5: are read as Claude, Codex, Copilot, OpenCode and Gemini tell them', () => {
    const counts = { inputTokens: 1200, outputTokens: 34, totalTokens: 1234 };
    const plain = { total: 1234, input: 1200, output: 34 };
    const quota = { token_count: null, model_usage: [] };
    assert.deepEqual(readTurnUsage({ usage: counts, _meta: {} }), plain);
    assert.deepEqual(
      readTurnUsage({
        usage: { ...counts, cachedReadTokens: 5, cachedWriteTokens: 0, thoughtTokens: null },
        _meta: { quota },
      }),
      { ...plain, cachedRead: 5 },
    );
    assert.deepEqual(
      readTurnUsage({
        usage: { ...counts, totalTokens: 1300, cachedWriteTokens: 6, thoughtTokens: 7 },
      }),
      { ...plain, total: 1300, cachedWrite: 6, thought: 7 },
    );
    const ofGemini = { quota: { token_count: { input_tokens: 1200, output_tokens: 34 } } };
    assert.deepEqual(readTurnUsage({ stopReason: 'end_turn', _meta: ofGemini }), plain);
  });

  it('US-5: nothing, zeros and what is no count say nothing', () => {
    const zeros = { inputTokens: 0, outputTokens: 0, totalTokens: 0, cachedReadTokens: 0 };
    const counts = { inputTokens: 1, outputTokens: 1 };
    for (const usage of [undefined, null, zeros, 'x', 5, [], { inputTokens: 1 }]) {
      assert.equal(readTurnUsage({ usage }), undefined, JSON.stringify(usage));
    }
    for (const bad of [-1, 0.5, 2e12, Number.MAX_VALUE, '5', null, {}]) {
      assert.equal(readTurnUsage({ usage: { ...counts, outputTokens: bad } }), undefined);
      assert.deepEqual(
        readTurnUsage({ usage: { ...counts, totalTokens: bad, thoughtTokens: bad } }),
        { total: 2, input: 1, output: 1 },
      );
    }
    for (const _meta of [null, 'x', { quota: null }, { quota: { token_count: [] } }]) {
      assert.equal(readTurnUsage({ _meta }), undefined);
    }
  });
});
