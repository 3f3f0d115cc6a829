// What this host and these settings offer, for tools that need more than every host has.
import { defined } from '../../shared/defined';
import { type Ports } from '../ports/ports';
import { type Availability } from './tool';

export interface AvailabilityOptions {
  interactive: boolean;
  /** As Node names it: "linux", "darwin", "win32". */
  platform: string;
  /** Tools that a setting or an allow-list names; default: none. */
  names?: (tool: string) => boolean;
  tracks?: Availability['tracks'];
  teams?: Availability['teams'];
  startsInPlan?: Availability['startsInPlan'];
  runsCommands?: Availability['runsCommands'];
}

export function availabilityOf(
  ports: Partial<Ports>,
  { interactive, platform, names = () => false, tracks, teams, startsInPlan, runsCommands }: AvailabilityOptions,
): Availability {
  const shells = ports.terminal?.shells?.();
  return {
    has: (port) => ports[port] !== undefined,
    interactive,
    platform,
    names,
    provider: ports.model?.provider,
    ...defined({ shells, tracks, teams, startsInPlan, runsCommands }),
  };
}
