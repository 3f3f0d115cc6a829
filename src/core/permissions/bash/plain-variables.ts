// Variables that a line may set for itself: no program and no shell looks at them.
import { type ShellAssignment } from './simple-command';

/** Small letters, or one of the short names that lines use for their own files. */
export function isPlainVariable(name: string): boolean {
  return own.test(name) && !special.has(name);
}

const own = /^(?!npm_|\w+_proxy$)([a-z_][a-z\d_]*|[A-Z]|FILES?|DIRS?|SRC|NAMES?|PATTERN)$/;

/** Names of the shells themselves: in zsh, `path=./bin` sets PATH, and `commands` says what a word runs. */
const special = new Set(
  (
    'path fpath cdpath manpath mailpath module_path fignore prompt psvar watch histchars auto_resume argv status pipestatus ' +
    'signals options aliases galiases saliases functions commands builtins reswords patchars parameters modules dirstack ' +
    'nameddirs userdirs usergroups history historywords jobdirs jobstates jobtexts termcap terminfo keymaps widgets ' +
    'funcstack functrace funcfiletrace funcsourcetrace zsh_eval_context dis_aliases dis_functions dis_builtins dis_reswords ' +
    'dis_galiases dis_saliases dis_patchars functions_source dis_functions_source'
  ).split(' '),
);

/** Without a command behind them; what they are made of is judged where it stands. */
export function setsPlainVariables(assignments: readonly ShellAssignment[]): boolean {
  return assignments.every(({ name }) => isPlainVariable(name));
}
