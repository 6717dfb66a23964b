import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import type { Block } from '../../../shared/transcript/content';
import { asString, isObject, type JsonObject } from '../../../util/json';
import type { AgentRequests, CallNews } from '../../agentRequests';
import { boundedId, boundedText, boundedTitle, isPathLength } from '../../bounds';
import type { RequestHandler } from '../../rpc/agentRpc';
import { isCount } from '../normaliseContent';
import { invalid, readObject, stringIn } from '../params';
import { readPlanItems } from './commonUpdates';

/**
 * What Cursor tells besides `session/update` (https://cursor.com/docs/cli/acp). It names no session but the call that it
 * belongs to. These are notifications, but some versions send them as requests, so both are taken.
 */

type Reader = (params: JsonObject) => CallNews;

type Writer = (params: JsonObject) => object;

/** How each kind is read, and answered if it is a request. */
const kinds: readonly (readonly [string, Reader, Writer])[] = [
  ['cursor/update_todos', readTodoList, ({ todos }) => ({ outcome: 'accepted', todos })],
  ['cursor/task', readTask, () => ({ outcome: 'completed' })],
  ['cursor/generate_image', readImage, ({ filePath }) => ({ outcome: 'generated', filePath })],
];

export function cursorNews(requests: AgentRequests): {
  readonly requests: readonly [string, RequestHandler][];
  readonly notifications: readonly [string, (params: unknown) => void][];
} {
  return {
    requests: kinds.map(([method, read, answer]) => [
      method,
      (params) => {
        const named = readObject(params);
        requests.callNews(read(named));
        return { outcome: answer(named) };
      },
    ]),
    notifications: kinds.map(([method, read]) => [
      method,
      (params) => requests.callNews(read(readObject(params))),
    ]),
  };
}

function readTodoList(params: JsonObject): CallNews {
  const entries = readPlanItems(params['todos']);
  if (entries === undefined) {
    throw invalid('todos is not a list');
  }
  const merges = params['merge'] === true;
  return {
    toolCallId: boundedId(stringIn(params, 'toolCallId')),
    update: { sessionUpdate: 'plan', entries, ...(merges && { merges }) },
  };
}

/** UTF-16 units of what a subagent is told to do. */
const maxTask = 20_000;

function readTask(params: JsonObject): CallNews {
  const { subagentType, durationMs } = params;
  const type = isObject(subagentType) ? subagentType['custom'] : subagentType;
  const facts = [
    type === 'unspecified' ? undefined : asString(type),
    asString(params['model']),
    isCount(durationMs) ? l10n.t('{0} s', Math.round(durationMs / 1000)) : undefined,
  ];
  const about = facts.filter(Boolean).map((fact) => boundedTitle(fact ?? ''));
  const task = boundedText(asString(params['prompt']) ?? '', maxTask);
  const title = boundedTitle(asString(params['description']) || l10n.t('Subagent'));
  const text = [l10n.t('Subagent: {0}', [title, ...about].join(', ')), task];
  return shownAt(params, title, [{ type: 'text', text: text.filter(Boolean).join('\n\n') }]);
}

/** The file is only linked: whoever opens it is asked first if it isn't one of the session's folders. */
function readImage(params: JsonObject): CallNews {
  const title = boundedTitle(asString(params['description']) || l10n.t('Image'));
  const file = asString(params['filePath']);
  return shownAt(params, title, [
    file !== undefined && isPathLength(file) && path.win32.isAbsolute(file)
      ? {
          type: 'resource_link',
          uri: pathToFileURL(file, { windows: !file.startsWith('/') }).href,
          name: path.win32.basename(file),
          description: title,
        }
      : { type: 'text', text: [title, file && boundedTitle(file)].filter(Boolean).join('\n\n') },
  ]);
}

/** Adds to what the call has, which is named by this only if the agent hasn't reported it. */
function shownAt(params: JsonObject, title: string, blocks: readonly Block[]): CallNews {
  const toolCallId = boundedId(stringIn(params, 'toolCallId'));
  return {
    toolCallId,
    call: { toolCallId, title, kind: 'other', status: 'completed' },
    update: {
      sessionUpdate: 'tool_call_content_chunk',
      toolCallId,
      content: blocks.map((block) => ({ type: 'content', block })),
    },
  };
}
