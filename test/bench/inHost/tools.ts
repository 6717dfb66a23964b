import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { name, publisher } from '../../../package.json';
import type { TestApi } from '../../../src/extension';
import { usedMemory } from '../usedMemory';

/** Times in milliseconds, round by round, and memory in bytes. */
export interface ToolFigures {
  /** Of VS Code's command for references, and of our tool. */
  readonly asked: readonly number[];
  readonly called: readonly number[];
  /** From the language server's report on an edit to the tool's answer, which may come before. */
  readonly later: readonly number[];
  /** Until each of twelve sessions has a server. */
  readonly offers: readonly number[];
  /** What a session takes that has called a tool, beside one without tools; and twelve of them. */
  readonly first: number;
  readonly twelve: number;
}

const rounds = 15;
const edits = 5;
const sessionCount = 12;
const wantedReferences = 1_001;

interface Server {
  readonly url: string;
  readonly headers: readonly { readonly value: string }[];
}

/** The entry point in the extension host. The environment has the files for the agent's messages and for the figures. */
export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension<TestApi>(`${publisher}.${name}`);
  const resultsFile = process.env['ACP_SESSIONS_BENCH_RESULTS'];
  const wire = process.env['ACP_SESSIONS_BENCH_WIRE'];
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (!extension || !resultsFile || !wire || folder === undefined) {
    throw new Error('Not started by the benchmark');
  }
  const { agents, sessions, ownServers } = await extension.activate();
  const agent = agents.all[0];
  if (!agent) {
    throw new Error('No agent');
  }
  const file = path.join(folder, 'total.ts');
  await until(async () => (await references(file)).length === wantedReferences);
  const { capabilities } = await agent.connect();
  // Has the features there.
  await ownServers.offer({
    ...{ agentId: agent.id, capabilities: { ...capabilities, mcpHttp: false }, taken: [] },
  });
  const settings = vscode.workspace.getConfiguration('acpSessions');
  await settings.update('editorTools', 'off', vscode.ConfigurationTarget.Global);
  const plain = await sessions.create(agent, { name: 'work', path: folder });
  const before = await usedMemory();
  await settings.update('editorTools', undefined, vscode.ConfigurationTarget.Global);
  await plain.close();
  const offers: number[] = [];
  for (let at = 0; at < sessionCount; at++) {
    const began = performance.now();
    const offer = await ownServers.offer({ agentId: agent.id, capabilities, taken: [] });
    offers.push(performance.now() - began);
    offer?.withdraw();
  }
  const session = await sessions.create(agent, { name: 'work', path: folder });
  const servers = async (): Promise<readonly Server[]> =>
    (await readFile(wire, 'utf8'))
      .split('\n')
      .filter((line) => line.includes('"session/new"'))
      .flatMap((line) => (JSON.parse(line) as Sent).params.mcpServers);
  const [server] = await servers();
  if (server === undefined) {
    throw new Error('No server was offered');
  }
  const call = (tool: string, args: object): Promise<string> => callTool(server, tool, args);
  await call('references', { symbol: 'total', path: 'total.ts' });
  const first = (await usedMemory()) - before;
  const rest = [];
  for (let at = 1; at < sessionCount; at++) {
    rest.push(await sessions.create(agent, { name: 'work', path: folder }));
  }
  const all = await servers();
  await Promise.all(
    all.map((own) => callTool(own, 'references', { symbol: 'total', path: 'total.ts' })),
  );
  const twelve = (await usedMemory()) - before;
  if (new Set(all.map(({ url }) => url)).size !== 1 || all.length !== sessionCount) {
    throw new Error('Twelve sessions must share one server');
  }
  await Promise.all(rest.map((other) => other.close()));
  await loaded(call);
  const asked: number[] = [];
  const called: number[] = [];
  for (let round = 0; round < rounds; round++) {
    asked.push(await timed(() => references(file)));
    called.push(await timed(() => call('references', { symbol: 'total', path: 'total.ts' })));
  }
  const later = await problemsLater(path.join(folder, 'use0.ts'), call);
  await session.close();
  const figures: ToolFigures = { asked, called, later, offers, first, twelve };
  await writeFile(resultsFile, JSON.stringify(figures));
}

interface Sent {
  readonly params: { readonly mcpServers: readonly Server[] };
}

/** Until the tools take the language server for loaded, they ask it twice. */
async function loaded(call: (tool: string, args: object) => Promise<string>): Promise<void> {
  await until(
    async () =>
      (await timed(() => call('references', { symbol: 'total', path: 'total.ts' }))) < 600,
  );
}

async function problemsLater(
  file: string,
  call: (tool: string, args: object) => Promise<string>,
): Promise<readonly number[]> {
  const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
  const key = editor.document.uri.toString();
  const later: number[] = [];
  for (let round = 0; round < edits; round++) {
    // The reports on the edit before, of which there are several.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    let reported = 0;
    const listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (uris.some((uri) => uri.toString() === key)) {
        reported ||= performance.now();
      }
    });
    await editor.edit((edit) =>
      edit.insert(new vscode.Position(0, 0), `export const wrong${round}: string = 1;\n`),
    );
    const text = await call('problems', { path: path.basename(file) });
    const answered = performance.now();
    await until(() => Promise.resolve(reported > 0));
    later.push(answered - reported);
    listener.dispose();
    if (!text.startsWith(`${round + 1} problems`)) {
      throw new Error(`Round ${round}: ${text.slice(0, 200)}`);
    }
  }
  return later;
}

async function references(file: string): Promise<readonly vscode.Location[]> {
  const position = new vscode.Position(0, 'export const '.length);
  const uri = vscode.Uri.file(file);
  return vscode.commands.executeCommand('vscode.executeReferenceProvider', uri, position);
}

async function callTool({ url, headers }: Server, tool: string, args: object): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      Authorization: headers[0]?.value ?? '',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: tool, arguments: args },
    }),
  });
  const { result } = (await answer.json()) as { result: { content: { text: string }[] } };
  return result.content[0]?.text ?? '';
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 120_000;
  while (!(await isSo())) {
    if (Date.now() > end) {
      throw new Error('Waited in vain');
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
