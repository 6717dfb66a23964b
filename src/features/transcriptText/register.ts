import { compareSessions, openAsText } from '../../commands/text/openAsText';
import { feature } from '../feature';
import { transcriptTextCommandIds as ids } from './commandIds';
import { exportSession } from './exportSession';
import { openSessionChanges } from './sessionChanges';

/** Sessions as texts: exported, opened, compared. */
export const transcriptText = feature({ commandIds: ids }, (core) => ({
  commands: {
    [ids.exportMarkdown]: (argument) => exportSession(core, argument, 'markdown'),
    [ids.exportJsonLines]: (argument) => exportSession(core, argument, 'jsonLines'),
    [ids.openAsText]: (argument, selection) => openAsText(core, argument, selection),
    [ids.compareSessions]: (argument, selection) => compareSessions(core, argument, selection),
    [ids.openChanges]: (argument) => openSessionChanges(core, argument),
  },
  parts: {},
}));
