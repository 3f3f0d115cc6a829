// The environment of a VS Code under test: the user's, without what would change its behaviour or lend it a key.

// Variables of the VS Code in whose terminal the rig was started, of npm and Electron, and credentials of providers.
const LEFT_OUT =
  /^(VSCODE|CODE_SERVER|ELECTRON|npm|XDG|TERM_PROGRAM|GIT|ANTHROPIC|CLAUDE|DEFT|AWS|GOOGLE|CLOUD_ML|AZURE|NODE_(OPTIONS|ENV)$)/;

/** `own` is laid over what is left of `base`; a value of undefined takes a variable out. */
export function quietEnvironment(
  own: Readonly<Record<string, string | undefined>> = {},
  base: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const kept = Object.entries(base).filter(([name]) => !LEFT_OUT.test(name));
  const merged = Object.entries({
    ...Object.fromEntries(kept),
    npm_config_offline: 'true',
    EXTENSIONS_GALLERY: '{}',
    ...own,
  });
  return Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
