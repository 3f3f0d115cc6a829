// Aliases and functions as a login shell lists them, and as a command's shell gets them.
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { CREDENTIAL_VARIABLES, credentialValues } from '../../core/text/credentials';
import { type ShellDefinition, type ShellNames, type UsedName } from '../../core/permissions/bash/shell-names';
import { quote } from './capture-wrapper';

export const noNames: ShellNames = new Map();

const mostNames = 1_000;
const longest = 4_000;
const plainName = /^[A-Za-z_][\w-]*$/;
/** Names that mean something to every bash. */
const known = new Set(
  'alias bg bind break builtin caller case cd command compgen complete compopt continue coproc declare dirs disown do done echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help history if in jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source suspend test then time times trap true type typeset ulimit umask unalias unset until wait while'.split(
    ' ',
  ),
);
/** Whatever sets one of these may hold a secret. */
const secretText = new RegExp(
  `${CREDENTIAL_VARIABLES.join('|')}|(?:token|secret|passw(?:or)?d|api_?key|credential)\\w*\\s*[=:]\\s*\\S|\\bBearer\\s+\\S|://[^/\\s]*:[^/\\s]*@`,
  'i',
);

/** What the login shell prints of itself: pairs of name and text behind NUL characters; then, of bash, its functions. Undefined for a shell whose words bash does not understand. */
export function namesScript(shell: string): { aliases: string; functions: string } | undefined {
  switch (path.basename(shell)) {
    case 'bash':
      return {
        aliases:
          'for deft_name in "${!BASH_ALIASES[@]}"; do printf \'%s\\0%s\\0\' "$deft_name" "${BASH_ALIASES[$deft_name]}"; done',
        functions: 'declare -f',
      };
    case 'zsh':
      return {
        aliases:
          'for deft_name in "${(@k)aliases}"; do printf \'%s\\0%s\\0\' "$deft_name" "${aliases[$deft_name]}"; done',
        functions: 'true',
      };
    default:
      return undefined;
  }
}

/**
 * Those that are new words for short things: no name that the shell or a program on the PATH has already, so that no command means
 * something else than rules take it for, and nothing that may hold a secret.
 */
export async function readNames(
  aliases: string,
  functions: string,
  environment: NodeJS.ProcessEnv,
): Promise<ShellNames> {
  const pairs = aliases.split('\0');
  const found: [string, ShellDefinition][] = [
    ...[...functions.matchAll(/^([A-Za-z_][\w-]*) \(\) *\n\{ *\n(?:(?!\}).*\n)*\}$/gm)].map(
      ([text, name = '']): [string, ShellDefinition] => [name, { kind: 'function', text }],
    ),
    // Of one name the alias counts, as it does for a shell.
    ...pairs
      .slice(0, -1)
      .flatMap((name, index): [string, ShellDefinition][] =>
        index % 2 === 0 ? [[name, { kind: 'alias', text: pairs[index + 1] ?? '' }]] : [],
      ),
  ];
  const secrets = credentialValues(environment);
  const wanted = found
    .filter(
      ([name, { kind, text }]) =>
        plainName.test(name) &&
        !name.startsWith('_') &&
        !known.has(name) &&
        text.trim() !== '' &&
        text.length <= longest &&
        !(kind === 'alias' && /\s$/.test(text)),
    )
    .filter(([, { text }]) => !secretText.test(text) && !secrets.some((secret) => text.includes(secret)))
    .slice(0, mostNames);
  const programs = await Promise.all(wanted.map(([name]) => isProgram(name, environment)));
  return new Map(wanted.filter((_one, index) => programs[index] !== true));
}

/**
 * For the shell that runs a command: each by itself, so that one that it cannot read costs no other. Functions come first: their texts
 * hold what aliases stood for already, and nothing in them is to be read anew.
 */
export function definitionsText(used: readonly UsedName[]): string {
  const functions = used.flatMap(({ definition: { kind, text } }) =>
    kind === 'function' ? [`eval ${quote(text)}`] : [],
  );
  const aliases = used.flatMap(({ name, definition: { kind, text } }) =>
    kind === 'alias' ? [`alias -- ${name}=${quote(text)}`] : [],
  );
  return [...functions, 'shopt -s expand_aliases', ...aliases, ''].join('\n');
}

async function isProgram(name: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const folders = (environment['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const found = await Promise.all(
    folders.map((folder) =>
      access(path.join(folder, name), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
