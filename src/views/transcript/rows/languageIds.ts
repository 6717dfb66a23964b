/** VS Code's language IDs, by the aliases that users and agents write in code fences. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['bash', 'shellscript'],
  ['c#', 'csharp'],
  ['c++', 'cpp'],
  ['cc', 'cpp'],
  ['cjs', 'javascript'],
  ['console', 'shellscript'],
  ['cs', 'csharp'],
  ['docker', 'dockerfile'],
  ['f#', 'fsharp'],
  ['fs', 'fsharp'],
  ['golang', 'go'],
  ['h', 'c'],
  ['hpp', 'cpp'],
  ['htm', 'html'],
  ['js', 'javascript'],
  ['jsx', 'javascriptreact'],
  ['make', 'makefile'],
  ['md', 'markdown'],
  ['mjs', 'javascript'],
  ['mts', 'typescript'],
  ['objc', 'objective-c'],
  ['patch', 'diff'],
  ['pl', 'perl'],
  ['ps1', 'powershell'],
  ['py', 'python'],
  ['python3', 'python'],
  ['rb', 'ruby'],
  ['rs', 'rust'],
  ['sh', 'shellscript'],
  ['shell', 'shellscript'],
  ['svg', 'xml'],
  ['tex', 'latex'],
  ['text', 'plaintext'],
  ['ts', 'typescript'],
  ['tsx', 'typescriptreact'],
  ['txt', 'plaintext'],
  ['yml', 'yaml'],
  ['zsh', 'shellscript'],
]);

/** The language ID for a name, if this VS Code has that language. */
export function findLanguageId(name: string, known: readonly string[]): string | undefined {
  const word = name.toLowerCase();
  const language = aliases.get(word) ?? word;
  return known.includes(language) ? language : undefined;
}
