// The keys of settings files that Deft knows: the shape of each, who may set it, and how several files merge.
import { z } from 'zod/v3';
import { efforts } from '../wire/wire';

/**
 * Who may set a key. `anyone`: it only forbids, so also an untrusted project. `trusted`: a project in a trusted workspace.
 * `agreed`: it runs code or widens what is allowed, so a project's counts once the user has agreed to it. `user`: no
 * project ever, since it chooses credentials, where requests go, or what is kept of the user's own. `managed`: an
 * organization alone; it takes something away from everybody else.
 */
type SetBy = 'anyone' | 'trusted' | 'agreed' | 'user' | 'managed';

/**
 * Lists of all files are joined, objects merged key by key, of other values the highest file's counts. `highest`: so do
 * lists. `managed`: the organisation's list stands alone where there is one. `any`: true in one file is enough.
 */
type Merging = 'join' | 'highest' | 'managed' | 'any';

interface Key<Shape extends z.ZodTypeAny> {
  shape: Shape;
  by: SetBy;
  merging: Merging;
  /** What an organization's value counts as where it has the wrong shape: a lock with a mistake in it still locks. */
  closed?: z.infer<Shape>;
}

function key<Shape extends z.ZodTypeAny>(by: SetBy, shape: Shape, merging: Merging = 'join'): Key<Shape> {
  return { shape, by, merging };
}

/** `closed`: see there. */
function lock<Shape extends z.ZodTypeAny>(
  by: SetBy,
  shape: Shape,
  merging: Merging,
  closed: z.infer<Shape>,
): Key<Shape> {
  return { ...key(by, shape, merging), closed };
}

const flag = z.boolean();
const text = z.string();
const texts = z.array(z.string());
const command = z.object({ type: z.literal('command'), command: z.string().min(1) }).passthrough();
const check = z
  .object({
    command: z.string().min(1),
    files: z.string().optional(),
    source: z.string().optional(),
    timeout: z.number().positive().max(3_600).optional(),
  })
  .strict();
const verify = z.array(
  z
    .object({ files: z.union([text, texts]), run: z.string().min(1).optional(), task: z.string().min(1).optional() })
    .refine(({ run, task }) => (run === undefined) !== (task === undefined), 'It needs either "run" or "task".'),
);
const worktree = z
  .object({
    setup: z
      .object({ copy: texts.optional(), link: texts.optional(), commands: z.array(z.string().min(1)).optional() })
      .strict()
      .optional(),
  })
  .passthrough();
const servers = z.array(
  z
    .object({ serverName: z.string().optional(), serverCommand: texts.optional(), serverUrl: z.string().optional() })
    .passthrough(),
);

/** In addition to `permissions`, `env` and those of hooks, which have their own readers. Other keys are kept in the file and ignored. */
export const settingsKeys = {
  // Only forbid.
  disableAutoMode: lock('anyone', z.literal('disable'), 'join', 'disable'),
  disabledMcpjsonServers: key('anyone', texts),
  deniedMcpServers: key('anyone', servers),
  disableSkillShellExecution: key('anyone', flag, 'any'),
  disableBundledSkills: lock('anyone', flag, 'any', true),

  // Choose how Deft answers.
  agent: key('trusted', text),
  model: key('trusted', text),
  availableModels: lock('trusted', texts, 'managed', []),
  fallbackModel: key('trusted', z.union([text, texts]), 'highest'),
  effortLevel: key('trusted', z.enum(efforts)),
  fastMode: key('trusted', flag),
  alwaysThinkingEnabled: key('trusted', flag),
  showThinkingSummaries: key('trusted', flag),
  language: key('trusted', text),
  outputStyle: key('trusted', text),
  autoCompactEnabled: key('trusted', flag),
  autoCompactWindow: key('trusted', z.number().int().positive()),
  autoMemoryEnabled: key('trusted', flag),
  claudeMdExcludes: key('trusted', texts),
  plansDirectory: key('user', text),
  respectGitignore: key('trusted', flag),
  includeCoAuthoredBy: key('trusted', flag),
  askUserQuestionTimeout: key('trusted', z.enum(['never', '60s', '5m', '10m'])),
  // Each command is judged like one of Bash when it runs.
  problemCommands: key('trusted', z.array(check)),
  skillOverrides: key('trusted', z.record(z.unknown())),

  // Run code, widen what may be done, or change what the agent is sent.
  attribution: key('agreed', z.object({ commit: z.string().optional(), pr: z.string().optional() }).passthrough()),
  includeGitInstructions: key('agreed', flag),
  statusLine: key('agreed', command),
  fileSuggestion: key('agreed', command),
  verify: key('agreed', verify),
  worktree: key('agreed', worktree),
  enableAllProjectMcpServers: key('agreed', flag),
  enabledMcpjsonServers: key('agreed', texts),
  enabledPlugins: key('agreed', z.record(z.unknown())),
  extraKnownMarketplaces: key('agreed', z.record(z.unknown())),
  sandbox: key('agreed', z.record(z.unknown())),

  // The user's own.
  apiKeyHelper: key('user', text),
  awsAuthRefresh: key('user', text),
  awsCredentialExport: key('user', text),
  gcpAuthRefresh: key('user', text),
  modelOverrides: key('user', z.record(z.string())),
  autoMode: key('user', z.record(z.unknown())),
  allowedMcpServers: lock('user', servers, 'join', []),
  strictKnownMarketplaces: lock('user', z.array(z.record(z.unknown())), 'managed', []),
  // A project that blocks where the user's guards come from would switch them off.
  blockedMarketplaces: key('user', z.array(z.record(z.unknown()))),
  cleanupPeriodDays: key('user', z.number().int().nonnegative()),
  fileCheckpointingEnabled: key('user', flag),
  allowUnreadWrites: key('user', flag),
  visibleVariables: key('user', texts),

  // An organization's.
  allowManagedHooksOnly: lock('managed', flag, 'any', true),
  allowManagedMcpServersOnly: lock('managed', flag, 'any', true),
  allowManagedPermissionRulesOnly: lock('managed', flag, 'any', true),
  disableSideloadFlags: lock('managed', flag, 'any', true),
  /** `true`, or the kinds that it is about; kinds that Deft does not know are left out, as the format wants. */
  strictPluginOnlyCustomization: lock('managed', z.union([flag, texts]), 'highest', true),
} as const;

export type SettingsKey = keyof typeof settingsKeys;

export type SettingsValues = { -readonly [Name in SettingsKey]?: z.infer<(typeof settingsKeys)[Name]['shape']> };

export function isSettingsKey(name: string): name is SettingsKey {
  return Object.hasOwn(settingsKeys, name);
}
