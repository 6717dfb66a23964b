import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Connection } from '../../src/demoAgent/wire/connection';
import type { AnswerBody } from '../../src/demoAgent/wire/message';
import { sleep, waitForFile } from './files';
import type { AgentHost } from './host';
import type { ScriptedMessage } from './message';
import { prepareUpdates, writeUpdates } from './output';
import { type Json, type Step, update } from './scenario';
import { callTool } from './toolCalls';

/** Runs steps, as answers to the messages of a connection. */
export class StepRunner {
  readonly #connection: Connection;
  readonly #host: AgentHost;
  /** The MCP servers that a session was last opened with. */
  servers: Json = [];
  /** Resolves never, once the agent has stopped reading. */
  reading: Promise<void> = Promise.resolve();

  constructor(connection: Connection, host: AgentHost) {
    this.#connection = connection;
    this.#host = host;
  }

  /** Runs the steps in order; stops at the agent's end, or if the client cancels the message and no step awaits that. */
  async run(steps: readonly Step[], message: ScriptedMessage): Promise<void> {
    for (const step of steps) {
      if (this.#host.ended.aborted || (message.cancelled && !message.awaitsCancel)) {
        return;
      }
      await this.#runStep(step, message);
    }
  }

  /** Answers a request, once; a notification is never answered. */
  async answer(message: ScriptedMessage, outcome: AnswerBody): Promise<void> {
    if (message.id !== undefined && !message.answered) {
      message.answered = true;
      await this.#connection.answer(message.id, outcome);
    }
  }

  async #runStep(step: Step, message: ScriptedMessage): Promise<void> {
    if ('result' in step) {
      await this.answer(message, { result: message.fill(step.result) ?? null });
    } else if ('error' in step) {
      await this.answer(message, { error: message.fill(step.error) ?? null });
    } else if ('update' in step) {
      await this.#host.write(updateLine(step.update, step.sessionId, message));
    } else if ('updates' in step) {
      await this.#host.write(
        step.updates.map((one) => updateLine(one, step.sessionId, message)).join(''),
      );
    } else if ('generate' in step) {
      const sessionId = step.sessionId ?? message.sessionId;
      const updates = prepareUpdates(step.generate, step.mix ?? 'mixed');
      await writeUpdates(updates, sessionId, this.#host.write, () => this.#isOver(message));
    } else if ('withoutVariable' in step) {
      if (!this.#host.env[step.withoutVariable]) {
        await this.run(step.steps, message);
      }
    } else if ('withoutFile' in step) {
      if (!fs.existsSync(step.withoutFile)) {
        await this.run(step.steps, message);
      }
    } else if ('repeat' in step) {
      for (let i = 0; i < (step.times ?? Infinity) && !this.#isOver(message); i++) {
        await this.run(step.repeat, message);
        await new Promise((resolve) => setImmediate(resolve));
      }
    } else {
      await (this.#runMessageStep(step, message) ??
        runOutputStep(step, message, this.#host) ??
        runProcessStep(step, message, this.#host));
    }
  }

  #isOver(message: ScriptedMessage): boolean {
    return message.cancelled || this.#host.ended.aborted;
  }

  /** Runs a step that sends a message, or waits for an answer to one; `undefined` for any other step. */
  #runMessageStep(step: Step, message: ScriptedMessage): Promise<void> | undefined {
    if ('send' in step) {
      return this.#connection.send(message.fill(step.send));
    }
    if ('request' in step) {
      return this.#request(step, message);
    }
    if ('waitForAnswer' in step) {
      return this.#untilAnswered(step.waitForAnswer, message);
    }
    if ('callTool' in step) {
      return this.#callTool(step, message);
    }
    if ('stopReading' in step) {
      this.reading = new Promise(() => undefined);
      return Promise.resolve();
    }
    return undefined;
  }

  async #request(
    { request: method, params, requestId: id, wait }: Extract<Step, { readonly request: string }>,
    message: ScriptedMessage,
  ): Promise<void> {
    const filled = message.fill(params);
    const sent = await this.#connection.request({
      method,
      params: filled,
      ...(id !== undefined && { id }),
    });
    if (wait) {
      await this.#untilAnswered(sent, message);
    }
  }

  async #callTool(
    { callTool: name, arguments: args = {} }: Extract<Step, { readonly callTool: string }>,
    message: ScriptedMessage,
  ): Promise<void> {
    const params = { name, arguments: message.fill(args) ?? {} };
    const answer = callTool(this.servers, params, async (method, asked) =>
      this.#connection.answerTo(await this.#connection.request({ method, params: asked })),
    );
    message.clientAnswer = (await message.unlessCancelled(answer)) ?? null;
  }

  async #untilAnswered(id: Json, message: ScriptedMessage): Promise<void> {
    const answer = this.#connection.answerTo(id);
    message.clientAnswer = (await message.unlessCancelled(answer)) ?? null;
  }
}

/** Runs a step that writes bytes; `undefined` for any other step. */
function runOutputStep(
  step: Step,
  message: ScriptedMessage,
  { write, writeError }: AgentHost,
): Promise<void> | undefined {
  if ('raw' in step) {
    return write(step.raw);
  }
  if ('base64' in step) {
    return write(Buffer.from(step.base64, 'base64'));
  }
  if ('line' in step) {
    return write(`${step.line}\n`.repeat(step.times ?? 1));
  }
  if ('bigLine' in step) {
    const filler = 'a'.repeat(step.bigLine);
    const line = step.noise
      ? filler
      : updateLine(update.agent(filler), undefined, message).trimEnd();
    return write(step.unterminated ? line : `${line}\n`);
  }
  if ('stderr' in step) {
    return writeError(step.stderr.repeat(step.times ?? 1));
  }
  if ('stderrBytes' in step) {
    return writeError('e'.repeat(step.stderrBytes));
  }
  return undefined;
}

async function runProcessStep(
  step: Step,
  message: ScriptedMessage,
  host: AgentHost,
): Promise<void> {
  if (runFileStep(step, (file) => path.resolve(host.cwd, file))) {
    return;
  }
  if ('waitMs' in step) {
    await sleep(step.waitMs);
  } else if ('waitForFile' in step) {
    await waitForFile(step.waitForFile, () => message.cancelled || host.ended.aborted);
  } else if ('waitForCancel' in step) {
    await message.untilCancelled();
  } else if ('touch' in step) {
    fs.writeFileSync(step.touch, '');
  } else if ('grandchild' in step) {
    await startGrandchild(step.grandchild, step.ignoreTerm ?? false, step.leaves ?? false);
  } else if ('closeStdout' in step) {
    host.closeOutput();
  } else if ('exit' in step) {
    host.exit(step.exit);
  } else if ('kill' in step) {
    host.kill(step.kill);
    // Delivery of the signal is asynchronous; nothing else may happen until then.
    await new Promise(() => undefined);
  }
}

/** Runs a step that changes files, at once; `false` for any other step. */
function runFileStep(step: Step, at: (file: string) => string): boolean {
  if ('writeFile' in step) {
    const content = 'text' in step ? step.text : Buffer.from(step.bytes, 'base64');
    const file = at(step.writeFile);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  } else if ('editFile' in step) {
    const file = at(step.editFile);
    const before = fs.readFileSync(file, 'utf8');
    if (!before.includes(step.oldText)) {
      throw new Error(`${step.editFile} doesn't contain ${JSON.stringify(step.oldText)}`);
    }
    fs.writeFileSync(
      file,
      before.replace(step.oldText, () => step.newText),
    );
  } else if ('moveFile' in step) {
    const to = at(step.to);
    fs.mkdirSync(path.dirname(to), { recursive: true });
    fs.renameSync(at(step.moveFile), to);
  } else if ('deleteFile' in step) {
    fs.rmSync(at(step.deleteFile));
  } else if ('runNode' in step) {
    execFileSync(process.execPath, ['-e', step.runNode], { cwd: step.in });
  } else {
    return false;
  }
  return true;
}

function updateLine(value: Json, sessionId: Json | undefined, message: ScriptedMessage): string {
  const params = { sessionId: sessionId ?? message.sessionId, update: message.fill(value) };
  return `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })}\n`;
}

/** The grandchild shares stdout and the process group, like the children of a wrapper script. */
async function startGrandchild(
  pidFile: string,
  ignoreTerm: boolean,
  leaves: boolean,
): Promise<void> {
  const program = `
    ${ignoreTerm ? "for (const s of ['SIGTERM', 'SIGHUP']) process.on(s, () => {});" : ''}
    require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
    setTimeout(() => {}, 600_000);`;
  const output = leaves ? 'ignore' : 'inherit';
  spawn(process.execPath, ['-e', program], {
    stdio: ['ignore', output, 'ignore'],
    detached: leaves,
  }).unref();
  await waitForFile(pidFile, () => false);
}
