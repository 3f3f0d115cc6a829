// What commands in the sandbox may do: the settings, and the permission rules that speak of paths and hosts.
import { defined } from '../../shared/defined';
import { normalize } from 'pathe';
import { type PermissionRule } from '../../shared/permission';
import { canonicalToolName, isBare } from '../permissions/rules/rule-syntax';
import { type PermissionContext } from '../permissions/rules/verdict';
import { type SandboxPolicy } from '../ports/command-sandbox';
import { type SandboxSettings } from './sandbox-settings';

export interface SandboxPlan {
  policy: SandboxPolicy;
  /** Edit deny rules that no sandbox can hold, since they name files by a pattern: while there are some, nothing runs unasked for being inside. */
  unheld: PermissionRule[];
}

/** Files that steer tools outside the sandbox, where the library does not protect them already; of `.claude` it knows a few folders only. */
const steering = [
  '.claude',
  '.husky',
  '.devcontainer',
  '.devcontainer.json',
  '.envrc',
  '.npmrc',
  '.cargo',
  '.claude.json',
  '.pre-commit-config.yaml',
  '.pre-commit-config.yml',
  '.mvn',
  '.yarnrc',
  '.yarnrc.yml',
  '.yarn/releases',
  '.yarn/plugins',
  '.deft/plugins',
  '.deft/code-cache',
  '.pnp.cjs',
  '.pnp.loader.mjs',
  '.pnpmfile.cjs',
  'bunfig.toml',
  '.bazelrc',
  'lefthook.yml',
  '.lefthook.yml',
];
/** What it protects below the main folder only. */
const steeringElsewhere = [
  '.git/hooks',
  '.git/config',
  '.gitmodules',
  '.gitconfig',
  '.vscode',
  '.idea',
  '.mcp.json',
  '.bashrc',
  '.bash_profile',
  '.zshrc',
  '.zprofile',
  '.profile',
  '.ripgreprc',
];

export function sandboxPlan(settings: SandboxSettings, context: PermissionContext): SandboxPlan {
  const { filesystem, network, credentials } = settings;
  const { rules, cwd, home, worktree } = context;
  const [root = cwd, ...others] = context.folders;
  const folders = [...new Set([root, ...others])];
  const denied = rules.filter(({ behavior }) => behavior === 'deny');
  const edits = denied.filter((rule) => isOf(rule, 'Edit') && !isBare(rule.value));
  const heldEdits = edits.filter((rule) => rulePaths(rule, context).every((path) => !isPattern(path)));
  const readOnly = denied.some((rule) => isBare(rule.value) && (isOf(rule, 'Edit') || isOf(rule, 'Read')));
  const own = (path: string): string => absolute(path, root, home);
  return {
    policy: {
      root,
      allowWrite: readOnly ? [] : unique([...folders, ...filesystem.allowWrite.map(own)]),
      denyWrite: unique([
        ...filesystem.denyWrite.map(own),
        ...heldEdits.flatMap((rule) => rulePaths(rule, context)),
        ...folders.flatMap((folder) => steering.map((name) => `${folder}/${name}`)),
        // git itself asks there which repository's settings hold.
        ...(worktree === undefined ? [] : [`${worktree}/.git`]),
        ...folders.slice(1).flatMap((folder) => steeringElsewhere.map((name) => `${folder}/${name}`)),
      ]),
      nested: { folders, names: [...steering, ...steeringElsewhere] },
      denyRead: unique([
        ...filesystem.denyRead.map(own),
        ...denied
          .filter((rule) => isOf(rule, 'Read') && !isBare(rule.value))
          .flatMap((rule) => rulePaths(rule, context)),
      ]),
      allowRead: unique(filesystem.allowRead.map(own)),
      allowedDomains: unique([
        ...network.allowedDomains,
        ...hostsOf(network.managedOnly ? rules.filter(({ source }) => source === 'managedSettings') : rules, 'allow'),
      ]),
      deniedDomains: unique([...network.deniedDomains, ...hostsOf(rules, 'deny')]),
      ...(network.allowUnixSockets.length === 0 ? {} : { allowUnixSockets: network.allowUnixSockets.map(own) }),
      ...(network.allowAllUnixSockets ? { allowAllUnixSockets: true } : {}),
      ...(network.allowLocalBinding ? { allowLocalBinding: true } : {}),
      ...defined({ credentials }),
      ...(settings.weakerNested ? { weakerNested: true } : {}),
    },
    unheld: edits.filter((rule) => !heldEdits.includes(rule)),
  };
}

function isOf({ value }: PermissionRule, tool: string): boolean {
  return canonicalToolName(value.toolName) === tool;
}

/** Settings write paths as rules do: `//x` from the root, `~/x` from home, everything else from the main folder. */
function absolute(path: string, root: string, home: string): string {
  if (path === '~' || path.startsWith('~/')) return normalize(`${home}${path.slice(1)}`);
  if (path.startsWith('//')) return normalize(path.slice(1));
  return path.startsWith('/') ? normalize(path) : normalize(`${root}/${path}`);
}

/** The places that a Read or Edit rule names, every one that its anchor may mean; a name without a slash matches at any depth. */
function rulePaths({ value, root }: PermissionRule, { cwd, folders, home }: PermissionContext): string[] {
  const content = (value.ruleContent ?? '').replace(/(.)\/\*\*$/, '$1');
  if (content.startsWith('!')) return [];
  if (content.startsWith('//')) return [normalize(content.slice(1))];
  if (content === '~' || content.startsWith('~/')) return [normalize(`${home}${content.slice(1)}`)];
  if (content.startsWith('/')) return [normalize(`${root}${content}`)];
  const roots = unique([cwd, root, ...folders]);
  const relative = content.replace(/^\.\//, '');
  const deep = relative === content && !relative.replace(/\/$/, '').includes('/');
  return roots.flatMap((from) =>
    deep ? [normalize(`${from}/${relative}`), `${normalize(from)}/**/${relative}`] : [normalize(`${from}/${relative}`)],
  );
}

function isPattern(path: string): boolean {
  return /[*?[\]]/.test(path);
}

/** The proxy takes hosts, and `*.` before one of two parts or more: what is wider gives nothing, or denies everything. */
function hostsOf(rules: readonly PermissionRule[], behavior: PermissionRule['behavior']): string[] {
  return rules.flatMap((rule) => {
    const host = /^domain:\s*(\S+)\s*$/.exec(rule.value.ruleContent ?? '')?.[1];
    if (rule.behavior !== behavior || !isOf(rule, 'WebFetch') || host === undefined) return [];
    const isPlain = host.startsWith('*.') ? /^[^*]+\.[^*]+$/.test(host.slice(2)) : !host.includes('*');
    return isPlain ? [host] : behavior === 'deny' ? ['*'] : [];
  });
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
