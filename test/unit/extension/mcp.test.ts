import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { writtenMcpServers } from '../../../src/features/mcp/settings';
import { VsCodePermissionRules } from '../../../src/platform/settings/permissionRules';
import { ExtensionBench, extension, update, waitFor } from '../../vscode/harness/support';

describe('settings of sessions', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(async () => {
    await update('mcpServers', undefined);
    await update('permissions.rules', undefined);
    await update('notifications', undefined);
    await bench.dispose();
  });

  it('MCP-1, MCP-2: servers of the settings are read as they are', async () => {
    assert.deepEqual(writtenMcpServers(), {});
    const servers = { mine: { command: process.execPath, args: ['server.js'] } };
    await update('mcpServers', servers);
    await waitFor(() => Object.keys(writtenMcpServers() as object).length === 1, 'the server');
    assert.deepEqual(writtenMcpServers(), servers);
  });

  it('MCP-1: only user settings can name servers, not those of a repository', () => {
    const { contributes } = extension().packageJSON as {
      contributes: { configuration: { properties: Record<string, { scope?: string }> } };
    };
    assert.equal(contributes.configuration.properties['acpSessions.mcpServers']?.scope, 'machine');
  });

  it('PE-5: rules take effect at once; those of the workspace can only reject', async () => {
    const warnings: string[] = [];
    const log = (message: string): void => {
      warnings.push(message);
    };
    const rules = new VsCodePermissionRules({
      error: log,
      warn: log,
      info: log,
      debug: log,
      trace: log,
    });
    const setTheirs = (value: unknown): Thenable<void> =>
      vscode.workspace
        .getConfiguration('acpSessions')
        .update('permissions.rules', value, vscode.ConfigurationTarget.Workspace);
    try {
      assert.equal(rules.decide('a', 'read'), undefined);
      await update('permissions.rules', [{ kind: 'read', decision: 'allow' }]);
      await waitFor(() => rules.decide('a', 'read') === 'allow', 'the rule');
      assert.equal(rules.decide('a', 'execute'), undefined);

      await setTheirs([
        { kind: 'read', agent: 'b', decision: 'reject' },
        { kind: 'execute', decision: 'allow' },
      ]);
      await waitFor(() => rules.decide('b', 'read') === 'reject', 'the workspace’s rule');
      assert.equal(rules.decide('a', 'read'), 'allow');
      assert.equal(rules.decide('a', 'execute'), undefined);
      assert.ok(warnings.some((warning) => warning.includes('only reject')));
    } finally {
      rules.dispose();
      await setTheirs(undefined);
    }
  });

  it('notify when hidden unless told otherwise', async () => {
    assert.equal(bench.api.notificationsSettings.notifications, 'whenHidden');
    await update('notifications', 'never');
    await waitFor(() => bench.api.notificationsSettings.notifications === 'never', 'the setting');
    await update('notifications', 'nonsense');
    await waitFor(
      () => bench.api.notificationsSettings.notifications === 'whenHidden',
      'the default',
    );
  });
});
