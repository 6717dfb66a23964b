import { mkdtemp, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startServer } from '../../../scripts/host/server.mjs';
import { type VersionName } from '../../../scripts/versions.mjs';

export interface HostOptions {
  /** The one that the runner was asked for when left out: `ACP_SESSIONS_TEST_HOST`. */
  version?: VersionName;
  /** A folder or a `.code-workspace` file to open. */
  workspace: string;
  /** User settings, besides those that keep the window quiet. */
  settings?: Record<string, unknown>;
  /** Folders of extensions that are installed besides ours. */
  extensions?: readonly string[];
  /** For the extension host. */
  env?: Record<string, string>;
  /** Whether a window is in Restricted Mode until its folder is trusted; not so when left out. */
  trust?: boolean;
}

/** A VS Code that serves windows; the extension is installed in it. */
export interface Host {
  workspace: string;
  /** A folder that goes when the host goes; `Machine/settings.json` in it are the live settings about agents. */
  dataFolder: string;
  /** The address of a window on the workspace. */
  address: string;
  /** All that the server has written so far. */
  output(): string;
  /** Ends it and everything that it started; rejects when a program of its outlived it. */
  dispose(): Promise<void>;
}

/** Starts a VS Code on a free port with a profile of its own. */
export async function startHost(options: HostOptions): Promise<Host> {
  const {
    workspace,
    version = requestedVersion(),
    settings = {},
    extensions = [],
    env = {},
    trust = false,
  } = options;
  const dataFolder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-ui-')));
  const server = await startServer({
    version,
    dataFolder,
    temporary: true,
    installed: true,
    extensions,
    settings,
    env,
    trust,
  });
  return {
    workspace,
    dataFolder,
    address: server.address(windowQuery(workspace)),
    output: server.output,
    dispose: async () => {
      const survivors = await server.stop();
      if (survivors.length > 0) throw new Error(`outlived VS Code: ${survivors.join('; ')}`);
    },
  };
}

function windowQuery(opened: string): Record<string, string> {
  return opened.endsWith('.code-workspace') ? { workspace: opened } : { folder: opened };
}

function requestedVersion(): VersionName {
  return process.env['ACP_SESSIONS_TEST_HOST'] === 'oldest' ? 'oldest' : 'newest';
}
