import fs from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { inProject } from '../../../../support/project';
import { type Fault, faultVariable } from './faults';

/** The index's worker with a `Fault`, for as long as the fault's file exists. */
const fault = JSON.parse(process.env[faultVariable] ?? '{}') as Fault;
const { existsSync } = fs;
const cell = new Int32Array(new SharedArrayBuffer(4));
const faulty = fs as unknown as Record<string, (...values: readonly unknown[]) => unknown>;
const original = faulty[fault.operation];
let isActive = false;
let calls = 0;

faulty[fault.operation] = (...values) => {
  calls += isActive ? 1 : 0;
  if (isActive && calls > fault.after && existsSync(fault.file)) {
    act(values);
  }
  return original?.(...values);
};

function act(values: readonly unknown[]): void {
  const { does } = fault;
  if (fault.once === true) {
    isActive = false;
    fs.rmSync(fault.file);
  }
  if (typeof does === 'number') {
    Atomics.wait(cell, 0, 0, does);
  } else if (does === 'exit') {
    process.exit(3);
  } else if (does === 'hang') {
    Atomics.wait(cell, 0, 0);
  } else if (does === 'stop') {
    process.kill(process.pid, 'SIGSTOP');
    // Another thread takes the signal, so this one may run on for a moment.
    while (existsSync(fault.file)) {
      Atomics.wait(cell, 0, 0, 1);
    }
  } else if (does === 'half') {
    // A disk with space for only part of the data.
    const [file, buffer, offset, length, position] = values as [
      number,
      Buffer,
      number,
      number,
      number,
    ];
    original?.(file, buffer, offset, length >> 1, position);
    throw Object.assign(new Error('ENOSPC: as the test says'), { code: 'ENOSPC' });
  } else {
    throw Object.assign(new Error(`${does}: as the test says`), { code: does });
  }
}

if (fault.asUncaught === true) {
  setImmediate(() => {
    fs.rmSync(fault.file, { force: true });
    throw new Error('Uncaught, as the test says');
  });
}
createRequire(import.meta.url)(inProject('dist/searchWorker.js'));
isActive = true;
