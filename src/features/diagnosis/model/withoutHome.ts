import process from 'node:process';
import { escapeRegExp } from '../../../util/escapeRegExp';
import { hidden } from '../../../util/secrets/spans';

/** What stands between folders, also escaped, as in JSON, and as in an address. */
const separator = String.raw`(?:[\\/]|%(?:25)?(?:2[fF]|5[cC]))`;
/** A unit of a folder's name. */
const unit = String.raw`(?:[^\\/\s"'\`:;%]|%(?!(?:25)?(?:2f|5c|3a|22))|\\(?= ))`;
/** The names of users may have spaces; where one ends is only known if something follows that ends it. */
const nameOfUser = String.raw`(?:${unit}+(?: ${unit}+){1,3}(?=[\\/"'\`]|%(?:25)?(?:2f|5c))|${unit}+)`;
const others = new RegExp(`(${separator}(?:home|users)${separator}+)${nameOfUser}`, 'gi');
/** What some agents make of a path to name a folder after it: each sign is a dash. */
const othersInNames = /((?<![\w-])(?:[A-Za-z]-)?-(?:home|Users)-)[^\s\\/"'`:;-]+/g;

/** Replaces the user's folder, and the names of other users' folders, in a text that leaves this machine. */
export function withoutHome(text: string, home: string): string {
  const flags = process.platform === 'win32' ? 'giu' : 'gu';
  return getPatterns(home)
    .reduce((rest, pattern) => rest.replace(new RegExp(pattern, flags), '~'), text)
    .replace(others, `$1${hidden}`)
    .replace(othersInNames, `$1${hidden}`);
}

/** Patterns of the folder as a path, and as part of a name. */
function getPatterns(home: string): readonly string[] {
  const paths = [...new Set([home.normalize('NFC'), home.normalize('NFD')])].map(pathPattern);
  const name = home.replace(/[^A-Za-z0-9]/g, '-');
  const folders = home.split(/[\\/]+/).filter((folder) => folder !== '');
  return [
    ...(folders.length > 0 ? paths : []),
    ...(folders.length > 1 ? [`(?<![\\w-])${name}(?![A-Za-z0-9])`] : []),
  ];
}

/** A pattern that begins with a single separator: of many, each would be a beginning. */
function pathPattern(path: string): string {
  const [first = '', ...rest] = path.split(/[\\/]+/).map(folderPattern);
  const beginning = first === '' ? `(?:\\\\{0,4}/|${separator})` : `${first}${separator}+`;
  return `${beginning}${rest.filter((folder) => folder !== '').join(`${separator}+`)}(?![\\w.-])`;
}

/** A folder's name, whose signs may be escaped. */
function folderPattern(folder: string): string {
  return Array.from(folder, (character) =>
    /[\w\p{Cs}]/u.test(character)
      ? character
      : String.raw`(?:\\{0,4}${escapeRegExp(character)}|${encodeURIComponent(character)})`,
  ).join('');
}
