/** The commands that archive and delete sessions, in a bundle that is loaded with the first of them. */
export { archiveSessions, unarchiveSessions } from './archiveSessions';
export { deleteOlderSessions } from './deleteOlder';
export { deleteSessions, deleteTargets } from './deleteSessions';
