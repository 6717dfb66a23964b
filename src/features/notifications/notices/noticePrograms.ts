import { cleanText } from '../../../model/text/titles';
import type { Environment } from '../../../util/process/environment';
import { systemProgram } from '../../../util/process/windowsPrograms';

/** A notice of the operating system. The texts may be from an agent. */
export interface Notice {
  readonly title: string;
  readonly text: string;
  /** What a click does, for systems that can report one. */
  readonly action: string;
}

/** A command that shows a notice. */
export interface NoticeProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Environment;
  /**
   * For a program that prints the number of its notice: the arguments with which it takes over that
   * notice, prints `default` if the user clicks on it, and ends with it.
   */
  readonly untilClick?: (number: string) => readonly string[];
}

export interface NoticeSystem {
  readonly platform: NodeJS.Platform;
  readonly environment: Environment;
  /** The path of a program on the PATH. */
  readonly find: (name: string) => Promise<string | undefined>;
}

/** Longest title and text, in characters: more than any system shows. */
const longest = { title: 100, text: 300 };

/**
 * The commands that show a notice on this system, the better one first; none if it has no program
 * for that. Texts are only ever arguments or variables, never a part of a script or markup.
 */
export async function noticePrograms(
  notice: Notice,
  system: NoticeSystem,
): Promise<readonly NoticeProgram[]> {
  const title = cleanText(notice.title, longest.title);
  const text = cleanText(notice.text, longest.text);
  switch (system.platform) {
    case 'darwin':
      return [onMac(title, text)];
    case 'win32':
      return [onWindows(title, text, system.environment)];
    default: {
      const command = await system.find('notify-send');
      return command === undefined ? [] : onLinux(command, title, text, notice.action);
    }
  }
}

/**
 * Versions of libnotify before 0.8 don't know numbers and clicks, and refuse the first one. Others
 * keep the number to themselves while they wait for a click, so that this takes a second process.
 */
function onLinux(
  command: string,
  title: string,
  text: string,
  action: string,
): readonly NoticeProgram[] {
  const common = { command, environment: {} };
  const texts = ['--app-name=ACP Sessions', '--', title, asNotifyBody(text)];
  return [
    {
      ...common,
      args: ['--print-id', ...texts],
      untilClick: (number) => [`--replace-id=${number}`, `--action=default=${action}`, ...texts],
    },
    { ...common, args: texts },
  ];
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The body is markup, and `notify-send` replaces C's escapes in it. */
function asNotifyBody(text: string): string {
  return text.replace(/[&<>]/g, (mark) => entities[mark] ?? mark).replaceAll('\\', '\\\\');
}

const macScript = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  'end run',
];

/** The title, which is ours, comes first: what follows it isn't read as an option. */
function onMac(title: string, text: string): NoticeProgram {
  const args = [...macScript.flatMap((line) => ['-e', line]), title, text];
  return { command: '/usr/bin/osascript', args, environment: {} };
}

/** Windows shows notices only of programs that it knows by an id, such as PowerShell itself. */
const windowsScript = `$ErrorActionPreference = 'Stop'
[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$page = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)
$texts = $page.GetElementsByTagName('text')
[void]$texts.Item(0).AppendChild($page.CreateTextNode($env:ACP_SESSIONS_NOTICE_TITLE))
[void]$texts.Item(1).AppendChild($page.CreateTextNode($env:ACP_SESSIONS_NOTICE_TEXT))
$id = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
$toast = New-Object Windows.UI.Notifications.ToastNotification $page
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($id).Show($toast)
`;

function onWindows(title: string, text: string, environment: Environment): NoticeProgram {
  const script = Buffer.from(windowsScript, 'utf16le').toString('base64');
  return {
    command: systemProgram(environment, 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
    args: ['-NoProfile', '-NonInteractive', '-EncodedCommand', script],
    environment: { ACP_SESSIONS_NOTICE_TITLE: title, ACP_SESSIONS_NOTICE_TEXT: text },
  };
}
