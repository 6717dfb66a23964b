import type { TurnUsage } from '../../../shared/transcript/entries';
import { isObject, type JsonObject } from '../../../util/json';
import { objectOrEmpty } from '../agentInfo';

/**
 * The tokens of a turn in the answer to its prompt, or in the `idle` that ends it (US-5). Gemini tells them in `_meta`
 * only. Counts that are all zero say nothing: agents send them for turns that they don't count.
 */
export function readTurnUsage(end: JsonObject): TurnUsage | undefined {
  return readCounts(end['usage']) ?? readQuota(end['_meta']);
}

function readCounts(value: unknown): TurnUsage | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { inputTokens, outputTokens, totalTokens } = value;
  const thought = countIn(value['thoughtTokens']);
  const cachedRead = countIn(value['cachedReadTokens']);
  const cachedWrite = countIn(value['cachedWriteTokens']);
  return asUsage(inputTokens, outputTokens, {
    ...(isCount(totalTokens) && { total: totalTokens }),
    ...(thought && { thought }),
    ...(cachedRead && { cachedRead }),
    ...(cachedWrite && { cachedWrite }),
  });
}

function readQuota(meta: unknown): TurnUsage | undefined {
  const quota = isObject(meta) ? objectOrEmpty(meta['quota']) : {};
  const { input_tokens: input, output_tokens: output } = objectOrEmpty(quota['token_count']);
  return asUsage(input, output, {});
}

function asUsage(
  input: unknown,
  output: unknown,
  others: Partial<TurnUsage>,
): TurnUsage | undefined {
  if (!isCount(input) || !isCount(output)) {
    return undefined;
  }
  const usage = { total: input + output, ...others, input, output };
  return Object.values(usage).some((count) => count > 0) ? usage : undefined;
}

function countIn(value: unknown): number | undefined {
  return isCount(value) ? value : undefined;
}

/** Sums of what is read stay exact. */
const maxCount = 1e12;

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= maxCount;
}
