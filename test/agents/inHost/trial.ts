import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { name, publisher } from '../../../package.json';
import type { TestApi } from '../../../src/extension';
import type { Comment } from '../../../src/features/comments/model/comment';
import type { Agent } from '../../../src/model/agent';
import { toSavedTranscript } from '../../../src/model/kept/savedTranscript';
import type { Session } from '../../../src/model/session/session';
import type { Draft } from '../../../src/shared/transcript/prompt';

/** What an agent did. */
export interface Tried {
  readonly agent: string;
  readonly what: string;
  readonly isFine: boolean;
  /** What went wrong, or what else there was to see. */
  readonly detail: string;
}

interface Answer {
  readonly text: string;
  /** Titles of the questions that were answered. */
  readonly asked: readonly string[];
}

/** How long an agent may take to answer, in ms. */
const patience = 120_000;

/** The entry point in the extension host: lets each agent use the editor, and writes what it did. */
export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension<TestApi>(`${publisher}.${name}`);
  const resultsFile = process.env['ACP_SESSIONS_TRIAL_RESULTS'];
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (!extension || !resultsFile || folder === undefined) {
    throw new Error('Not started by the trial');
  }
  const logins = JSON.parse(process.env['ACP_SESSIONS_TRIAL_LOGINS'] ?? '{}') as Record<
    string,
    string | undefined
  >;
  const api = await extension.activate();
  await openFileWithProblem(path.join(folder, 'src', 'wrong.ts'));
  const tried: Tried[] = [];
  for (const agent of api.agents.all) {
    const trial = new Trial(agent, folder, tried);
    await trial.step('opens a session', async () => {
      const connection = await agent.connect();
      const login = logins[agent.id];
      if (login !== undefined) {
        await connection.authenticate(login);
      }
      const session = await api.sessions.create(agent, { name: 'work', path: folder });
      (await api.commenting.get()).comments.add(
        toSavedTranscript(session),
        comment(folder),
        () => undefined,
      );
      trial.session = session;
      return '';
    });
    await trial.all();
    await trial.session?.close();
    await writeFile(resultsFile, JSON.stringify(tried));
  }
}

class Trial {
  readonly #id: string;
  readonly #title: string;
  readonly #folder: string;
  readonly #tried: Tried[];
  session: Session | undefined;

  constructor({ id, title }: Pick<Agent, 'id' | 'title'>, folder: string, tried: Tried[]) {
    this.#id = id;
    this.#title = title;
    this.#folder = folder;
    this.#tried = tried;
  }

  /** Notes whether this works; it returns what else there was to see. */
  async step(what: string, work: () => Promise<string>): Promise<void> {
    const result = await work().then(
      (detail) => ({ isFine: true, detail }),
      (error: unknown) => ({ isFine: false, detail: String(error).slice(0, 1_000) }),
    );
    this.#tried.push({ agent: this.#title, what, ...result });
  }

  async all(): Promise<void> {
    await this.step('finds references', () =>
      this.#call(
        'references',
        { symbol: 'total', path: 'src/cart.ts' },
        /references of `total`[^]*src\/page\.ts[^]*2:13/,
      ),
    );
    await this.step('reads problems', () =>
      this.#call(
        'problems',
        { path: 'src/wrong.ts' },
        /1 problems[^]*not assignable to type 'string'/,
      ),
    );
    await this.step('renames a symbol', () => this.#rename());
    await this.step('answers a comment', () => this.#comments());
    await this.step('answers a prompt with the problems and a text', async () => {
      const { text } = await this.#ask({
        text: 'ECHO @problems',
        attachments: [
          { type: 'context', source: 'problems', about: 'all', name: '@problems' },
          { type: 'text', uri: 'acp-sessions:note', name: 'note', text: 'A frozen note.' },
        ],
      });
      return expect(text, /^HEARD [^]*not assignable to type 'string'/, /A frozen note\./);
    });
  }

  /** A comment goes with its text, its lines, and their place. */
  async #comments(): Promise<string> {
    const { text } = await this.#ask({
      text: 'ECHO Please address the comment.',
      attachments: [{ type: 'context', source: 'comments', about: 'all', name: '1 comment' }],
    });
    return expect(
      text,
      /^HEARD [^]*Why is it one\?/,
      /export const total = 1;/,
      /cart\.ts, line 1/,
    );
  }

  async #rename(): Promise<string> {
    const [before, after] = [`${this.#id}Rate`, `${this.#id}Fee`];
    const file = `src/${this.#id}.ts`;
    const detail = await this.#call(
      'rename_symbol',
      { symbol: before, path: file, newName: after },
      /Changed and saved 2 files/,
    );
    for (const changed of [file, 'src/sum.ts']) {
      const text = await readFile(path.join(this.#folder, changed), 'utf8');
      expect(text, new RegExp(`\\b${after}\\b`));
      if (text.includes(before)) {
        throw new Error(`${changed} still has ${before}`);
      }
    }
    return expect(detail, /Rename “/) || detail;
  }

  async #call(tool: string, args: object, wanted: RegExp): Promise<string> {
    const { text, asked } = await this.#ask({
      text: `CALL ${tool} ${JSON.stringify(args)} END`,
      attachments: [],
    });
    expect(text, /^RESULT/, wanted);
    return asked.length > 0 ? `asked for ${asked.join(', ')}` : 'asked for nothing';
  }

  /** Sends a prompt, allows what is asked for, and resolves with what the agent says last. */
  async #ask(draft: Draft): Promise<Answer> {
    const { session } = this;
    if (session === undefined) {
      throw new Error('no session');
    }
    const { entries } = session.transcript;
    const before = entries.length;
    const asked: string[] = [];
    session.turns.submit(draft);
    const end = Date.now() + patience;
    while (session.turns.current.kind !== 'idle' || entries.length === before) {
      if (Date.now() > end) {
        throw new Error(`no answer; the last entry is ${JSON.stringify(entries.at(-1))}`);
      }
      for (const entry of entries.slice(before)) {
        if (entry.kind === 'permission' && entry.state.kind === 'waiting') {
          asked.push(entry.toolCall.title);
          const once = entry.options.find(({ kind }) => kind === 'allow_once');
          session.requests.answerPermission(entry.requestId, once?.optionId ?? '');
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const said = entries
      .slice(before)
      .flatMap((entry) => (entry.kind === 'agent' ? entry.blocks : []))
      .map((block) => ('text' in block ? block.text : ''));
    return { text: said.join('').trim(), asked };
  }
}

function comment(folder: string): Omit<Comment, 'id' | 'state'> {
  return {
    ...{ file: path.join(folder, 'src', 'cart.ts'), first: 0, last: 0 },
    ...{ text: 'export const total = 1;', said: ['Why is it one?'] },
  };
}

/** As a user has it open: TypeScript reports on no other files. */
async function openFileWithProblem(file: string): Promise<void> {
  const uri = vscode.Uri.file(file);
  await vscode.window.showTextDocument(uri);
  const end = Date.now() + patience;
  while (vscode.languages.getDiagnostics(uri).length === 0 && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function expect(text: string, ...wanted: readonly RegExp[]): string {
  for (const pattern of wanted) {
    if (!pattern.test(text)) {
      throw new Error(`no ${pattern} in: ${text}`);
    }
  }
  return '';
}
