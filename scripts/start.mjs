// @ts-check
import { createServer } from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { hasDesktop, openDesktop } from './host/desktop.mjs';
import { openerFolder, prepareSample } from './host/sample.mjs';
import { startServer } from './host/server.mjs';
import { projectFolder } from './paths.mjs';
import { reportAndFail, setUp } from './setup/index.mjs';
import { announce, runLogged, SetupError } from './setup/steps.mjs';
import { hostVersions } from './versions.mjs';

const usage = 'npm start -- [--host browser|desktop|oldest] [--port <number>]';
const usualPort = 8123;

/** Builds the extension and opens VS Code with it, a sample project and the demo agent. */
async function start() {
  const { host, port } = readArguments();
  const inBrowser = host !== 'desktop';
  const version = host === 'oldest' ? 'oldest' : 'newest';
  await setUp({ hosts: inBrowser ? [version] : [] });
  await runLogged('build', process.execPath, ['esbuild.mjs'], { cwd: projectFolder });
  const sample = await prepareSample();
  const env = { ACP_SESSIONS_DEMO_STORE: sample.sessions };
  const dataFolder = path.join(sample.profile, host);
  if (!inBrowser) {
    const desktop = await openDesktop({ folder: sample.project, dataFolder, env });
    announce('Opened VS Code with ACP Sessions. Close its window or press Ctrl+C to stop it.');
    return desktop;
  }
  const server = await startServer({
    version,
    dataFolder,
    installed: true,
    extensions: [openerFolder],
    folder: sample.project,
    token: sample.token,
    port: port ?? (await usualPortOrFree()),
    env,
  });
  announce(`
VS Code ${hostVersions[version].vscode} with ACP Sessions and a sample project is at

    ${server.address()}

It shows the sessions of the project and opens the newest. Press Ctrl+C to stop it.
Log: ${path.join(dataFolder, 'server.log')}`);
  return server;
}

/** @returns {{ host: 'browser' | 'desktop' | 'oldest', port: number | undefined }} */
function readArguments() {
  const options = /** @type {const} */ ({ host: { type: 'string' }, port: { type: 'string' } });
  let values;
  try {
    ({ values } = parseArgs({ options }));
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : ''}\nUsage: ${usage}`);
  }
  const host = values.host ?? (hasDesktop() ? 'desktop' : 'browser');
  const port = values.port === undefined ? undefined : Number(values.port);
  if (host !== 'browser' && host !== 'desktop' && host !== 'oldest') {
    throw new SetupError(`Unknown host "${host}".\nUsage: ${usage}`);
  }
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
    throw new SetupError(`"${values.port}" is not a port.\nUsage: ${usage}`);
  }
  return { host, port };
}

/** @returns {Promise<number>} the usual port, or 0 (any free port) if it is taken */
function usualPortOrFree() {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on('error', () => resolve(0));
    probe.listen(usualPort, '127.0.0.1', () => probe.close(() => resolve(usualPort)));
  });
}

/** @param {{ exited: Promise<number>, stop: () => Promise<unknown> }} running */
async function untilTheEnd({ exited, stop }) {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (interruption.signal.aborted) return;
      interruption.abort();
      announce('\nStopping VS Code…');
      void stop();
    });
  }
  const code = await exited;
  if (code !== 0 && !interruption.signal.aborted)
    throw new SetupError(`VS Code exited with code ${code}.`);
}

await start().then(untilTheEnd).catch(reportAndFail);
