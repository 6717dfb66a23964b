import type { Entry } from '../../../../../src/shared/transcript/entries';
import { toolCall } from '../entries';

export const terminal = toolCall({
  title: 'npm run watch',
  toolKind: 'execute',
  content: [{ type: 'terminal', terminalId: 't1' }],
  terminalOutput: new Map([['t1', 'built <b>in</b> 40 ms']]),
  terminals: new Map([['t1', { kind: 'exited', exitCode: 3, signal: null }]]),
});

export const failed: Entry = {
  kind: 'turn',
  outcome: {
    type: 'failed',
    canResend: false,
    failure: {
      code: 'exited',
      title: '<img src=x onerror=alert(1)>',
      detail: 'It ended in the middle of the turn.',
      actions: ['showLog'],
    },
  },
};
