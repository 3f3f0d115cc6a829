// Commands of the user's settings that fetch or renew what a provider asks for: apiKeyHelper and its like.

/** Runs a command of the user; its output, or a sentence that says why there is none. Never throws but for an abort. */
export type RunCredentialCommand = (
  command: string,
  signal: AbortSignal,
) => Promise<{ output: string } | { problem: string }>;

export interface CredentialCommands {
  run: RunCredentialCommand;
  /** Prints the key. */
  apiKeyHelper?: string | undefined;
  /** Signs in again, where AWS's own files keep it; prints nothing of use. */
  awsAuthRefresh?: string | undefined;
  /** Prints `{"Credentials": {"AccessKeyId": …}}`. */
  awsCredentialExport?: string | undefined;
  /** Signs in again, where Google's own files keep it. */
  gcpAuthRefresh?: string | undefined;
}

/** By the settings of the user and their organisation: a project cannot set them. */
export type CredentialSettings = Omit<CredentialCommands, 'run'>;

/** How long a fetched key is used. */
export function keyLifetimeMs(variables: Readonly<Record<string, string | undefined>>): number {
  const configured = Number(variables['CLAUDE_CODE_API_KEY_HELPER_TTL_MS'] ?? '');
  return Number.isFinite(configured) && configured > 0 ? configured : 300_000;
}
