// Keeps a browser from hosts that rules deny, whatever connects to them: neither its Fetch domain nor a route of the library sees the
// WebSockets of workers.
import { NoBrowser } from './no-browser';

/** What stands in a rule and is no host's name would become a switch of its own meaning. */
const hostPattern = /^[a-z0-9.*_:[\]-]+$/;

/** Windows takes 32,767 characters for all of a command line. */
const longestSwitch = 28_000;

/**
 * `hosts` as rules name them: `*.h` stands for any depth below h. The browser is told not to find them. A star elsewhere keeps it from
 * more hosts than the rule names, as it stands for several labels here. Throws NoBrowser where they are too many to be told.
 */
export function deniedHostSwitches(hosts: readonly string[]): string[] {
  const rules = named(hosts).flatMap((host) =>
    [host, `${host}.`].map((name) => `MAP ${name.replace(/^\[(.*)\]\.?$/, '$1')} ~NOTFOUND`),
  );
  if (rules.length === 0) return [];
  const words = `--host-resolver-rules=${[...new Set(rules)].join(',')}`;
  if (words.length > longestSwitch)
    throw new NoBrowser(`Rules deny ${hosts.length} hosts to pages, more than a browser can be started with.`);
  return [words];
}

/** A proxy would look them up itself: what the environment sends to one must not go there. */
export function withoutProxyFor(hosts: readonly string[], environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const denied = named(hosts);
  if (denied.length === 0) return environment;
  const known = environment['no_proxy'] ?? environment['NO_PROXY'];
  const all = [...(known === undefined || known === '' ? [] : [known]), ...denied].join(',');
  return { ...environment, no_proxy: all, NO_PROXY: all };
}

function named(hosts: readonly string[]): string[] {
  return hosts.filter((host) => hostPattern.test(host));
}
