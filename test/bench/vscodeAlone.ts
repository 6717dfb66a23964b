import path from 'node:path';
import { projectFolder } from '../../scripts/paths.mjs';
import type { Host } from '../ui/harness/host';

/** The host with the extension of `vscodeAlone/` besides ours, for what VS Code itself takes. */
export function withVsCodeAlone(host: Host): Host {
  return {
    ...host,
    address: (workspace) => {
      const address = new URL(host.address(workspace));
      const extension = path.join(projectFolder, 'test', 'bench', 'vscodeAlone');
      const uri = `vscode-remote://${address.host}${extension}`;
      address.searchParams.set('payload', JSON.stringify([['extensionDevelopmentPath', uri]]));
      return address.href;
    },
  };
}
