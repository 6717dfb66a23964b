import type { CommandServices } from '../../commands/session/commandServices';
import type { Admission } from '../../views/transcript/tabs/admission';
import type { SessionReaders } from './model/sessionReaders';
import type { TranscriptFiles } from './transcriptFiles';

/** The services for commands on texts. */
export interface TextServices extends CommandServices {
  readonly admission: Pick<Admission, 'find'>;
  readonly readers: SessionReaders;
  readonly transcriptFiles: TranscriptFiles;
}
