/** A command that keeps the computer awake as long as it runs. It also ends with this process. */
export interface AwakeProgram {
  readonly command: string;
  readonly args: readonly string[];
}

export interface AwakeSystem {
  readonly platform: NodeJS.Platform;
  /** The process whose end ends the command, if this can't be told by a closed pipe. */
  readonly pid: number;
  /** The path of a program on the PATH. */
  readonly find: (name: string) => Promise<string | undefined>;
}

/** The platform's own program; `undefined` if there is none. Windows has none that is more than a script. */
export async function findAwakeProgram(system: AwakeSystem): Promise<AwakeProgram | undefined> {
  const { platform, pid, find } = system;
  if (platform === 'darwin') {
    return { command: '/usr/bin/caffeinate', args: ['-i', '-w', String(pid)] };
  }
  const [inhibit, cat] =
    platform === 'linux' ? await Promise.all([find('systemd-inhibit'), find('cat')]) : [];
  if (inhibit === undefined || cat === undefined) {
    return undefined;
  }
  const about = ['--who=ACP Sessions', '--why=An agent is working', '--mode=block'];
  // `cat` ends when its pipe does, however this process ends.
  return { command: inhibit, args: ['--what=idle:sleep', ...about, cat] };
}
