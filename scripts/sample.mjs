// @ts-check
import { prepareSample } from './host/sample.mjs';
import { reportAndFail } from './setup/index.mjs';
import { announce } from './setup/steps.mjs';

/** Makes the sample project and its sessions for VS Code's "Run and Debug". */
await prepareSample().then(({ project }) => announce(project), reportAndFail);
