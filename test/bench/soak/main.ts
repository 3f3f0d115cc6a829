// Works for hours as a user with much to do would, headless and in a window at the same time, and prints what grew.
import { endAll } from '../../e2e/support/window';
import { ensureBrowser } from '../../rig/browser';
import { cleanUp } from '../../rig/cleanup';
import { ensureRig, rigUnavailable } from '../../rig/install';
import { tableText, writeSections } from '../document';
import { machineFacts, machineLine } from '../machine';
import { formatNumber } from '../samples';
import { headlessLane } from './headless-lane';
import type { Growth } from './sample';
import { windowLane } from './window-lane';

export interface SoakOptions {
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly seed: number;
  /** Between two turns. */
  pause(): Promise<void>;
}

export interface Lane {
  /** How often what happened. */
  readonly events: Readonly<Record<string, number>>;
  readonly growth: Growth;
}

const lanes = { headless: headlessLane, window: windowLane };

/** `[--hours N] [--lanes headless,window] [--seed N] [--pause milliseconds] [--write]`; 1 where a lane broke. */
export async function main(args: readonly string[]): Promise<number> {
  const value = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const hours = Number(value('--hours') ?? 1);
  const names = value('--lanes')?.split(',') ?? Object.keys(lanes);
  const seed = Number(value('--seed') ?? Date.now() % 1_000_000);
  const milliseconds = Number(value('--pause') ?? 0);
  if (!(hours > 0) || names.some((name) => !Object.hasOwn(lanes, name))) {
    console.error(`Give --hours more than 0, and --lanes of: ${Object.keys(lanes).join(', ')}.`);
    return 2;
  }
  const reason = rigUnavailable();
  if (names.includes('window')) {
    if (reason) console.log(`Not in a window: ${reason}`);
    else {
      ensureRig();
      ensureBrowser();
    }
  }
  const conditions = `${machineLine(machineFacts())}; ${hours} h, seed ${seed}`;
  console.log(conditions);
  const options: SoakOptions = {
    until: Date.now() + hours * 3_600_000,
    seed,
    pause: () => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  };
  const chosen = Object.entries(lanes).filter(([name]) => names.includes(name) && !(name === 'window' && reason));
  const ended = await Promise.all(
    chosen.map(async ([name, run]) => {
      try {
        const text = laneText(name, await run(options));
        console.log(`\n${text}`);
        return text;
      } catch (error) {
        console.error(`${name} broke: ${error instanceof Error ? error.stack : String(error)}`);
        return undefined;
      }
    }),
  );
  await endAll();
  await cleanUp();
  const texts = ended.filter((text) => text !== undefined);
  if (args.includes('--write') && texts.length > 0)
    await writeSections({ soak: [`${conditions}.`, ...texts].join('\n\n') });
  return texts.length < chosen.length ? 1 : 0;
}

function laneText(name: string, { events, growth }: Lane): string {
  const counted = Object.entries(events).map(([event, count]) => `${count} ${event}`);
  const figures = [...growth.result()].map(([figure, { perThousand, highest }]) => [
    figure,
    formatNumber(perThousand),
    formatNumber(highest),
  ]);
  return `${name}: ${counted.join(', ')}.\n\n${tableText(['figure', 'growth per 1,000 turns', 'highest'], figures)}`;
}
