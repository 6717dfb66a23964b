import type { SampleTranscript } from './sampleTranscript';

/** A session of the sample history. */
export interface SampleSession {
  readonly title: string;
  /** A folder next to the sample's folder, used instead of it. */
  readonly otherFolder?: string;
  readonly write: (transcript: SampleTranscript) => void;
}

/** A short conversation: a question, at most one file and one command, and an answer. */
export interface ShortSession {
  readonly title: string;
  readonly ask: string;
  readonly reply: string;
  /** A file that the agent reads, with the relevant line. */
  readonly read?: readonly [file: string, line: number];
  readonly edit?: readonly [file: string, oldText: string | null, newText: string];
  readonly run?: readonly [command: string, output: string];
  readonly otherFolder?: string;
}

export function toSample(short: ShortSession): SampleSession {
  return {
    title: short.title,
    ...(short.otherFolder !== undefined && { otherFolder: short.otherFolder }),
    write: (transcript) => {
      transcript.user(short.ask);
      if (short.read !== undefined) {
        const [file, line] = short.read;
        transcript.tool({
          title: `Read ${file}`,
          kind: 'read',
          name: 'read_file',
          files: [{ path: file, line }],
        });
      }
      if (short.edit !== undefined) {
        transcript.edit(...short.edit);
      }
      if (short.run !== undefined) {
        transcript.run(short.run[0], `${short.run[1]}\r\n`);
      }
      transcript.say(short.reply);
    },
  };
}
