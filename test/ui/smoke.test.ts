import assert from 'node:assert/strict';
import { type Host, startHost } from './harness/host';
import { openSessionsView, openWindow, screenshot, type Window } from './harness/window';

describe('a window of VS Code', () => {
  let host: Host;
  let window: Window;

  before(async () => {
    host = await startHost();
    window = await openWindow(host);
  });

  after(async () => {
    await window.close();
    await host.dispose();
  });

  it('shows the sessions view when its icon is clicked', async () => {
    await openSessionsView(window.page);
    await screenshot(window.page, 'sessions-view');
    assert.deepEqual(window.errors, []);
  });
});
