// What is dangerous about a command: what it deletes, forces, sends or reaches beyond the workspace. For the user's eyes: nothing is allowed or refused by it.
import { type CallRisk } from '../../../shared/permission';
import { isInsideAny } from '../rules/workspace-path';
import { type PermissionContext } from '../rules/verdict';
import { type BashLine } from './bash-line';
import { redirectedFiles, touchedFiles, usedByName } from './command-scope';
import { unwrap } from './shell-wrappers';
import { commandName, type ShellWord, type SimpleCommand } from './simple-command';

export type RiskPlace = Pick<PermissionContext, 'folders' | 'ownFolders' | 'home' | 'ignoreCase'> & { cwd: string };

/** Of all commands of the line, also of those that they run in turn. */
export function bashRisks({ parsed, all }: Pick<BashLine, 'parsed' | 'all'>, place: RiskPlace): CallRisk[] {
  const found = all.commands.flatMap((command) => [
    ...programRisks(unwrap(command.words).words),
    ...outsideRisks(command, place),
  ]);
  return parsed.ok && all.complete ? found : [...found, { kind: 'unread', text: 'Deft cannot read all of it' }];
}

/** Of one program and its arguments, in whatever shell. */
export function programRisks(words: readonly ShellWord[]): CallRisk[] {
  const name = commandName(words);
  if (name === undefined) return [];
  const args = words.slice(1);
  const values = args.map(({ value }) => value);
  if (name === 'git') return gitRisks(values);
  if (removing.has(name)) return [removal(args)];
  if (changingUser.has(name)) return [{ kind: 'forces', text: `Runs as another user (${name})`, grave: true }];
  if (name === 'find' && values.includes('-delete'))
    return [{ kind: 'deletes', text: 'Deletes what `find` finds', grave: true }];
  if (name === 'dd' || name === 'truncate' || name.startsWith('mkfs'))
    return [{ kind: 'deletes', text: `Overwrites data (\`${name}\`)`, grave: true }];
  const risky = clusters.get(name)?.(values);
  if (risky !== undefined) return [risky];
  return usesNetwork(name, values) ? [network] : [];
}

const network: CallRisk = { kind: 'network', text: 'Uses the network' };

const removing = new Set(['rm', 'rmdir', 'unlink', 'shred', 'srm']);
const changingUser = new Set(['sudo', 'doas', 'su', 'runuser']);

function removal(args: readonly ShellWord[]): CallRisk {
  const operands = args.filter(({ value }) => !value.startsWith('-'));
  // A single file that is named plainly is no more than what it says.
  const grave =
    args.some(({ value }) => /^-[A-Za-z]*[rRf]|^--(r|f)/.test(value)) ||
    operands.length !== 1 ||
    operands.some(({ kind }) => kind !== 'literal');
  // `find -exec rm {} +` names none.
  const names = operands.filter(({ value }) => !['{}', '+', ';', '\\;'].includes(value));
  const named = names.map(({ text }) => text).join(' ');
  const shown = named.length > maxNamed ? `${named.slice(0, maxNamed)} …` : named;
  return {
    kind: 'deletes',
    text: shown === '' || shown.includes('`') ? 'Deletes files' : `Deletes \`${shown}\``,
    ...(grave ? { grave: true } : {}),
  };
}

const maxNamed = 60;

function gitRisks(values: readonly string[]): CallRisk[] {
  const at = values.findIndex((value, index) => !value.startsWith('-') && !/^-[Cc]$/.test(values[index - 1] ?? ''));
  const subcommand = values[at] ?? '';
  const args = values.slice(at + 1);
  const has = (pattern: RegExp): boolean => args.some((value) => pattern.test(value));
  const lost = lostBy(subcommand, has);
  const risks: CallRisk[] = lost === undefined ? [] : [lost];
  const reaches =
    /^(push|pull|fetch|clone|ls-remote)$/.test(subcommand) ||
    (subcommand === 'submodule' && has(/^update$/)) ||
    (subcommand === 'remote' && has(/^(update|show)$/));
  return reaches ? [...risks, network] : risks;
}

/** What git gives no way back for, or only a hard one. */
function lostBy(subcommand: string, has: (pattern: RegExp) => boolean): CallRisk | undefined {
  switch (subcommand) {
    case 'push':
      return pushed(has);
    case 'reset':
      return has(/^--(hard|merge|keep)$/) ? deletes('Discards changes that are not committed') : undefined;
    case 'clean':
      return has(/^(-[a-zA-Z]*f|--force)/) ? deletes('Deletes files that git does not track') : undefined;
    case 'restore':
      return has(/^(--staged|-S)$/) && !has(/^(--worktree|-W)$/)
        ? undefined
        : deletes('Discards changes that are not committed');
    case 'checkout':
    case 'switch':
      return has(/^(-[a-zA-Z]*f|--force|--discard-changes|--|\.)$/)
        ? deletes('Discards changes that are not committed')
        : undefined;
    case 'stash':
      return has(/^(drop|clear)$/) ? deletes('Deletes stashed changes') : undefined;
    case 'branch':
    case 'tag':
      return has(/^(-[a-zA-Z]*[dD]|--delete)$/) ? deletes(`Deletes a ${subcommand}`) : undefined;
    case 'filter-branch':
    case 'filter-repo':
      return forces('Rewrites history');
    default:
      return undefined;
  }
}

function pushed(has: (pattern: RegExp) => boolean): CallRisk | undefined {
  if (has(/^(-[a-zA-Z]*d|--delete|--mirror|--prune|:.+)/)) return deletes('Deletes branches of the remote');
  return has(/^(-[a-zA-Z]*f|--force|\+)/) ? forces('Overwrites history of the remote') : undefined;
}

function forces(text: string): CallRisk {
  return { kind: 'forces', text, grave: true };
}

const clusters = new Map<string, (values: readonly string[]) => CallRisk | undefined>([
  ['kubectl', (values) => (values.includes('delete') ? deletes('Deletes from the cluster') : undefined)],
  ['terraform', (values) => (values.includes('destroy') ? deletes('Destroys infrastructure') : undefined)],
  [
    'docker',
    (values) =>
      /^(rm|rmi|prune)$/.test(values.find((value) => /^(rm|rmi|prune)$/.test(value)) ?? '')
        ? deletes('Deletes containers, images or volumes')
        : undefined,
  ],
]);

function deletes(text: string): CallRisk {
  return { kind: 'deletes', text, grave: true };
}

const networkPrograms = new Set(
  (
    'curl wget ssh scp sftp ftp telnet nc ncat socat rsync ping dig nslookup host gh glab http https httpie aws gcloud ' +
    'az kubectl helm terraform heroku vercel netlify flyctl npx bunx pipx uvx brew apt apt-get dnf yum pacman apk snap'
  ).split(' '),
);

/** Subcommands that fetch or send. */
const networkSubcommands = new Map(
  Object.entries({
    npm: 'install i ci add update publish audit outdated view exec',
    pnpm: 'install i add update publish audit outdated dlx',
    yarn: 'install add up upgrade publish audit dlx npm',
    bun: 'install i add update publish x',
    pip: 'install download',
    pip3: 'install download',
    uv: 'add sync pip lock publish',
    poetry: 'add install update publish',
    cargo: 'install add update fetch publish search',
    go: 'get install',
    gem: 'install push update',
    bundle: 'install update',
    composer: 'install update require',
    docker: 'pull push login build',
    dotnet: 'restore add nuget',
    deno: 'install add',
  }).map(([name, list]): [string, ReadonlySet<string>] => [name, new Set(list.split(' '))]),
);

function usesNetwork(name: string, values: readonly string[]): boolean {
  if (networkPrograms.has(name)) return name !== 'rsync' || values.some((value) => /^[^/-][^/]*:/.test(value));
  const subcommand = values.find((value) => !value.startsWith('-'));
  // Without one, `yarn` installs.
  if (subcommand === undefined) return name === 'yarn' && values.length === 0;
  return networkSubcommands.get(name)?.has(subcommand) === true;
}

/** What it writes or reads beyond the folders of the session, as far as that is certain. */
function outsideRisks(command: SimpleCommand, { cwd, home, folders, ownFolders, ignoreCase }: RiskPlace): CallRisk[] {
  const files = [
    ...touchedFiles(command, cwd, home).files,
    ...redirectedFiles(command, cwd, home).files,
    ...usedByName(command, cwd, home),
  ].filter(({ path }) => !isInsideAny(path, [...folders, ...ownFolders], ignoreCase) && !path.includes('`'));
  return files.map(({ access, path }) => ({
    kind: 'outside',
    text: `${access === 'write' ? 'Writes' : 'Reads'} \`${path}\`, outside the workspace`,
  }));
}
