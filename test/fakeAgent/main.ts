/**
 * A scriptable agent over stdio, without the SDK, that can do everything wrong. It is driven by a
 * scenario (types and every field: `scenario.ts`), given as inline JSON or as the name of a JSON file:
 *
 *     node out/fakeAgent.js '{"sessions":[{"sessionId":"a","cwd":"/w","title":"One"}]}'
 *     node out/fakeAgent.js scenario.json
 *
 * From a test: `const { command, args, env } = fakeAgent({ … })`, with the types to help.
 *
 * Without a scenario it is a good agent: it answers `initialize` (version 1, capabilities load, list
 * and close; `ableInitialize` in `scenario.ts` has all), lists `sessions` by `cwd` and in pages, replays
 * two messages on `session/load`, gives new and forked sessions the ids `new-1`, `new-2`…, answers a
 * prompt with one message and `end_turn`, a prompt that `session/cancel` cancels with `cancelled`, a
 * cancelled request with -32800, `session/set_config_option` with the list of `setup.configOptions`
 * after the change, `session/set_title` with the title, everything else that a client may ask of an
 * agent with `{}`, an unknown request with -32601, ignores unknown notifications, and ends when stdin
 * ends.
 *
 * Examples of scenarios:
 *
 * A load that replays, dies in the middle, with a last word:
 *     { "replays": { "*": [ { "update": { "sessionUpdate": "agent_message_chunk",
 *         "content": { "type": "text", "text": "Hello" } } }, { "stderr": "out of memory\n" }, { "exit": 7 } ] } }
 * A load of 100,000 mixed updates:
 *     { "replays": { "*": [ { "generate": 100000 } ] } }
 * 10,000 sessions in pages of 50:
 *     { "sessions": { "count": 10000, "cwd": "/w" } }
 * Pages of one's own, a numeric cursor and an error:
 *     { "on": { "session/list": [ [ { "result": { "sessions": [null], "nextCursor": 7 } } ],
 *         [ { "error": { "code": -32602, "message": "bad cursor" } } ] ] } }
 * Never answers initialize, prints a banner, ignores everything:
 *     { "start": [ { "raw": "\u001b[1mWelcome\u001b[0m\n" } ], "on": { "initialize": [] },
 *       "ignoreTerm": true, "ignoreStdinEnd": true }
 * A title pushed when the test creates a file, or sends a notification `_test/push`:
 *     { "watch": [ { "file": "/tmp/x/push", "steps": [ { "update": { "sessionUpdate":
 *         "session_info_update", "title": "New" }, "sessionId": "a" } ] } ],
 *       "on": { "_test/push": [ … ] } }
 * A load held back until the test says so:
 *     { "replays": { "*": [ { "waitForFile": "/tmp/x/go" } ] } }
 * Cancelling is ignored:
 *     { "on": { "$/cancel_request": [], "session/cancel": [] } }
 * Two turns: one that streams and is cut off, one that is refused with an error; further ones like it:
 *     { "on": { "session/prompt": [
 *         [ { "updates": [ … ] }, { "result": { "stopReason": "max_tokens" } } ],
 *         [ { "error": { "code": -32603, "message": "overloaded" } } ] ] } }
 * A turn that never ends, cancelled or not:
 *     { "on": { "session/prompt": [ { "waitForCancel": true } ] } }
 * A turn that is cancelled and says so late, after one more update:
 *     { "on": { "session/prompt": [ { "waitForCancel": true }, { "update": { … } },
 *         { "result": { "stopReason": "cancelled" } } ] } }
 * A prompt that is answered twice:
 *     { "on": { "session/prompt": [ { "result": { "stopReason": "end_turn" } },
 *         { "send": { "jsonrpc": "2.0", "id": "$id", "result": { "stopReason": "refusal" } } } ] } }
 * A permission, and what came of it as a message in the transcript:
 *     { "on": { "session/prompt": [
 *         { "request": "session/request_permission", "wait": true, "params": { "sessionId": "$sessionId",
 *             "toolCall": { "toolCallId": "t1", "title": "rm -rf build", "kind": "execute" },
 *             "options": [ { "optionId": "yes", "name": "Allow", "kind": "allow_once" } ] } },
 *         { "update": { "sessionUpdate": "agent_message_chunk",
 *             "content": { "type": "text", "text": "$answerText" } } },
 *         { "result": { "stopReason": "end_turn" } } ] } }
 * A terminal from its start to its release:
 *     { "on": { "session/prompt": [
 *         { "request": "terminal/create", "wait": true,
 *           "params": { "sessionId": "$sessionId", "command": "ls", "args": [] } },
 *         { "request": "terminal/release", "wait": true,
 *           "params": { "sessionId": "$sessionId", "terminalId": "$answer.terminalId" } },
 *         { "result": { "stopReason": "end_turn" } } ] } }
 * Two permissions at once, the second taken back, then the agent dies:
 *     { "on": { "session/prompt": [
 *         { "request": "session/request_permission", "requestId": "p1", "params": { … } },
 *         { "request": "session/request_permission", "requestId": "p2", "params": { … } },
 *         { "send": { "jsonrpc": "2.0", "method": "$/cancel_request", "params": { "requestId": "p2" } } },
 *         { "waitForAnswer": "p2" }, { "kill": "SIGKILL" } ] } }
 * A login with a key that every agent takes, and that fails afterwards without the key:
 *     { "initialize": { "authMethods": [ { "id": "key", "name": "Key", "_meta": { "api-key": { "provider": "google" } } } ] },
 *       "on": { "authenticate": [ { "result": {} } ], "session/new": [
 *         { "withoutVariable": "GEMINI_API_KEY", "steps": [ { "error": { "code": -32000, "message": "No key." } } ] },
 *         { "result": { "sessionId": "n1" } } ] } }
 */
import fs from 'node:fs';
import process from 'node:process';
import { FakeAgent } from './agent';
import type { Scenario } from './scenario';

const argument = process.argv[2] ?? '{}';
const json = argument.startsWith('{') ? argument : fs.readFileSync(argument, 'utf8');
new FakeAgent(JSON.parse(json) as Scenario).run();
