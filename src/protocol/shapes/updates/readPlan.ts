import type { Block } from '../../../shared/transcript/content';
import { asString, isObject, type JsonObject } from '../../../util/json';
import { boundedId } from '../../bounds';
import type { SessionUpdate } from '../../updates';
import { getLabel, normaliseBlock, pathIn, textIn } from '../normaliseContent';
import { readPlanItems } from './commonUpdates';
import type { Unusable } from './readEvent';

type Plan = Extract<SessionUpdate, { sessionUpdate: 'plan' }>;

/** `plan_update`: the whole plan with its id, in whichever form (PL-4, V2-PLAN-1 to V2-PLAN-3). */
export function readPlanUpdate({ plan }: JsonObject): SessionUpdate | Unusable {
  const content = isObject(plan) ? readContent(plan) : undefined;
  if (!isObject(plan) || content === undefined) {
    return 'plan_update without a plan';
  }
  const planId = asString(plan['planId']);
  return { sessionUpdate: 'plan', ...(planId && { planId: boundedId(planId) }), ...content };
}

/** What is planned; `undefined` if it can't be read. Of an unknown form, only the name is kept. */
function readContent(plan: JsonObject): Pick<Plan, 'entries' | 'blocks' | 'path'> | undefined {
  switch (plan['type']) {
    case 'items': {
      const entries = readPlanItems(plan['entries']);
      return entries && { entries };
    }
    case 'markdown': {
      const text = textIn(plan, 'content');
      const path = pathIn(plan, 'path');
      return text === undefined
        ? undefined
        : { ...withBlock({ type: 'text', text }), ...(path && { path }) };
    }
    case 'file': {
      const block = normaliseBlock({ type: 'resource_link', uri: plan['uri'] });
      return block?.type === 'resource_link' ? withBlock(block) : undefined;
    }
    default:
      return withBlock({ type: 'unknown', label: getLabel(plan) });
  }
}

function withBlock(block: Block): Pick<Plan, 'entries' | 'blocks'> {
  return { entries: [], blocks: [block] };
}

/** `plan_removed` (PL-4, V2-PLAN-4). */
export function readPlanRemoved(update: JsonObject): SessionUpdate | Unusable {
  const planId = asString(update['planId']);
  return planId
    ? { sessionUpdate: 'plan_removed', planId: boundedId(planId) }
    : 'plan_removed without an id';
}
