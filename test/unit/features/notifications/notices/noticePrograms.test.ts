import assert from 'node:assert/strict';
import {
  type NoticeProgram,
  noticePrograms,
} from '../../../../../src/features/notifications/notices/noticePrograms';

const hostile = [
  'it\'s "quoted" `id` $(id) ${HOME} %PATH% $env:PATH',
  'two\nlines\r\nand\u0000 more\u2028\u202e',
  '<b>bold</b> <img src=x> &amp; <a href="https://example.org">link</a>',
  '-i /etc/passwd',
  '--action=evil=Run',
  '--',
  'C:\\new\\table \\u0041 \\" \\',
  '" & (do shell script "id") & "',
  "'); Remove-Item C:\\ #",
  '\ud800 and \udc00',
  'long '.repeat(2_000),
];

describe('programs for notices of the system', () => {
  const programs = (
    platform: NodeJS.Platform,
    text: string,
    find = (name: string): string | undefined => `/usr/bin/${name}`,
  ): Promise<readonly NoticeProgram[]> =>
    noticePrograms(
      { title: 'ACP Sessions', text, action: 'Show' },
      {
        platform,
        environment: { SystemRoot: 'D:\\Windows' },
        find: (name) => Promise.resolve(find(name)),
      },
    );

  for (const [index, text] of hostile.entries()) {
    it(`SEC-62: Linux: hostile text ${index} is one argument without markup, and never an option`, async () => {
      const [better, older] = await programs('linux', text);
      assert.ok(better && older);
      for (const { command, args } of [better, older]) {
        assert.equal(command, '/usr/bin/notify-send');
        const end = args.indexOf('--');
        assert.deepEqual(args.slice(end, -1), ['--', 'ACP Sessions']);
        const body = args.at(-1) ?? '';
        assert.doesNotMatch(body, /[<>\p{Cc}\p{Cs}\u202e\u2028]/u);
        assert.doesNotMatch(body.replaceAll(/&(?:amp|lt|gt);/g, ''), /&/);
        assert.doesNotMatch(body.replaceAll('\\\\', ''), /\\/);
        assert.ok(body.length <= 500);
      }
      const name = '--app-name=ACP Sessions';
      const waiting = better.untilClick?.('7') ?? [];
      assert.deepEqual(better.args, ['--print-id', ...older.args]);
      assert.deepEqual(older.args.slice(0, -3), [name]);
      assert.deepEqual(waiting, ['--replace-id=7', '--action=default=Show', ...older.args]);
      assert.equal(older.untilClick, undefined);
    });

    it(`SEC-62: macOS: hostile text ${index} is an argument of a constant script`, async () => {
      const [{ command, args } = none(), ...others] = await programs('darwin', text);
      const [{ args: harmless } = none()] = await programs('darwin', 'Harmless');
      assert.equal(command, '/usr/bin/osascript');
      assert.deepEqual(others, []);
      assert.deepEqual(args.slice(0, -1), harmless.slice(0, -1));
      assert.deepEqual(args.slice(-2, -1), ['ACP Sessions']);
      assert.doesNotMatch(args.at(-1) ?? '', /[\p{Cc}\p{Cs}\u202e\u2028]/u);
      assert.ok((args.at(-1) ?? '').length <= 301);
    });

    it(`SEC-62: Windows: hostile text ${index} is a variable of a constant script`, async () => {
      const [{ command, args, environment } = none(), ...others] = await programs('win32', text);
      const [{ args: harmless } = none()] = await programs('win32', 'Harmless');
      assert.equal(command, 'D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
      assert.deepEqual(others, []);
      assert.deepEqual(args, harmless);
      assert.deepEqual(args.slice(0, -1), ['-NoProfile', '-NonInteractive', '-EncodedCommand']);
      const { ACP_SESSIONS_NOTICE_TITLE: title, ACP_SESSIONS_NOTICE_TEXT: value } = environment;
      assert.equal(title, 'ACP Sessions');
      assert.doesNotMatch(value ?? '', /[\p{Cc}\p{Cs}\u202e\u2028]/u);
      assert.ok((value ?? '').length <= 301);
    });
  }

  it('keep what the text says', async () => {
    const text = String.raw`Claude has finished in “C:\new & <old>”.`;
    const [linux] = await programs('linux', text);
    assert.equal(
      linux?.args.at(-1),
      String.raw`Claude has finished in “C:\\new &amp; &lt;old&gt;”.`,
    );
    const [mac] = await programs('darwin', text);
    assert.equal(mac?.args.at(-1), text);
    const [windows] = await programs('win32', text);
    assert.equal(windows?.environment['ACP_SESSIONS_NOTICE_TEXT'], text);
  });

  it('Windows: the script takes its texts from variables, as text', async () => {
    const [{ args } = none()] = await programs('win32', 'Text');
    const script = Buffer.from(args.at(-1) ?? '', 'base64').toString('utf16le');
    for (const name of ['TITLE', 'TEXT']) {
      assert.ok(script.includes(`CreateTextNode($env:ACP_SESSIONS_NOTICE_${name})`));
    }
    assert.doesNotMatch(script, /Invoke-Expression|iex|LoadXml/i);
  });

  it('are none on a system without one', async () => {
    assert.deepEqual(await programs('linux', 'Text', () => undefined), []);
  });
});

function none(): NoticeProgram {
  throw new Error('no program');
}
