import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Inputs } from '../../../scripts/tests/inputs.mjs';
import { type Passes, passesAfter, unchangedFiles } from '../../../scripts/tests/unchanged.mjs';

const suite = { name: 'unit', reads: [], surroundings: 'Node 20' };
const [plain, page, host, agent, meta] = ['plain', 'page', 'host', 'agent', 'meta'].map(
  (name) => `out/unit/${name}.test.mjs`,
) as [string, string, string, string, string];
const all = [plain, page, host, agent, meta];

/** Each module with its text and what it imports. */
const modules: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'test/unit/plain.test.ts': ['', 'src/model/a.ts'],
  'test/unit/page.test.ts': [`inProject(\n  'docs/page.md',\n)`, 'test/support/project.ts'],
  'test/unit/host.test.ts': [`inProject('dist/parts')`, 'test/support/project.ts'],
  'test/unit/agent.test.ts': ['', 'test/support/agents.ts'],
  'test/unit/meta.test.ts': ['', 'scripts/registers.mjs'],
  'test/support/agents.ts': [`inProject("out/agent.js")`, 'test/support/project.ts'],
  'test/support/project.ts': ['inProject(name)', 'scripts/paths.mjs'],
  'test/agent/main.ts': ['', 'src/model/b.ts'],
  'src/model/a.ts': ['', 'src/model/b.ts', 'node_modules/x/x.js'],
  'src/model/b.ts': [''],
  'scripts/registers.mjs': ['', 'scripts/paths.mjs'],
  'scripts/paths.mjs': [''],
  'node_modules/x/x.js': [''],
};
const entries = [...all.map((file) => path.basename(file, '.mjs'))].map((name) => [
  `out/unit/${name}.mjs`,
  `test/unit/${name}.ts`,
]);
const graph = {
  modules: Object.fromEntries(
    Object.entries(modules).map(([module, [, ...imported]]) => [module, imported]),
  ),
  programs: { ...Object.fromEntries(entries), 'out/agent.js': 'test/agent/main.ts' } as Record<
    string,
    string
  >,
};

/** A project with the modules, a page and a product. */
class Project {
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'acp-sessions-inputs-'));
  readonly #sources = new Map<string, string>();

  constructor() {
    for (const [module, [text]] of Object.entries(modules)) this.write(module, text);
    this.write('docs/page.md', 'A page');
    this.build('dist/extension.js', '1');
    this.build('dist/parts/list.js', '1');
  }

  write(file: string, text: string): void {
    this.#sources.set(file, text);
    this.build(file, text);
  }

  build(file: string, text: string): void {
    const at = path.join(this.#folder, file);
    mkdirSync(path.dirname(at), { recursive: true });
    writeFileSync(at, text);
  }

  inputs(): Inputs {
    return new Inputs(this.#folder, graph, new Map(this.#sources));
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true });
  }
}

function allPassed(): Record<string, { passed: number; others: number }> {
  return Object.fromEntries(all.map((file) => [file, { passed: 3, others: 0 }]));
}

describe('a test file that passed', () => {
  let project: Project;
  let passes: Passes;

  beforeEach(() => {
    project = new Project();
    passes = run();
  });

  afterEach(() => project.dispose());

  function run(files = allPassed(), after?: () => void): Passes {
    const before = project.inputs();
    after?.();
    const inputs = { before, after: project.inputs() };
    const results = { passed: [], failed: [], skipped: [], files };
    return { unit: passesAfter({}, inputs, suite, [], results) };
  }

  function changed(of = suite): readonly string[] {
    const unchanged = unchangedFiles(passes, project.inputs(), of, all);
    return all.filter((file) => !unchanged.includes(file));
  }

  it('is unchanged until something changes', () => {
    assert.deepEqual(changed(), []);
    assert.equal(passes['unit']?.[plain]?.tests, 3);
  });

  it('is changed by a module that it imports, directly or not', () => {
    project.write('src/model/a.ts', 'changed');
    assert.deepEqual(changed(), [plain, meta]);
    project.write('src/model/b.ts', 'changed');
    assert.deepEqual(changed(), [plain, agent, meta]);
  });

  it('is changed by a file that it reads', () => {
    project.write('docs/page.md', 'changed');
    assert.deepEqual(changed(), [page, meta]);
  });

  it('is changed by what the product is built of, and by a part that is added', () => {
    project.build('dist/extension.js', 'changed');
    assert.deepEqual(changed(), [meta]);
    project.build('dist/parts/list.js.map', 'changed');
    assert.deepEqual(changed(), [meta]);
    project.build('dist/parts/more.js', 'new');
    assert.deepEqual(changed(), [host, meta]);
  });

  it('is changed by a program that it starts', () => {
    project.write('test/agent/main.ts', 'changed');
    assert.deepEqual(changed(), [agent, meta]);
  });

  it('is changed by any file, even a new one, if it finds the project by itself', () => {
    project.write('docs/new.md', 'new');
    assert.deepEqual(changed(), [meta]);
  });

  it('is changed by the whole project if what it reads isn’t a literal', () => {
    project.write('test/unit/plain.test.ts', 'inProject(`docs/${name}`)');
    passes = run();
    project.write('docs/new.md', 'new');
    assert.deepEqual(changed(), [plain, meta]);
  });

  it('is changed by what runs tests, by the packages, and by another Node', () => {
    for (const file of ['scripts/tests/mochaRun.mjs', 'esbuild.mjs', 'package-lock.json']) {
      project.write(file, 'changed');
      assert.deepEqual(changed(), all);
      passes = run();
    }
    assert.deepEqual(changed({ ...suite, surroundings: 'Node 22' }), all);
    assert.deepEqual(changed({ ...suite, name: 'unit elsewhere' }), all);
  });

  it('is forgotten if it fails or is skipped in part, and if nobody knows', () => {
    const files = { ...allPassed(), [plain]: { passed: 2, others: 1 } };
    passes = run({ ...files, [page]: { passed: 0, others: 0 } });
    assert.deepEqual(changed(), [plain, page]);
    passes = run({});
    assert.deepEqual(changed(), all);
  });

  it('is forgotten if something was edited while it ran', () => {
    passes = run(allPassed(), () => project.write('src/model/b.ts', 'edited'));
    assert.deepEqual(changed(), [plain, agent, meta]);
  });

  it('stays known while others run', () => {
    project.write('docs/page.md', 'changed');
    const inputs = { before: project.inputs(), after: project.inputs() };
    const files = { [page]: { passed: 4, others: 0 } };
    const results = { passed: [], failed: [], skipped: [], files };
    passes = { unit: passesAfter(passes, inputs, suite, [plain], results) };
    assert.deepEqual(Object.keys(passes['unit'] ?? {}), [plain, page]);
  });
});
