/** The layers: what each folder of `src` may import from `src`. Any other import is an error. */
const layers = {
  util: [],
  shared: ['util'],
  protocol: ['util', 'shared'],
  model: ['util', 'shared', 'protocol'],
  searchIndex: ['util', 'shared', 'model'],
  platform: ['util', 'shared', 'protocol', 'model', 'searchIndex'],
  views: ['util', 'shared', 'model', 'platform'],
  prompts: ['util', 'shared', 'model', 'platform', 'views'],
  commands: ['util', 'shared', 'model', 'platform', 'views', 'prompts'],
  webview: ['util', 'shared'],
  demoAgent: [],
  promptServer: ['util', 'shared', 'model'],
};

const layerRules = Object.entries(layers).map(([layer, allowed]) => ({
  name: `layer-${layer}`,
  comment: `src/${layer} may import only ${[layer, ...allowed].join(', ')}`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: { path: '^src/', pathNot: [layer, ...allowed].map((name) => `^src/${name}/`) },
}));

module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: 'only-extension-is-the-root',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/extension\\.ts$' },
      to: { path: '^src/extension\\.ts$' },
    },
    {
      name: 'sdk-only-in-protocol',
      comment: 'Only protocol and, on the agent side, the bundled demo agent use the ACP SDK.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(protocol|demoAgent)/' },
      to: { path: '@agentclientprotocol/sdk' },
    },
    {
      name: 'versions-only-in-protocol',
      comment: 'Nothing but src/protocol knows what the messages of a version look like.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/protocol/' },
      to: { path: '^src/protocol/(v[0-9]+|shapes|rpc)/' },
    },
    {
      name: 'versions-are-siblings',
      comment: 'What several versions have in common is in src/protocol/shapes.',
      severity: 'error',
      from: { path: '^src/protocol/(v[0-9]+)/' },
      to: { path: '^src/protocol/v[0-9]+/', pathNot: '^src/protocol/$1/' },
    },
    {
      name: 'streams-know-no-version',
      severity: 'error',
      from: { path: '^src/protocol/(rpc|transport|shapes)/' },
      to: { path: '^src/protocol/v[0-9]+/' },
    },
    {
      name: 'no-vscode-below-platform',
      severity: 'error',
      from: {
        path: '^src/(util|shared|protocol|model|searchIndex|webview|demoAgent|promptServer)/',
      },
      to: { path: '(^|/)vscode($|/)' },
    },
    {
      name: 'what-decides-knows-no-vscode',
      comment: 'Deciding what to show is separate from showing it, so that tests need no window.',
      severity: 'error',
      from: { path: '^src/views/(sessions/nodes|transcript/(rows|feed))/' },
      to: { path: '(^|/)vscode($|/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'browser-code-knows-no-node',
      severity: 'error',
      from: { path: '^src/(util|shared|webview)/', pathNot: '^src/util/process/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'browser-code-starts-no-process',
      severity: 'error',
      from: { path: '^src/(util|shared|webview)/', pathNot: '^src/util/process/' },
      to: { path: '^src/util/process/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^(src|test)/' },
      to: { circular: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
