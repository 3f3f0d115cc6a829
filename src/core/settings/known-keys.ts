// The keys that settings files may contain, level by level: those that Deft reads, and those that other programs read.
import { type RuleSource } from '../../shared/permission';
import { nearNames } from '../text/near-names';
import { type KeyNote } from './key-notes';
import { settingsKeys } from './settings-keys';
import { acceptedLocksKey, isStopKey, stopKeys } from './start-stops';

/** Other spellings that the format allows. */
export const keyAliases: Readonly<Record<string, string>> = {
  allowedMarketplaces: 'strictKnownMarketplaces',
  additionalMarketplaces: 'extraKnownMarketplaces',
};

/** By the object that contains them. */
const read: Readonly<Record<string, readonly string[]>> = {
  '': [
    ...['$schema', 'permissions', 'env', 'hooks', 'disableAllHooks', 'allowedHttpHookUrls', 'httpHookAllowedEnvVars'],
    ...Object.keys(settingsKeys),
    ...Object.keys(keyAliases),
    ...stopKeys,
    acceptedLocksKey,
  ],
  permissions: [
    ...['allow', 'ask', 'deny', 'additionalDirectories', 'defaultMode'],
    ...['disableBypassPermissionsMode', 'disableAutoMode'],
  ],
  sandbox: [
    ...['enabled', 'failIfUnavailable', 'autoAllowBashIfSandboxed', 'allowUnsandboxedCommands', 'excludedCommands'],
    ...['filesystem', 'network', 'credentials', 'enableWeakerNestedSandbox'],
  ],
  'sandbox.filesystem': ['allowWrite', 'denyWrite', 'denyRead', 'allowRead', 'allowManagedReadPathsOnly'],
  'sandbox.network': [
    ...['allowedDomains', 'deniedDomains', 'allowUnixSockets', 'allowAllUnixSockets', 'allowLocalBinding'],
    'allowManagedDomainsOnly',
  ],
  'sandbox.credentials': ['files', 'envVars'],
  autoMode: ['environment', 'allow', 'soft_deny', 'hard_deny'],
  attribution: ['commit', 'pr'],
};

/** What belongs to the terminal, the desktop, the cloud or a feature that Deft does not have, or always holds here. */
export const unusedKeys: Readonly<Record<string, readonly string[]>> = {
  '': [
    // The terminal and its looks.
    ...['autoScrollEnabled', 'awaySummaryEnabled', 'axScreenReader', 'bashEditDiffEnabled', 'companyAnnouncements'],
    ...['copyFullResponse', 'defaultShell', 'dialogExpiry', 'diffTool', 'editorMode', 'emojiCompletionEnabled'],
    ...['externalEditorContext', 'footerLinksRegexes', 'keybindingFlavor', 'permissionExplainerEnabled'],
    ...['preferredNotifChannel', 'prefersReducedMotion', 'promptSuggestionEnabled', 'respondToBashCommands'],
    ...['showClearContextOnPlanAccept', 'showTurnDuration', 'spellcheck', 'spinnerTipsEnabled'],
    ...['spinnerTipsOverride', 'spinnerVerbs', 'subagentStatusLine', 'syntaxHighlightingDisabled', 'teammateMode'],
    ...['terminalProgressBarEnabled', 'terminalTitleFromRename', 'theme', 'tui', 'verbose', 'viewMode'],
    ...['vimInsertModeRemaps', 'voice', 'voiceEnabled', 'wheelScrollAccelerationEnabled'],
    // How the program is installed, updated and measured.
    ...['autoConnectIde', 'autoInstallIdeExtension', 'autoUpdatesChannel', 'disableDeepLinkRegistration'],
    ...['feedbackDrafts', 'feedbackSurveyRate', 'minimumVersion', 'otelHeadersHelper', 'processWrapper'],
    'skipWebFetchPreflight',
    // claude.ai, the desktop app, phones and the cloud.
    ...['agentPushNotifEnabled', 'allowAllClaudeAiMcps', 'allowClaudeInChromeWithManagedMcp'],
    ...['allowedChannelPlugins', 'autoContinueAtUsageLimit', 'browserExternalPageTools', 'channelsEnabled'],
    ...['crossSessionInbound', 'desktopSessionCleanupPeriodDays', 'disableArtifact'],
    ...['disableBrowserExternalNavigation', 'disableClaudeAiConnectors', 'disableDesktopLocalSessions'],
    ...['disableMobileSimulatorTools', 'disableRemoteControl', 'enableArtifact', 'gatewayInternalNetworks'],
    ...['inputNeededNotifEnabled', 'isolatePeerMachines', 'remote', 'remoteControlAtStartup', 'sshConfigs'],
    ...['sshHostAllowlist', 'syncClaudeAiPlugins', 'syncClaudeAiSkills'],
    // Features that Deft does not have.
    ...['advisorModel', 'appendPlugins', 'autoMemoryDirectory', 'claudeMd', 'disableAgentView'],
    ...['disableCommandPluginSources', 'disableWorkflows', 'enableWorkflows'],
    ...['fastModePerSessionOptIn', 'managedMcpServers', 'modelPicker', 'modelPricing', 'pluginConfigs'],
    ...['pluginSuggestionMarketplaces', 'pluginTrustMessage', 'prUrlTemplate', 'prependPlugins', 'promptCacheTtl'],
    ...['skillListingBudgetFraction', 'skillListingMaxDescChars', 'skipAutoPermissionPrompt'],
    ...['skipDangerousModePermissionPrompt', 'subagentPromptCacheTtl', 'switchModelsOnFlag', 'taskOutputMaxChars'],
    ...['teammateDefaultModel', 'ultracode', 'useAutoModeDuringPlan', 'workflowKeywordTriggerEnabled'],
    'workflowSizeGuideline',
    // How an organization's several sources are combined: Deft reads its files only.
    ...['managedSourcesBehavior', 'parentSettingsBehavior', 'wslInheritsWindowsSettings'],
    // What Deft always does: no default model, and no later version of a listed one, is outside the list.
    ...['availableModelsMatch', 'enforceAvailableModels'],
  ],
  sandbox: [
    ...['allowAppleEvents', 'bwrapPath', 'enableWeakerNetworkIsolation', 'ignoreViolations', 'ripgrep', 'socatPath'],
  ],
  'sandbox.filesystem': ['disabled'],
  // A host outside the list is always refused, never asked about.
  'sandbox.network': ['allowMachLookup', 'httpProxyPort', 'socksProxyPort', 'strictAllowlist', 'tlsTerminate'],
  'sandbox.credentials': ['allowPlaintextInject', 'awsPairs', 'sigv4'],
  autoMode: ['classifyAllShell'],
  attribution: ['sessionUrl'],
};

/** Those of an organization's files alone, besides the ones that `settingsKeys` calls `managed`. */
const managedOnly: ReadonlySet<string> = new Set([
  'sandbox.filesystem.allowManagedReadPathsOnly',
  'sandbox.network.allowManagedDomainsOnly',
  acceptedLocksKey,
]);

/** An object whose own keys are checked too. */
export function isKnownObject(key: string): boolean {
  return Object.hasOwn(read, key);
}

/** What the user should know about a key; undefined where Deft just reads it from this file. */
export function keyNote(
  path: readonly string[],
  value: unknown,
  source: RuleSource,
): Pick<KeyNote, 'kind' | 'key' | 'message'> | undefined {
  const name = path.at(-1) ?? '';
  const parent = path.slice(0, -1).join('.');
  const key = path.join('.');
  const known = read[parent] ?? [];
  if (known.includes(name)) return knownNote(key, value, source);
  const unused = unusedKeys[parent] ?? [];
  if (unused.includes(name)) return { kind: 'unused', key, message: `\`${key}\` has no effect in Deft.` };
  const hint = otherPlace(name) ?? near(name, parent, [...known, ...unused]);
  return {
    kind: 'unknown',
    key,
    message: `Deft does not know the key \`${key}\`.${hint === undefined ? '' : ` Did you mean \`${hint}\`?`}`,
  };
}

/** A project chooses neither credentials nor what the user keeps; and an organization's locks are no one else's. */
function knownNote(key: string, value: unknown, source: RuleSource): ReturnType<typeof keyNote> {
  const own = keyAliases[key] ?? key;
  const by = Object.hasOwn(settingsKeys, own) ? settingsKeys[own as keyof typeof settingsKeys].by : undefined;
  const ofOrganization = by === 'managed' || isStopKey(key) || managedOnly.has(key);
  if (source === 'managedSettings')
    return ofOrganization && value !== false
      ? { kind: 'lock', key, message: `Your organization sets \`${key}\`.` }
      : undefined;
  if (ofOrganization) {
    const message = `\`${key}\` has no effect here: it counts only in your organization's managed settings.`;
    return { kind: 'misplaced', key, message };
  }
  if (by !== 'user' || (source !== 'projectSettings' && source !== 'localSettings')) return undefined;
  const message = `\`${key}\` has no effect in a project's file: it counts only in your own and your organization's.`;
  return { kind: 'misplaced', key, message };
}

/** `defaultMode` next to `permissions` instead of in it. */
function otherPlace(name: string): string | undefined {
  const [parent] = Object.entries(read).find(([, names]) => names.includes(name)) ?? [];
  return parent === undefined ? undefined : within(parent, name);
}

function near(name: string, parent: string, names: readonly string[]): string | undefined {
  const [found] = nearNames(name, names);
  return found === undefined ? undefined : within(parent, found);
}

function within(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}
