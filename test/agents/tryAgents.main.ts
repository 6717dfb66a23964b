import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startServer } from '../../scripts/host/server.mjs';
import { typeScriptSettings } from '../../scripts/host/settings.mjs';
import { projectFolder } from '../../scripts/paths.mjs';
import { runInWindow } from '../../scripts/tests/runInWindow.mjs';
import type { Tried } from './inHost/trial';
import { startScriptedModel } from './scriptedModel';
import { prepareAgent, triedAgents } from './triedAgents';

/** A small project in TypeScript. */
const files = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, noEmit: true },
    include: ['src'],
  }),
  'src/cart.ts': 'export const total = 1;\n',
  'src/page.ts': "import { total } from './cart';\nconsole.log(total + total);\n",
  // A symbol for each agent to rename.
  ...Object.fromEntries(
    triedAgents.map(({ id }) => [`src/${id}.ts`, `export const ${id}Rate = 1;\n`]),
  ),
  'src/sum.ts': [
    ...triedAgents.map(({ id }) => `import { ${id}Rate } from './${id}';`),
    `export const sum = ${triedAgents.map(({ id }) => `${id}Rate`).join(' + ')};`,
  ].join('\n'),
  'src/wrong.ts': "import { total } from './cart';\nexport const price: string = total;\n",
};

const named = process.argv.slice(2);
const wanted = triedAgents.filter(({ id }) => named.length === 0 || named.includes(id));
const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-agents-')));
const model = await startScriptedModel();
try {
  const workspace = path.join(folder, 'work');
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(workspace, file)), { recursive: true });
    await writeFile(path.join(workspace, file), text);
  }
  const address = `http://127.0.0.1:${model.port}`;
  const entries = await Promise.all(
    wanted.map(async (agent) => [agent.id, await prepareAgent(agent, folder, address)] as const),
  );
  const resultsFile = path.join(folder, 'results.json');
  const server = await startServer({
    version: 'newest',
    dataFolder: path.join(folder, 'profile'),
    temporary: true,
    forTests: true,
    installed: false,
    folder: workspace,
    settings: {
      'acpSessions.editorTools': 'all',
      'acpSessions.agents': { demo: null, ...Object.fromEntries(entries) },
      ...typeScriptSettings,
    },
    env: {
      ACP_SESSIONS_TRIAL_RESULTS: resultsFile,
      ACP_SESSIONS_TRIAL_LOGINS: JSON.stringify(
        Object.fromEntries(wanted.map(({ id, login }) => [id, login])),
      ),
    },
  });
  try {
    await runInWindow(server, path.join(projectFolder, 'out', 'agentsInHost', 'trial.js'));
  } finally {
    await server.stop();
  }
  const tried = JSON.parse(await readFile(resultsFile, 'utf8')) as readonly Tried[];
  for (const { agent, what, isFine, detail } of tried) {
    console.log(`${isFine ? '✔' : '✘'} ${agent}: ${what}${detail === '' ? '' : `: ${detail}`}`);
  }
  process.exitCode = tried.length > 0 && tried.every(({ isFine }) => isFine) ? 0 : 1;
} finally {
  model.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}
