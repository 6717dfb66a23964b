import {
  type ClientApp,
  type ClientCapabilities,
  methods,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import { assertValid } from './schema';

/** All capabilities that a client can have. */
export const everything: ClientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
  elicitation: { form: {}, url: {} },
  subagents: {},
  plan: {},
};

/** Answers permission requests with the option of this kind; `undefined` means "cancelled". */
export function permit(kind: string | undefined, asked: RequestPermissionRequest[] = []) {
  return (app: ClientApp): void => {
    app.onRequest(methods.client.session.requestPermission, ({ params }) => {
      assertValid('zRequestPermissionRequest', params);
      asked.push(params);
      const option = params.options.find((candidate) => candidate.kind === kind);
      return {
        outcome:
          option === undefined
            ? { outcome: 'cancelled' }
            : { outcome: 'selected', optionId: option.optionId },
      };
    });
  };
}

export function kinds(updates: readonly SessionUpdate[]): Set<string> {
  return new Set(updates.map((update) => update.sessionUpdate));
}

/** The latest status of each tool call, in the calls' order. */
export function statuses(updates: readonly SessionUpdate[]): (string | undefined)[] {
  const last = new Map<string, string | undefined>();
  for (const update of updates) {
    if (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update') {
      last.set(update.toolCallId, update.status ?? last.get(update.toolCallId));
    }
  }
  return [...last.values()];
}

/** A client that allows everything. */
export function yesToAll(app: ClientApp): void {
  permit('allow_once')(app);
  app
    .onRequest(methods.client.fs.readTextFile, () => ({ content: 'old\n' }))
    .onRequest(methods.client.fs.writeTextFile, () => ({}))
    .onRequest(methods.client.elicitation.create, ({ params }) => {
      assertValid('zCreateElicitationRequest', params);
      return { action: 'accept', content: { name: 'Ada' } };
    });
}
