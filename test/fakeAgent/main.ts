/**
 * A scriptable agent over stdio, without the SDK, that can misbehave in every way. It is driven by a
 * scenario (types and all fields: `scenario.ts`), given as inline JSON or as the path of a JSON file:
 *
 *     node out/fakeAgent.js '{"sessions":[{"sessionId":"a","cwd":"/w","title":"One"}]}'
 *     node out/fakeAgent.js scenario.json
 *
 * In a test, with type checking: `const { command, args, env } = fakeAgent({ … })`.
 *
 * Without a scenario it is a well-behaved agent: it answers `initialize` (version 1, capabilities load,
 * list and close; `ableInitialize` in `scenario.ts` has all), lists `sessions` by `cwd` and in pages,
 * replays two messages on `session/load`, gives new and forked sessions the ids `new-1`, `new-2`…,
 * answers a prompt with one message and `end_turn`, a prompt that `session/cancel` cancels with
 * `cancelled`, a canceled request with -32800, `session/set_config_option` with the list of
 * `setup.configOptions` after the change, `session/set_title` with the title, any other request that
 * the protocol allows with `{}`, and an unknown request with -32601. It ignores unknown notifications
 * and ends when stdin ends.
 *
 * Examples of scenarios:
 *
 * A load that replays and then dies with a last line on stderr:
 *     { "replays": { "*": [ { "update": { "sessionUpdate": "agent_message_chunk",
 *         "content": { "type": "text", "text": "Hello" } } }, { "stderr": "out of memory\n" }, { "exit": 7 } ] } }
 * A load of 100,000 mixed updates:
 *     { "replays": { "*": [ { "generate": 100000 } ] } }
 * 10,000 sessions in pages of 50:
 *     { "sessions": { "count": 10000, "cwd": "/w" } }
 * Custom pages, a numeric cursor and an error:
 *     { "on": { "session/list": [ [ { "result": { "sessions": [null], "nextCursor": 7 } } ],
 *         [ { "error": { "code": -32602, "message": "bad cursor" } } ] ] } }
 * Prints a banner, never answers initialize, ignores signals and the end of stdin:
 *     { "start": [ { "raw": "\u001b[1mWelcome\u001b[0m\n" } ], "on": { "initialize": [] },
 *       "ignoreTerm": true, "ignoreStdinEnd": true }
 * Pushes a title when the test creates a file or sends a notification `_test/push`:
 *     { "watch": [ { "file": "/tmp/x/push", "steps": [ { "update": { "sessionUpdate":
 *         "session_info_update", "title": "New" }, "sessionId": "a" } ] } ],
 *       "on": { "_test/push": [ … ] } }
 * A load that waits until the test creates a file:
 *     { "replays": { "*": [ { "waitForFile": "/tmp/x/go" } ] } }
 * Cancellation is ignored:
 *     { "on": { "$/cancel_request": [], "session/cancel": [] } }
 * Two turns: one that streams and is cut off, one that fails with an error, as do all further ones:
 *     { "on": { "session/prompt": [
 *         [ { "updates": [ … ] }, { "result": { "stopReason": "max_tokens" } } ],
 *         [ { "error": { "code": -32603, "message": "overloaded" } } ] ] } }
 * A turn that never ends, canceled or not:
 *     { "on": { "session/prompt": [ { "waitForCancel": true } ] } }
 * A canceled turn that ends late, after one more update:
 *     { "on": { "session/prompt": [ { "waitForCancel": true }, { "update": { … } },
 *         { "result": { "stopReason": "cancelled" } } ] } }
 * Two answers to one prompt:
 *     { "on": { "session/prompt": [ { "result": { "stopReason": "end_turn" } },
 *         { "send": { "jsonrpc": "2.0", "id": "$id", "result": { "stopReason": "refusal" } } } ] } }
 * A permission request, with the answer as a message in the transcript:
 *     { "on": { "session/prompt": [
 *         { "request": "session/request_permission", "wait": true, "params": { "sessionId": "$sessionId",
 *             "toolCall": { "toolCallId": "t1", "title": "rm -rf build", "kind": "execute" },
 *             "options": [ { "optionId": "yes", "name": "Allow", "kind": "allow_once" } ] } },
 *         { "update": { "sessionUpdate": "agent_message_chunk",
 *             "content": { "type": "text", "text": "$answerText" } } },
 *         { "result": { "stopReason": "end_turn" } } ] } }
 * A terminal from creation to release:
 *     { "on": { "session/prompt": [
 *         { "request": "terminal/create", "wait": true,
 *           "params": { "sessionId": "$sessionId", "command": "ls", "args": [] } },
 *         { "request": "terminal/release", "wait": true,
 *           "params": { "sessionId": "$sessionId", "terminalId": "$answer.terminalId" } },
 *         { "result": { "stopReason": "end_turn" } } ] } }
 * Two permission requests at once, the second canceled, then the agent dies:
 *     { "on": { "session/prompt": [
 *         { "request": "session/request_permission", "requestId": "p1", "params": { … } },
 *         { "request": "session/request_permission", "requestId": "p2", "params": { … } },
 *         { "send": { "jsonrpc": "2.0", "method": "$/cancel_request", "params": { "requestId": "p2" } } },
 *         { "waitForAnswer": "p2" }, { "kill": "SIGKILL" } ] } }
 * A login with an API key: the agent accepts it, and without the key sessions fail afterward:
 *     { "initialize": { "authMethods": [ { "id": "key", "name": "Key", "_meta": { "api-key": { "provider": "google" } } } ] },
 *       "on": { "authenticate": [ { "result": {} } ], "session/new": [
 *         { "withoutVariable": "GEMINI_API_KEY", "steps": [ { "error": { "code": -32000, "message": "No key." } } ] },
 *         { "result": { "sessionId": "n1" } } ] } }
 */
import fs from 'node:fs';
import process from 'node:process';
import { FakeAgent } from './agent';
import { processHost } from './host';
import type { Scenario } from './scenario';

const argument = process.argv[2] ?? '{}';
const json = argument.startsWith('{') ? argument : fs.readFileSync(argument, 'utf8');
const scenario = JSON.parse(json) as Scenario;
const { pidFile, ignoreTerm, ignoreStdinEnd } = scenario;
if (pidFile) {
  fs.writeFileSync(pidFile, String(process.pid));
}
if (ignoreTerm) {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => undefined);
  }
}
// However stubborn the scenario, a failed test must not leave a process behind for long.
const life = setTimeout(() => process.exit(99), 600_000);
if (!ignoreStdinEnd) {
  life.unref();
}
// The client may close our stdout to end us; what happens then depends on the end of stdin.
process.stdout.on('error', () => undefined);
new FakeAgent(scenario, processHost).run();
