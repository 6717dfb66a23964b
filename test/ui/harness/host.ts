import { mkdtemp, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startServer } from '../../../scripts/host/server.mjs';
import { type VersionName } from '../../../scripts/versions.mjs';

export interface HostOptions {
  /** Default: the version that the runner was given in `ACP_SESSIONS_TEST_HOST`. */
  version?: VersionName;
  /** A folder to open. */
  workspace: string;
  /** A `.code-workspace` file to open instead of the folder. */
  workspaceFile?: string;
  /** User settings, in addition to those that keep the window quiet. */
  settings?: Record<string, unknown>;
  /** Folders of extensions to install in addition to ours. */
  extensions?: readonly string[];
  /** The environment of the extension host. */
  env?: Record<string, string>;
  /** Whether a window is in Restricted Mode until its folder is trusted; default false. */
  trust?: boolean;
}

/** A VS Code server with the extension installed. */
export interface Host {
  workspace: string;
  /** A folder that is deleted with the host; its `Machine/settings.json` has the live settings for agents. */
  dataFolder: string;
  /** The URL of a window on the workspace. */
  address: string;
  /** Everything that the server has printed so far. */
  output(): string;
  /** Ends the host and everything that it started; rejects if one of its processes outlives it. */
  dispose(): Promise<void>;
}

/** Starts VS Code on a free port with a separate profile. */
export async function startHost(options: HostOptions): Promise<Host> {
  const {
    workspace,
    workspaceFile,
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
    forTests: true,
    installed: true,
    extensions,
    settings,
    env,
    trust,
  });
  return {
    workspace,
    dataFolder,
    address: server.address(workspaceFile ? { workspace: workspaceFile } : { folder: workspace }),
    output: server.output,
    dispose: async () => {
      const survivors = await server.stop();
      if (survivors.length > 0) throw new Error(`outlived VS Code: ${survivors.join('; ')}`);
    },
  };
}

function requestedVersion(): VersionName {
  return process.env['ACP_SESSIONS_TEST_HOST'] === 'oldest' ? 'oldest' : 'newest';
}
