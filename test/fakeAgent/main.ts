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
 * and close), lists `sessions` by `cwd` and in pages, replays two messages on `session/load`, answers
 * `session/close` with `{}`, a cancelled request with -32800, an unknown request with -32601, ignores
 * unknown notifications, and ends when stdin ends.
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
 *     { "on": { "$/cancel_request": [] } }
 */
import fs from 'node:fs';
import process from 'node:process';
import { FakeAgent } from './agent';
import type { Scenario } from './scenario';

const argument = process.argv[2] ?? '{}';
const json = argument.startsWith('{') ? argument : fs.readFileSync(argument, 'utf8');
new FakeAgent(JSON.parse(json) as Scenario).run();
