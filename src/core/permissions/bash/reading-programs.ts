// Files that ordinary programs (zip, scp, openssl, gzip, a script for bash …) are given to read: held against denials, never a question by themselves.
import { type PathUse } from './command-paths';
import { interpreterName, takesInlineCode } from './runners';
import { commandName, type ShellWord } from './simple-command';

/** Empty for programs that Deft does not know to show, pack or send what they read. */
export function namedReads(words: readonly ShellWord[]): PathUse[] {
  const name = commandName(words) ?? '';
  const args = words.slice(1);
  const responses = responding.has(name) ? args.flatMap((word) => pathBehind(word, /^@(.+)$/s)) : [];
  if (readers.has(name)) return [...responses, ...args.flatMap(valueOf)];
  if (senders.has(name))
    return args
      .filter((_, index) => !/^-[iFoePScJl]$/.test(args[index - 1]?.value ?? ''))
      .flatMap(valueOf)
      .filter(({ path }) => !/^[\w.@-]+:/.test(path));
  if (responses.length > 0) return responses;
  const sends = subcommands.get(name);
  if (sends !== undefined) return args.slice(0, 2).some(({ value }) => sends.test(value)) ? args.flatMap(valueOf) : [];
  if (name === 'find' && args.some(({ value }) => /^-(exec|execdir|ok|okdir)$/.test(value)))
    return args.filter((_, index) => /^-i?(name|path)$/.test(args[index - 1]?.value ?? '')).flatMap(valueOf);
  if (posters.has(name)) return args.flatMap((word) => pathBehind(word, /^[\w.:=-]*@(.+)$/));
  // Where the program stands in the line it is judged as code.
  return scripted.test(interpreterName(name)) && !takesInlineCode(words, false) ? scriptOf(args) : [];
}

const readers = new Set(
  (
    'zip 7z 7za 7zz rar uuencode gzip bzip2 xz zstd brotli lz4 lzma pigz compress uncompress bunzip2 unxz unzstd pax ar openssl gpg gpg2 age xargs gxargs ' +
    'ed ex most diff3 sdiff colordiff delta yq xmllint pandoc csvcut csvlook tsort ptx look pygmentize highlight glow mdcat lolcat ccat dos2unix unix2dos ' +
    'nm objdump readelf m4 cpp bc dc shasum md5 ugrep ripgrep xclip xsel sops ansible-vault hexdump hexedit'
  ).split(' '),
);

/** They read further arguments from `@file`. */
const responding = new Set(
  (
    'strings nm objdump readelf ar size strip addr2line c++filt ld gcc g++ cc c++ clang clang++ rustc swiftc javac java jar javadoc ' +
    'kotlinc scalac tsc csc msbuild 7z 7za 7zz rar'
  ).split(' '),
);

/** Words with a colon name other machines; the value of an option is a key or a setting. */
const senders = new Set(['scp', 'sftp', 'rclone', 's3cmd', 'rsync']);

const subcommands = new Map([
  ['docker', /^cp$/],
  ['podman', /^cp$/],
  ['kubectl', /^cp$/],
  ['aws', /^s3$/],
  ['gsutil', /^(cp|mv|rsync)$/],
  ['gh', /^(gist|release)$/],
]);

const scripted = /^(ba|z|da|k|fi)?sh$|^(python|pypy|node|ruby|perl|php|lua|luajit|tclsh|bun)$/;

const posters = new Set(['http', 'https', 'xh', 'xhs']);

/** The script, and all operands where a module is run on them. */
function scriptOf(args: readonly ShellWord[]): PathUse[] {
  // Variables for the script, which shows none of them by itself.
  const operands = args.filter(({ value }, index) => !value.startsWith('-') && args[index - 1]?.value !== '--env-file');
  return (args.some(({ value }) => value === '-m') ? operands : operands.slice(0, 1)).flatMap(valueOf);
}

/** The word, or what follows the `=` of an option. */
function valueOf(word: ShellWord): PathUse[] {
  return word.value.startsWith('-')
    ? pathBehind(word, /^--?[\w-]+=(.+)$/)
    : [{ access: 'read', word, path: word.value }];
}

function pathBehind(word: ShellWord, pattern: RegExp): PathUse[] {
  const path = pattern.exec(word.value)?.[1];
  return path === undefined ? [] : [{ access: 'read', word, path }];
}
