// Files that programs run or obey by themselves: which program, and when. Questions about them say so.
import { plainPath } from './plain-path';

/** Words about files whose change always asks (`protected-paths.ts`); the first that matches counts. */
const known: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\/\.(?:git\/hooks|husky|githooks)(?:\/|$)/, 'git runs what is in it at commits, pushes and other steps'],
  [/\/\.vscode(?:\/|$)/, 'VS Code obeys it, and its tasks and settings can start programs when the folder is opened'],
  [/\/\.idea(?:\/|$)/, 'JetBrains IDEs obey it, and its run configurations and tasks start programs'],
  [/\/\.zed(?:\/|$)/, 'Zed obeys it, and its tasks and settings start programs'],
  [/\/\.devcontainer(?:\/|\.json$|$)/, 'its commands run when the development container is created or started'],
  [/\/\.envrc$/, 'direnv runs it when a shell enters the folder'],
  [/\/\.npmrc$/, 'npm and pnpm read it at every start: it sets the registry and the programs that they run'],
  [/\/\.yarn(?:rc[^/]*$|\/)/, 'Yarn obeys it at every start: it names the plugins and the release that run'],
  [/\/\.pnpmfile\.[cm]js$/, 'pnpm runs it at every installation'],
  [/\/(?:\.cursor\/)?\.?mcp\.json$/, 'agents start the servers that it names'],
  [/\/\.cursor\/hooks\.json$/, 'Cursor runs the commands that it names while an agent works'],
  [/\/\.(?:gdbinit|lldbinit)$/, 'the debugger runs it when it is started in the folder'],
  [/\/\.(?:exrc|vimrc|nvimrc|nvim\.lua)$/, 'vi, Vim or Neovim may run it when it is started in the folder'],
  [/\/\.dir-locals(?:-2)?\.el$/, 'Emacs evaluates it when it opens a file of the folder'],
];

/** Why a protected file is one: the beginning of a sentence. */
export function protectedWords(path: string): string {
  const plain = plainPath(path);
  return known.find(([pattern]) => pattern.test(plain))?.[1] ?? 'it controls tools, editors or shells';
}

const followed = 'agents follow it as instructions in every session';

/** Files that the mode for edits does not cover, though rules may: they take effect elsewhere, later, or for everybody. */
const elsewhere: readonly (readonly [pattern: RegExp, words: string])[] = [
  [
    /\/(?:\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/.|\.gitlab-ci[^/]*\.ya?ml$|\.gitlab\/(?:ci|workflows?)\/.|\.circleci\/.|\.buildkite\/.|\.woodpecker(?:\.ya?ml$|\/.)|\.drone\.ya?ml$|\.travis\.ya?ml$|\.cirrus\.(?:ya?ml|star)$|\.semaphore\/.|\.teamcity\/.|\.azure-pipelines\/.|azure-pipelines[^/]*\.ya?ml$|bitbucket-pipelines\.ya?ml$|\.?appveyor\.ya?ml$|cloudbuild\.(?:ya?ml|json)$|buildspec[^/]*\.ya?ml$|jenkinsfile[^/]*$)/,
    'CI runs it, with the access and the secrets that CI has, once it is pushed',
  ],
  [
    /\/(?:claude(?:\.local)?\.md|agents?(?:\.override)?\.md|gemini\.md|qwen\.md|crush\.md|copilot-instructions\.md|guidelines\.md(?<=\.junie\/guidelines\.md)|\.cursorrules|\.windsurfrules|\.clinerules|\.roorules[^/]*|\.goosehints|\.rules)$/,
    followed,
  ],
  [
    /\/(?:\.github\/(?:instructions|prompts|agents|chatmodes|skills)|\.cursor\/(?:rules|commands)|\.windsurf\/rules|\.clinerules|\.roo\/rules[^/]*|\.kiro\/(?:steering|hooks)|\.agents\/skills)\/./,
    followed,
  ],
  [
    /\/(?:\.lintstagedrc[^/]*|lint-staged\.config\.[^/]+|\.simple-git-hooks\.[^/]+|simple-git-hooks\.[^/]+|\.huskyrc[^/]*|husky\.config\.[^/]+)$/,
    'git hooks run the commands that it names at every commit',
  ],
  [
    /\/(?:\.?mise(?:\.[^/]+)?\.toml|\.mise\/[^/]+|\.rtx\.toml)$/,
    'mise can run commands of it when a shell enters the folder',
  ],
];

/** A whole folder put there (`placedFiles`) may bring any of them. */
const folderOfSuch = /\/\.(?:github|gitea|forgejo|gitlab|junie|windsurf|roo|kiro|agents)\/\*$/;

const packageFile = /\/package\.json$/;

/** Undefined where edits take effect in the workspace alone. `keepsScripts`: what package managers run by themselves stays as it was. */
export function elsewhereWords(path: string, keepsScripts: boolean): string | undefined {
  const plain = plainPath(path);
  if (packageFile.test(plain))
    return keepsScripts ? undefined : 'package managers and git hooks run its scripts, and this may change them';
  if (folderOfSuch.test(plain)) return 'the folder may hold workflows, hooks or instructions that others run or follow';
  return elsewhere.find(([pattern]) => pattern.test(plain))?.[1];
}

export function isPackageFile(path: string): boolean {
  return packageFile.test(plainPath(path));
}

/** Fields of package.json that make something run: at an installation, at a commit, or under a name. */
const running = [
  'scripts',
  'bin',
  'husky',
  'gitHooks',
  'lint-staged',
  'nano-staged',
  'simple-git-hooks',
  'pre-commit',
  'pre-push',
  'packageManager',
  'devEngines',
  'volta',
];

/** Whether two texts of package.json run the same; false if one cannot be read. No text is a file that does not exist. */
export function keepsScripts(before: string | undefined, after: string): boolean {
  const [old, now] = [fieldsOf(before ?? '{}'), fieldsOf(after)];
  if (old === undefined || now === undefined) return false;
  return running.every((field) => JSON.stringify(old[field]) === JSON.stringify(now[field]));
}

function fieldsOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
