/** Whether a text still has a secret of those below. */
export function hasSecret(text: string): boolean {
  return /hunter/i.test(text.replaceAll('\u200b', ''));
}

/** Texts with secrets, all of which are called `hunter`, by what they are. */
export const secretTexts: Readonly<Record<string, readonly string[]>> = {
  'a password in an address': [
    'https://ann:hunter2@host.example/x',
    'redis://:hunter2@host',
    'postgres://u:hun@hunter2/hunter3@db:5432/x',
    'mongodb+srv://u:hunter2@c.example,https://a:hunter3@b/c',
    'https://hunter2token@git.example/a.git',
    'https://host.example/a?code=hunter2#state=hunter3',
  ],
  'a password in a connection string': [
    'Server=x;User Id=sa;Password=my hunter2;Encrypt=True',
    'Driver=x; Pwd={hunter2;hunter3};',
    'u:hunter2@tcp(db:3306)/x',
    'user:hunter2@cache.example.com:6379',
    'AccountName=x;AccountKey=hunter2==;EndpointSuffix=core',
    "host=db user=ann password='my hunter2' dbname=x",
  ],
  'a value after a name and a sign, with spaces': [
    'password = hunter2',
    'password : hunter2',
    'api_key = hunter',
    'the token = hunter',
    'DB_PASS = hunter2',
    'export CLIENT_SECRET = hunter',
    'API key: hunter22',
    "os.environ['TOKEN'] = 'hunter2'",
    'const password: string = "hunter2"',
    '"password" => "hunter2"',
    'if (password == "hunter2")',
    'PASSWORD=hunter2 run',
    'passphrase = hunter horse battery hunter',
    '<password>hunter2</password>',
    ';PWD=hunter2',
  ],
  'a phrase in quotes': [
    'password: "hunter horse"',
    "secret = 'hunter horse'",
    'token=`hunter horse`',
    'password “hunter horse”',
    'password: «hunter horse»',
    '{"password": "hunter \\" horse hunter"}',
    '{\\"password\\": \\"hunter horse\\"}',
    '{\\\\\\"apiKey\\\\\\":\\\\\\"hunter horse\\\\\\"}',
    'password: "hunter horse',
  ],
  'a header that authenticates': [
    'Authorization: hunter2',
    'Authorization: Bearer hunter2',
    'Authorization: Digest username="hunter2", response="hunter3"',
    'authorization: AWS4-HMAC-SHA256 Credential=hunter2/x, Signature=hunter3',
    'curl -H "Authorization: Foo hunter2" https://host.example',
    "curl -H 'Cookie: a=hunter2; b=hunter3' x",
    '{"Authorization":"Foo hunter2"}',
    '{\\"headers\\":{\\"authorization\\":\\"Foo hunter2\\"}}',
    'Proxy-Authorization: NTLM hunter2',
    'Cookie: a=hunter2; b=hunter3',
    'Set-Cookie: sid=hunter2; Path=/hunter3',
    'X-Api-Key: hunter2',
    'sent bearer hunter2hunter',
  ],
  'an argument': [
    'curl -u ann:hunter2 https://host.example',
    'curl -uann:hunter2 x',
    'curl --user "ann:my hunter2" x',
    '["-u", "ann:hunter2"]',
    'run --token hunter2 -v',
    'run --token "my hunter2" -v',
    'run --api-key=hunter2',
    '["--password", "hunter2"]',
  ],
  'what a terminal colors, or has invisible characters': [
    '"apiKey"\u001b[39m: \u001b[32m"hunter2"\u001b[39m',
    'password=\u001b[1mhunt\u200ber2',
    'pass\u200bword: hunter2',
    '\u001b]8;;https://ann:hunter2@host.example\u0007link\u001b]8;;\u0007',
  ],
};

const body = 'MIIEowIBAAKCAQEAhunter0hunter1hunter2hunter3hunter4hunter5hunter';
/** Keys in PEM: whole, cut off at either end, and a single line. */
export const keyTexts: readonly string[] = [
  `-----BEGIN RSA PRIVATE KEY-----\n${body}\nhunter==\n-----END RSA PRIVATE KEY-----`,
  `-----BEGIN PRIVATE KEY-----\\n${body}\\nhunter==\\n-----END PRIVATE KEY-----`,
  `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n${body}\n=hunter\n-----END PGP PRIVATE KEY BLOCK-----`,
  `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n${body}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`,
  `  12 | -----BEGIN PRIVATE KEY-----\n  13 | ${body}\n  14 | hunter==`,
  `${body}\n${body}\r\nhunter==\n-----END PRIVATE KEY-----`,
  `It failed: ${body} ${body} hunter== -----END PRIVATE KEY-----`,
  body,
];

const random = 'a1B2hunter2D4e5F6';

/** Tokens of common services. */
export const tokenTexts: readonly string[] = [
  `sk-ant-api03-${random}`,
  `sk-proj-${random}`,
  `gsk_${random}`,
  `hf_${random}`,
  `xai-${random}`,
  `sk_live_${random}`,
  `ghp_${random}`,
  `github_pat_${random}`,
  `glpat-${random}`,
  `npm_${random}`,
  `pypi-${random}`,
  `xoxb-1234-${random}`,
  `xapp-1-${random}`,
  'AKIAHUNTER2EXAMPLE',
  `AIzaSy${random}`,
  `ya29.${random}`,
  `GOCSPX-${random}`,
  `SG.${random}.${random}`,
  `lin_api_${random}`,
  `ntn_${random}`,
  `figd_${random}`,
  `hvs.${random}`,
  `shpat_${random}`,
  `vcp_${random}`,
  `dckr_pat_${random}`,
  `dop_v1_${random}`,
  `123456789:AA${random}${random}`,
  `https://hooks.slack.com/services/T0/B0/${random}`,
  `eyJ${random}.eyJ${random}.${random}`,
];

/** All of them. */
export const allSecretTexts: readonly string[] = [
  ...Object.values(secretTexts).flat(),
  ...keyTexts,
  ...tokenTexts,
];

/** What can make a search for secrets begin again and again, if it is repeated. */
export const endlessUnits: readonly string[] = [
  ...['://', 'a://', 'https://u:', '://a@', 'https://a?b=', 'a:', 'a:b@', '@'],
  ...['key', 'key ', 'key=', 'key="', "key='", 'key=“', 'key=\\"', 'key=\\\\"', 'key: a b '],
  ...['-key ', '--token "a", ', 'password = ', 'password: a b\n', ';pwd=', ';pwd={', '<password>'],
  ...['-u a:', '-u "a:', '"Authorization:"', '"Authorization: ', 'Cookie=', 'bearer ', 'bearer'],
  ...['sk-', 'sk_', 'eyJ', 'eyJaaaaaaaaaaaaaa.', 'AKIA', '%3D', '1234567:AA', 'a'.repeat(63)],
  ...['-----BEGIN A-----', '-----END A-----\n', '----', `${'A1a'.repeat(22)}\n`, ' ', '\n'],
  ...[
    'key:',
    'key:a',
    'key=a(',
    'key=a[',
    'key:“',
    'key:«',
    'key: ${',
    'key: a.',
    'key: a::b',
    '--key a( ',
  ],
  ...['password={', 'password:{', 'password:={', 'PWD=/', 'cookie=a(', 'token: a[', 'password: |'],
  ...['\u001b[', '\u001b]', '\u200b', 'k\u200bey=', '\\', '\\"', '"'],
];
