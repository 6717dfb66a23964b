import type { Random } from './random';

/** Commands that run given words in a roundabout way. */

type Words = readonly string[];

/** Programs that run the words after these. */
const runners: readonly Words[] = [
  ...['env', 'nohup', 'exec', 'command', 'coproc', 'setsid', 'doas', 'busybox', 'watch', 'time'],
  ...['nice -n 5', 'ionice -c 3', 'timeout 5', 'stdbuf -oL', 'env -i A=1', 'sudo -u root --'],
  ...['xargs -0 -I{}', 'find . -exec', 'find . -type f -execdir', 'parallel -j 2', 'strace -f'],
  ...['docker run --rm image', 'docker exec -it box', 'podman run image', 'kubectl exec pod --'],
  ...['systemd-run --user --', 'uv run', 'uv run --with x', 'uvx --from x', 'npx --yes --'],
  ...['npm exec --', 'pnpm exec', 'yarn exec', 'bundle exec', 'poetry run', 'pipenv run'],
  ...['conda run -n x', 'ssh host', 'flock /tmp/lock', 'chroot /', 'unshare -r', 'gdb --args'],
  ...['git bisect run', 'direnv exec .', 'cross-env A=1', 'A=1', 'A=1 B=2', 'rlwrap', 'unknown'],
  ...['screen -dm', 'bwrap --bind / /', 'firejail', 'torsocks', './tools/run', '/opt/run --x=1'],
].map((line) => line.split(' '));

/** Programs that run a text. */
const readers: readonly ((text: string) => Words)[] = [
  ...['sh -c', 'bash -lc', '/bin/bash -c', 'zsh -c', 'fish -c', 'nu -c', 'npx -c', 'su -c', 'eval'],
  ...['npm exec -c', 'docker run image sh -c', 'watch', 'ssh host', 'nix-shell --run', 'script -c'],
  ...['tmux new', 'concurrently', 'entr -s', 'busybox sh -c', 'pwsh -Command', 'uv run sh -c'],
  ...['xargs sh -c', 'env -S', 'systemd-run sh -c', 'wsl sh -c', 'find . -exec sh -c'],
].map(
  (line) =>
    (text: string): Words => [...line.split(' '), text],
);

const odderReaders: readonly ((text: string) => Words)[] = [
  (text) => ['trap', text, 'EXIT'],
  (text) => ['git', '-c', `core.pager=${text}`, 'log'],
  (text) => ['git', '-c', `alias.x=!${text}`, 'x'],
  (text) => ['make', `CLEAN=${text}`, 'clean'],
  (text) => ['tar', 'c', `--checkpoint-action=exec=${text}`, '.'],
  (text) => ['rsync', '-e', text, 'a:', 'b'],
  (text) => ['ssh', '-o', `ProxyCommand=${text}`, 'host'],
  (text) => ['awk', `BEGIN { system("${text}") }`],
  (text) => ['vim', '-c', `!${text}`],
  (text) => ['python3', '-c', `import os; os.system("${text}")`],
  (text) => ['node', '-e', `require("child_process").execSync("${text}")`],
  (text) => ['perl', '-e', `exec("${text}")`],
  (text) => ['su', `-c${text}`],
  (text) => ['npx', `--call=${text}`],
  (text) => ['docker', 'run', `--entrypoint=${text}`, 'image'],
];

/** Words that run `words`, through as many programs as `depth` says. */
export function wrapped(random: Random, words: Words, depth: number): Words {
  let all = words;
  for (let level = 0; level < depth; level++) {
    const kind = random.below(5);
    all =
      kind < 2
        ? [...random.pick(runners), ...all]
        : random.pick(kind < 4 ? readers : odderReaders)(textOf(random, all));
  }
  return all;
}

/** A line for a POSIX shell in which these words are read. */
export function textOf(random: Random, words: Words): string {
  return words
    .map((word) => quoted(random, word))
    .join(random.pick([' ', ' ', '  ', '\t', ' \\\n']));
}

/** A line for a shell that runs these words among others. */
export function lineOf(random: Random, words: Words): string {
  const text = textOf(random, words);
  return random.pick([
    text,
    `  ${text}\n`,
    `cd x && ${text}`,
    `true; ${text}`,
    `false || ${text} &`,
    `(${text})`,
    `{ ${text}; }`,
    `if true; then ${text}; fi`,
    `echo "$(${text})"`,
    `echo \`${text}\``,
    `ls | ${text} > log 2>&1`,
    `sh <<< ${quoted(random, text)}`,
    `sh <<END\n${text}\nEND`,
    `f() { ${text}; }; f`,
    `alias x=${quoted(random, text)}; x`,
    `! ${text}`,
    `while ${text}; do :; done`,
    `#\n${text}`,
  ]);
}

const plain = /^[\w@%+=:,./-]+$/;

function quoted(random: Random, word: string): string {
  const forms = [single(word), `"${word.replaceAll(/["\\$`]/g, '\\$&')}"`];
  if (word !== '' && !word.includes('\n')) {
    forms.push(word.replaceAll(/[^\w@%+=:,./-]/g, '\\$&'));
  }
  if (plain.test(word)) {
    const middle = random.below(word.length);
    const [before, after] = [word.slice(0, middle), word.slice(middle)];
    forms.push(
      word,
      word,
      word,
      `${before}""${after}`,
      `${before}''${after}`,
      `${before}\\\n${after}`,
      `${before}\\${after}`,
    );
  }
  return random.pick(forms);
}

function single(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
