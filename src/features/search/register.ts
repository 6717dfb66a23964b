import * as l10n from '@vscode/l10n';
import { folderSize } from '../../model/files/folderSize';
import { feature } from '../feature';
import { searchCommandIds as ids } from './commandIds';
import { showIndexTrouble } from './indexTrouble';
import { SessionIndexer } from './model/sessionIndexer';
import { indexSessions, searchConversations, searchFile } from './searchCommands';
import { searchIndexLimit, searchSettingKeys, searchSettings } from './settings';
import { WorkerSearchIndex } from './workerSearchIndex';

/** Finds conversations by their words and files, in an index that all windows share. */
export const search = feature({ commandIds: ids, settingKeys: searchSettingKeys }, (core) => {
  const { context, sessions } = core;
  const { own } = core.lifetime;
  const folder = `${context.globalStorageUri.fsPath}/search`;
  const log = core.log.component('search');
  const index = own(
    new WorkerSearchIndex({
      program: context.asAbsolutePath('dist/searchWorker.js'),
      folder,
      limit: searchIndexLimit,
      log,
    }),
  );
  const indexer = own(new SessionIndexer({ sessions, index, settings: searchSettings, log }));
  own(showIndexTrouble(indexer));
  core.storedData.provide({
    id: 'search',
    label: l10n.t('Search index'),
    detail: l10n.t(
      'The words of conversations that can be searched. Opening a session adds it again.',
    ),
    size: () => folderSize(folder),
    clear: () => indexer.clear(),
  });
  const services = { ...core, search: { index, indexer, log } };
  return {
    commands: {
      [ids.searchConversations]: () => searchConversations(services),
      [ids.searchFile]: (argument) => searchFile(services, argument),
      [ids.indexFolder]: (argument) => indexSessions(services, argument),
    },
    parts: { search: services.search },
  };
});
