const { readdirSync } = require('node:fs');
const path = require('node:path');

/** The layers: what each folder of `src` may import from `src`. Any other import is an error. */
const layers = {
  util: [],
  shared: ['util'],
  protocol: ['util', 'shared'],
  model: ['util', 'shared', 'protocol'],
  platform: ['util', 'shared', 'protocol', 'model'],
  views: ['util', 'shared', 'model', 'platform'],
  commands: ['util', 'shared', 'model', 'platform', 'views'],
  core: ['util', 'shared', 'model', 'platform', 'views', 'commands'],
  features: ['util', 'shared', 'protocol', 'model', 'platform', 'views', 'commands', 'core'],
  webview: ['util', 'shared'],
  demoAgent: [],
};

/** Which other features a feature may import from; none imports another in a circle. */
const usedFeatures = {
  branches: ['transcriptText'],
  context: ['transcriptText'],
  diagnosis: ['traces'],
  notifications: ['review'],
  registry: ['diagnosis'],
  worktrees: ['review'],
};

const layerRules = Object.entries(layers).map(([layer, allowed]) => ({
  name: `layer-${layer}`,
  comment: `src/${layer} may import only ${[layer, ...allowed].join(', ')}`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: { path: '^src/', pathNot: [layer, ...allowed].map((name) => `^src/${name}/`) },
}));

/**
 * The rooms of each layer, its folders and the files beside them, from the lowest to the highest. A room may import
 * only those before it, so none import each other in a circle.
 */
const rooms = {
  shared: `mathRules problem failure language lengths literal sessionRef tone byteSize terminal requests transcript glance comparison prompt`,
  protocol: `apiKeyVariables bounds byteBuffer errors gitPatch lineSplitter messageTap protocolChoice updates
    agentRequests agentConnection agentTransport refusal commandBounds refusedRequests rpc requestId protocolVersion
    shapes trace transport v1 v2 savedUpdates versions share connectAgent`,
  model: `text git calls failures rules ports files agent list marks places agents transcript changes checks subagents terminals requests turns session kept`,
  platform: `gitRepositories ids l10n programTexts packageStarts terminals programs gitProgram loginTerminal ui files openers settings storage agentProgram connector services`,
  views: `tinted agentIcon checkWords worktreeWords dates folderLabel plainLabel sessionFiles tabs attention dialogs previews sessions transcript picker tabContexts`,
  webview: `styles codePlace frameQueue workers highlight keys l10n nextFrame newestState rows answerTone usePopup words state copying outline parts
    code math diagrams composer find keyboard markdown content subagents toolCalls cards entries glance comparison list page main`,
  commands: `run named agents transcript session view index`,
  core: `lifetime model sessionsTree transcripts core`,
  'features/worktrees': `commandIds settings model worktreeServices worktreeTarget openTerminal openWorktree
    crowdedFolders state removing applying making moving comparison finishing register`,
};

const roomRules = Object.entries(rooms).flatMap(([layer, listed]) => {
  const order = listed.split(/\s+/);
  return order.map((room, at) => ({
    name: `room-${layer}-${room}`,
    comment: `src/${layer}/${room} may import only the rooms before it in this file`,
    severity: 'error',
    from: { path: `^src/${layer}/${room}(/|\\.)` },
    to: {
      path: `^src/${layer}/`,
      pathNot: order.slice(0, at + 1).map((name) => `^src/${layer}/${name}(/|\\.)`),
    },
  }));
});

/** A folder or file that isn't in its layer's order is in no room. */
const roomlessRules = Object.entries(rooms).map(([layer, listed]) => ({
  name: `rooms-of-${layer}`,
  comment: `Every folder of src/${layer}, and every file beside them, is one of the rooms listed in this file`,
  severity: 'error',
  from: {},
  to: {
    path: `^src/${layer}/`,
    pathNot: listed.split(/\s+/).map((name) => `^src/${layer}/${name}(/|\\.)`),
  },
}));

const features = readdirSync(path.join(__dirname, 'src/features'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const featureRules = features.map((feature) => ({
  name: `feature-${feature}`,
  comment: `src/features/${feature} may import only those features that this file lists for it`,
  severity: 'error',
  from: { path: `^src/features/${feature}/` },
  to: {
    path: '^src/features/',
    pathNot: [feature, ...(usedFeatures[feature] ?? [])]
      .map((name) => `^src/features/${name}/`)
      .concat('^src/features/feature\\.ts$'),
  },
}));

module.exports = {
  forbidden: [
    ...layerRules,
    ...featureRules,
    ...roomRules,
    ...roomlessRules,
    {
      name: 'only-extension-is-the-root',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/extension\\.ts$' },
      to: { path: '^src/extension\\.ts$' },
    },
    {
      name: 'sdk-only-in-protocol',
      comment: 'Only protocol and, for its types, the bundled demo agent use the ACP SDK.',
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
        path: '^src/(util|shared|protocol|model|webview|demoAgent|features/[^/]+/(model|searchIndex|replayAgent|server))/',
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
    // By the content of each file that could matter, this one included. If any has changed, all is looked at again.
    cache: { folder: '.vscode-test/checks/layers', strategy: 'content' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
