// The limits of commands and fetched pages that a user sets by variables of the environment, or under `env` in settings files.

export interface CommandLimits {
  /** Where a call names no timeout. */
  defaultTimeoutMs?: number;
  /** The longest timeout that a call may name. */
  maxTimeoutMs?: number;
  /** Longer output is kept in a file, and the model gets its beginning. */
  maxOutputLength?: number;
  /** False: the prompt leaves out how to work with git. */
  gitInstructions?: boolean;
  /** How long WebFetch answers from a page that it has; 0 for never. */
  webCacheMs?: number;
  /** Commands run in the sandbox; the model may ask to leave it, or not. */
  sandbox?: { allowsUnsandboxed: boolean };
  /** Nothing may run in the background: commands are killed at their timeout. */
  withoutBackground?: boolean;
}

/** More would not fit into a conversation. */
const longestOutput = 150_000;

const variables = {
  defaultTimeoutMs: 'BASH_DEFAULT_TIMEOUT_MS',
  maxTimeoutMs: 'BASH_MAX_TIMEOUT_MS',
  maxOutputLength: 'BASH_MAX_OUTPUT_LENGTH',
  webCacheMs: 'DEFT_WEB_FETCH_CACHE_MS',
} as const;

/** Later layers win. What is not a whole number from 1 is left out and named in `problems`, as a sentence each. */
export function commandLimits(...layers: Readonly<Record<string, string | undefined>>[]): {
  limits: CommandLimits;
  problems: string[];
} {
  const limits: CommandLimits = {};
  const problems: string[] = [];
  for (const [limit, variable] of Object.entries(variables) as [keyof typeof variables, string][]) {
    const text = layers.findLast((layer) => (layer[variable]?.trim() ?? '') !== '')?.[variable]?.trim();
    if (text === undefined) continue;
    const least = limit === 'webCacheMs' ? 0 : 1;
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) limits[limit] = Number(text);
    else problems.push(`${variable} takes a whole number from ${least}, not ${JSON.stringify(text)}.`);
  }
  if (limits.maxOutputLength !== undefined) limits.maxOutputLength = Math.min(limits.maxOutputLength, longestOutput);
  return { limits, problems };
}
