// The `sandbox` object of settings files: what is understood of it, and a sentence for what is not.
import { defined } from '../../shared/defined';
import { z } from 'zod/v3';

export interface SandboxSettings {
  enabled: boolean;
  /** Where there is no sandbox, Deft does not start. */
  required: boolean;
  /** Commands inside run unasked where only their name is unknown. */
  autoAllow: boolean;
  /** The model may ask to run a command outside. */
  allowsUnsandboxed: boolean;
  /** `docker`, `npm run watch:*`: run outside, by the ordinary rules. */
  excludedCommands: string[];
  filesystem: { allowWrite: string[]; denyWrite: string[]; denyRead: string[]; allowRead: string[] };
  network: {
    allowedDomains: string[];
    deniedDomains: string[];
    allowUnixSockets: string[];
    allowAllUnixSockets: boolean;
    allowLocalBinding: boolean;
    /** Rules of other files name no host that may be reached. */
    managedOnly: boolean;
  };
  credentials?: Record<string, unknown>;
  weakerNested: boolean;
  /** What could not be read, as sentences. A sandbox that is not as it was meant counts as not available. */
  problems: string[];
}

const texts = z.array(z.string().min(1));

/** Each key by itself, so that one that is wrong does not hide the others. */
export function sandboxSettings(value: unknown): SandboxSettings {
  const problems: string[] = [];
  const given = objectOf(value, 'sandbox');

  function objectOf(candidate: unknown, name: string): Record<string, unknown> {
    return read(candidate, name, z.record(z.unknown()), 'an object') ?? {};
  }
  function read<Value>(
    candidate: unknown,
    name: string,
    schema: z.ZodType<Value>,
    expected: string,
  ): Value | undefined {
    if (candidate === undefined) return undefined;
    const parsed = schema.safeParse(candidate);
    if (parsed.success) return parsed.data;
    problems.push(`\`${name}\` must be ${expected}.`);
    return undefined;
  }
  const flag = (from: Record<string, unknown>, key: string, otherwise: boolean, name = key): boolean =>
    read(from[key], `sandbox.${name}`, z.boolean(), 'true or false') ?? otherwise;
  const list = (from: Record<string, unknown>, key: string, name = key): string[] =>
    read(from[key], `sandbox.${name}`, texts, 'a list of non-empty strings') ?? [];

  const filesystem = objectOf(given['filesystem'], 'sandbox.filesystem');
  const network = objectOf(given['network'], 'sandbox.network');
  const credentials =
    given['credentials'] === undefined ? undefined : objectOf(given['credentials'], 'sandbox.credentials');
  return {
    enabled: flag(given, 'enabled', false),
    // A mistake in it must not let commands out.
    required: flag(given, 'failIfUnavailable', given['failIfUnavailable'] !== undefined),
    autoAllow: flag(given, 'autoAllowBashIfSandboxed', true),
    allowsUnsandboxed: flag(given, 'allowUnsandboxedCommands', true),
    excludedCommands: list(given, 'excludedCommands'),
    filesystem: {
      allowWrite: list(filesystem, 'allowWrite', 'filesystem.allowWrite'),
      denyWrite: list(filesystem, 'denyWrite', 'filesystem.denyWrite'),
      denyRead: list(filesystem, 'denyRead', 'filesystem.denyRead'),
      allowRead: list(filesystem, 'allowRead', 'filesystem.allowRead'),
    },
    network: {
      allowedDomains: list(network, 'allowedDomains', 'network.allowedDomains'),
      deniedDomains: list(network, 'deniedDomains', 'network.deniedDomains'),
      allowUnixSockets: list(network, 'allowUnixSockets', 'network.allowUnixSockets'),
      allowAllUnixSockets: flag(network, 'allowAllUnixSockets', false, 'network.allowAllUnixSockets'),
      allowLocalBinding: flag(network, 'allowLocalBinding', false, 'network.allowLocalBinding'),
      managedOnly: flag(
        network,
        'allowManagedDomainsOnly',
        network['allowManagedDomainsOnly'] !== undefined,
        'network.allowManagedDomainsOnly',
      ),
    },
    ...defined({ credentials }),
    weakerNested: flag(given, 'enableWeakerNestedSandbox', false),
    problems,
  };
}
