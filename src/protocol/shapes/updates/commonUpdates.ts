import type { Block, PlanItem } from '../../../shared/transcript/content';
import { asString, isObject, type JsonObject } from '../../../util/json';
import {
  boundedId,
  boundedMeta,
  boundedName,
  boundedText,
  boundedTitle,
  maxTitle,
  moreItems,
  rawForm,
} from '../../bounds';
import type { AvailableCommand, SessionUpdate } from '../../updates';
import { isCount, isStringOrNull, normaliseBlock, titleIn, usableItems } from '../normaliseContent';
import { readOpenElsewhere } from '../sessions/sessionPage';
import type { Unusable } from './readEvent';
import { readLimit } from './readLimit';

/** Updates that both versions word alike, but for the details that the parameters name. */

type UsageUpdate = Extract<SessionUpdate, { sessionUpdate: 'usage_update' }>;
type SessionInfoUpdate = Extract<SessionUpdate, { sessionUpdate: 'session_info_update' }>;

/** Whether a command takes input of this form. */
type TakesInput = (input: JsonObject) => boolean;

/** A complete list of commands; `undefined` if the value isn't a list, or none of its items can be read. */
export function readCommands(value: unknown): readonly AvailableCommand[] | undefined {
  return usableItems(value, (item) => readCommand(item, () => true));
}

/** A slash command (CM-1). */
export function readCommand(value: unknown, takesInput: TakesInput): AvailableCommand | undefined {
  if (!isObject(value) || typeof value['name'] !== 'string' || value['name'] === '') {
    return undefined;
  }
  const { name, input } = value;
  if (name.length > maxTitle) {
    return undefined;
  }
  const description = titleIn(value, 'description') ?? '';
  const hint = isObject(input) && takesInput(input) ? titleIn(input, 'hint') : undefined;
  return hint === undefined ? { name, description } : { name, description, hint };
}

/** `null` clears a field; a value of the wrong type counts as absent (INFO-1 to INFO-4). */
export function readSessionInfo(update: JsonObject): SessionInfoUpdate {
  const { title, updatedAt, _meta } = update;
  const openElsewhere = readOpenElsewhere(_meta);
  // What only says this replaces nothing that the agent has said.
  const isAllOfIt = openElsewhere !== undefined && Object.keys(_meta as JsonObject).length === 1;
  return {
    sessionUpdate: 'session_info_update',
    ...(isStringOrNull(title) && { title: title && boundedTitle(title) }),
    ...(isStringOrNull(updatedAt) && { updatedAt: updatedAt && boundedTitle(updatedAt) }),
    ...((_meta === null || (isObject(_meta) && !isAllOfIt)) && {
      _meta: _meta && boundedMeta(_meta),
    }),
    ...(openElsewhere !== undefined && { openElsewhere }),
  };
}

/** The entries of a plan. Those with an unknown status or priority are still shown (PL-3). */
export function readPlanItems(value: unknown): readonly PlanItem[] | undefined {
  return usableItems(value, planItem, morePlan);
}

function morePlan(count: number): PlanItem {
  return { content: moreItems(count), priority: 'medium', status: 'pending' };
}

/** UTF-16 units of a plan entry, which is a line or two and is sent with every update. */
const maxPlanText = 10_000;

const planStatuses: ReadonlySet<unknown> = new Set(['in_progress', 'completed', 'cancelled']);

function planItem(value: unknown): PlanItem | undefined {
  if (!isObject(value) || typeof value['content'] !== 'string') {
    return undefined;
  }
  const { id, content, priority, status } = value;
  return {
    ...(typeof id === 'string' && { id: boundedId(id) }),
    content: boundedText(content, maxPlanText),
    priority: priority === 'high' || priority === 'low' ? priority : 'medium',
    status: planStatuses.has(status) ? (status as PlanItem['status']) : 'pending',
  };
}

/** Context in use and cost (US-1, US-3). */
export function readUsage(update: JsonObject): UsageUpdate | Unusable {
  const { used, size, cost } = update;
  if (!isCount(used) || !isCount(size)) {
    return 'usage_update without numbers';
  }
  const limit = readLimit(update['_meta']);
  if (isObject(cost) && isCount(cost['amount']) && typeof cost['currency'] === 'string') {
    const { amount, currency } = cost;
    const short = { amount, currency: boundedTitle(currency) };
    return {
      sessionUpdate: 'usage_update',
      ...{ used, size, cost: short },
      ...(limit !== undefined && { limit }),
    };
  }
  // An update for the sake of a limit says nothing of the cost.
  return {
    sessionUpdate: 'usage_update',
    ...{ used, size },
    ...(limit !== undefined && { limit, keepsCost: true }),
  };
}

/** A notice needs a title; its severity may be any string (NO-2). */
export function readNotice(update: JsonObject): SessionUpdate | Unusable {
  const title = titleIn(update, 'title');
  if (!title) {
    return 'notice without a title';
  }
  const severity = titleIn(update, 'severity') ?? 'info';
  const description = titleIn(update, 'description');
  return description === undefined
    ? { sessionUpdate: 'notice', severity, title }
    : { sessionUpdate: 'notice', severity, title, description };
}

/**
 * A compaction: `null` clears a field, an absent one is unchanged (CP-2). So is its status in version 2, where `null` is
 * its beginning (V2-COMP-1).
 */
export function readCompaction(update: JsonObject): SessionUpdate | Unusable {
  const compactionId = asString(update['compactionId']);
  const status = update['status'] === null ? 'in_progress' : titleIn(update, 'status');
  if (compactionId === undefined) {
    return 'compaction_update without id';
  }
  const summary: readonly Block[] | null | undefined =
    update['summary'] === null ? null : usableItems(update['summary'], normaliseBlock);
  const { error } = update;
  return {
    sessionUpdate: 'compaction_update',
    compactionId: boundedId(compactionId),
    ...(status !== undefined && { status }),
    ...(summary !== undefined && { summary }),
    ...(isStringOrNull(error) && { error: error && boundedText(error) }),
  };
}

/** A chunk of a compaction's summary (CP-3). */
export function readCompactionChunk(update: JsonObject): SessionUpdate | Unusable {
  const compactionId = asString(update['compactionId']);
  const content = normaliseBlock(update['content']);
  return compactionId === undefined || !content
    ? 'compaction_summary_chunk without id or content'
    : { sessionUpdate: 'compaction_summary_chunk', compactionId: boundedId(compactionId), content };
}

/** The end of a turn of a trace that is replayed, in either version. */
export function readTurnEnd(update: JsonObject): SessionUpdate | Unusable {
  const stopReason = titleIn(update, 'stopReason');
  return stopReason
    ? { sessionUpdate: '_acp_sessions_turn_end', stopReason }
    : 'the end of a turn without a reason';
}

/** What wasn't known when a transcript was saved. */
export function readUnknown(update: JsonObject): SessionUpdate | Unusable {
  const { what, raw, count } = update;
  const name = asString(update['name']);
  return (what === 'update' || what === 'request') && name !== undefined
    ? {
        sessionUpdate: '_acp_sessions_unknown',
        what,
        name: boundedName(name),
        raw: rawForm(raw),
        ...(isCount(count) && { count }),
      }
    : 'something unknown without a name';
}
