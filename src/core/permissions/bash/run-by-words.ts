// Words by which make, find and export run or choose programs, though they are no options with a value.
import { isOneWord, type ShellWord } from './simple-command';

export interface RunByOption {
  /** The word that makes it run something. A rule that spells it out covers that. */
  index: number;
  /** What is run, as a shell would read it. */
  code: string;
}

/** Variables whose value is a program, makefiles that come from elsewhere than a file, and text that a recipe may run. */
export function runsByMake(values: readonly string[]): RunByOption[] {
  return values.flatMap((value, index) => {
    if (index === 0) return [];
    const before = values[index - 1] ?? '';
    const makefile = /^(?:-[A-Za-z]*f|--(?:f|fi|fil|file|m\w*)=)(.+)$/s.exec(value)?.[1];
    const given = /^(-[A-Za-z]*f|--(f|fi|fil|file|ma\w*))$/.test(before) ? value : makefile;
    if (given !== undefined && /^(-|\/dev\/.*|\/proc\/.*)$/s.test(given)) return [{ index, code: given }];
    const [, name, set] = /^([^-=][^=]*)=([\s\S]*)$/.exec(value) ?? [];
    if (name === undefined || set === undefined) return [];
    // Blanks around the name do not count, a name with `$` is worked out, and `!=` runs its value.
    const [, plain] = /^\s*([A-Za-z_.][\w.-]*?)\s*[:?+]*$/.exec(name) ?? [];
    if (plain === undefined || choosing.test(plain)) return [{ index, code: set }];
    if (!/^[\w.,:@%+=/ -]*$/.test(set)) return [{ index, code: set }];
    return tools.test(plain) && /\s/.test(set.trim()) ? [{ index, code: set }] : [];
  });
}

const choosing = /^(SHELL|\.SHELLFLAGS|\.RECIPEPREFIX|MAKE|MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES|MAKE_COMMAND)$/;
const tools = /^(AR|AS|CC|CXX|CPP|FC|M2C|PC|CO|GET|LEX|YACC|LINT|MAKEINFO|TEX|WEAVE|TANGLE|RM|LD|INSTALL|STRIP)$/;

/** Words that only running the line shows, unless they are the value of a test; anything else may be an action. */
export function runsByFind(words: readonly ShellWord[]): RunByOption[] {
  return words.flatMap(({ kind, text, value }, index) => {
    if (index === 0 || kind !== 'dynamic') return [];
    const isValue =
      /^-(i?name|i?path|i?wholename|i?regex|newer\w*|[acm]?newer|size|[acm](time|min)|user|group|perm)$/.test(
        words[index - 1]?.value ?? '',
      );
    if (isValue && isOneWord(text)) return [];
    // A folder comes first, and where it leads is judged elsewhere.
    const isFolder = isOneWord(text) && !/^"?[-$`{]/.test(text);
    return isFolder ? [] : [{ index, code: value }];
  });
}

/** Variables by which programs and the shell choose what they run, and those whose name is not written out. */
export function setsByExport(words: readonly ShellWord[]): RunByOption[] {
  return words.flatMap(({ text, value }, index) =>
    index > 0 && !text.startsWith('-') && steering.test(/^["']?(\w+)(?=["']?(\+?=|$))/.exec(text)?.[1] ?? 'PATH')
      ? [{ index, code: value }]
      : [],
  );
}

const steering =
  /^(PATH|CDPATH|HOME|SHELL|SHELLOPTS|BASHOPTS|BASH_ENV|ENV|IFS|PS\d|PROMPT_COMMAND|(LD|DYLD|GIT|NPM_CONFIG|npm_config|PIP|CARGO|RUSTC?|PERL\d?|XDG|DOCKER)_?\w*|(NODE|PYTHON|JAVA|JDK|RUBY|GO|MAKE|GNUMAKE|ZDOT)\w*(?<!NODE_ENV)|\w*(EDITOR|PAGER|VISUAL|BROWSER|ASKPASS|_PROXY|_proxy|_WRAPPER|_OPTIONS|OPTS|CLASSPATH)|CC|CXX|LD|AR|LESSOPEN|LESSCLOSE|TAR_OPTIONS|RSYNC_RSH|RIPGREP_CONFIG_PATH|TMPDIR)$/;
