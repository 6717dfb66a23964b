/**
 * Variables that decide which program runs, what it loads first, where packages come from, or who the user is: an
 * entry of the registry sets none of them. The registry's own checks leave out about the same.
 */
const reserved = new RegExp(
  `^(?:${[
    'PATH|PATHEXT|COMSPEC|SHELL|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|WINDIR|TEMP|TMP|TMPDIR|CI|ENV|IFS',
    'PYTHON.*|BASH_.*|BASHOPTS|SHELLOPTS|ZDOTDIR|PS4|PROMPT_COMMAND|PERL.*|RUBY.*',
    'JAVA_TOOL_OPTIONS|_?JAVA_OPTIONS|JDK_JAVA_OPTIONS|DOTNET_.*|CORECLR_.*',
    'REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|SSL_CERT_(?:DIR|FILE)|SSLKEYLOGFILE|OPENSSL_.*|(?:.*_)?PROXY',
    '(?:ACTIONS|AWS|AZURE|BUN|CODE_SERVER|DYLD|ELECTRON|GCLOUD|GIT|GITHUB|GOOGLE|LD|NODE|NPM|PIP|RUNNER|SSH|UV|VSCODE|XDG|YARN)_.*',
  ].join('|')})$`,
  'i',
);

/** Whether an entry of the registry may set the variable. */
export function isReservedVariable(name: string): boolean {
  return reserved.test(name);
}
