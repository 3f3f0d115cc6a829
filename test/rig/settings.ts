// The VS Code settings of every test window: nothing that reaches for the network, nags or differs from run to run.

/** Values as in settings.json; undefined takes a key out. */
export type Settings = Readonly<Record<string, unknown>>;

export const QUIET_SETTINGS: Settings = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'security.workspace.trust.enabled': false,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'chat.disableAIFeatures': true,
  'git.openRepositoryInParentFolders': 'never',
  'github.gitAuthentication': false,
  'window.restoreWindows': 'none',
  'files.autoSave': 'off',
  // Without these two, VS Code asks the npm registry for type packages of everything near an opened JavaScript file.
  'js/ts.tsserver.automaticTypeAcquisition.enabled': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  'npm.fetchOnlinePackageInfo': false,
  'json.schemaDownload.enable': false,
};

/** The built-in themes that screenshots are made in: first those that VS Code has by default. */
export const THEMES = {
  light: 'Light 2026',
  dark: 'Dark 2026',
  'light-modern': 'Light Modern',
  'dark-modern': 'Dark Modern',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
} as const;
export type Theme = keyof typeof THEMES;
