// Locks of an organization that Deft cannot hold: a managed file that sets one keeps Deft from starting.
import { type RuleSource } from '../../shared/permission';

/** Named in a managed file: the organization lets Deft start although it cannot hold these locks. */
export const acceptedLocksKey = 'acceptUnsupportedLocks';

export interface StartStop {
  key: string;
  file: string;
  /** 1-based. */
  line: number;
  /** A sentence. */
  why: string;
  /** Whoever signs in to a cloud is not concerned. */
  exceptClouds: boolean;
}

interface StopKey {
  why: string;
  /** Left out: whatever the value is. Otherwise whether this one locks anything. */
  locks?: (value: unknown) => boolean;
  exceptClouds?: true;
}

const isVersion = (value: unknown): boolean => typeof value === 'string' && /^v?\d+(?:\.\d+){0,2}/.test(value.trim());
const versions = 'It names versions of another program, so Deft cannot tell whether this version is allowed.';
const account = 'Deft signs in with keys and cannot check which organization or account one belongs to.';

const table: Readonly<Record<string, StopKey>> = {
  // The format leaves these two out where they are no versions, so that a spelling mistake stops nobody.
  requiredMinimumVersion: { why: versions, locks: isVersion },
  requiredMaximumVersion: { why: versions, locks: isVersion },
  forceLoginMethod: { why: account, exceptClouds: true },
  forceLoginOrgUUID: { why: account, exceptClouds: true },
  forceLoginGatewayUrl: { why: 'Deft cannot sign in to this gateway.', exceptClouds: true },
  forceRemoteSettingsRefresh: {
    why: 'Deft does not fetch settings from a server, so it cannot know the current ones.',
    locks: (value) => value !== false,
  },
  policyHelper: { why: 'Deft does not run the program that computes your settings, so it cannot know them.' },
  allowedProviders: { why: 'Deft cannot limit itself to these providers.' },
  deniedModels: {
    why: 'Deft cannot block single models. `availableModels` lists those that may be used.',
    locks: (value) => !(Array.isArray(value) && value.length === 0),
  },
};

export const stopKeys: readonly string[] = Object.keys(table);

export function isStopKey(key: string): boolean {
  return Object.hasOwn(table, key);
}

/** Undefined where the value locks nothing, or where the file is no organization's. */
export function startStop(
  key: string,
  value: unknown,
  { source, file, line }: { source: RuleSource; file: string; line: number },
): StartStop | undefined {
  const found = table[key];
  if (source !== 'managedSettings' || found === undefined || found.locks?.(value) === false) return undefined;
  return { key, file, line, why: found.why, exceptClouds: found.exceptClouds === true };
}

/** Why Deft does not start, one sentence a lock; undefined where it may. */
export function stopSentence(stops: readonly StartStop[], signsInToCloud: boolean): string | undefined {
  const holding = stops.filter(({ exceptClouds }) => !(exceptClouds && signsInToCloud));
  if (holding.length === 0) return undefined;
  const reasons = holding.map(({ key, file, line, why }) => `\`${key}\` in ${file}, line ${line}: ${why}`);
  return `Your organization's settings do not let Deft start. ${reasons.join(' ')} An administrator can remove the key, or name it in \`${acceptedLocksKey}\` in a managed file to let Deft start without it.`;
}
