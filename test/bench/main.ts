// Runs the areas of the benchmark one after the other and prints what they found next to the targets.
// @ts-expect-error: the build script is plain JavaScript.
import { buildAll } from '../../esbuild.mjs';
import { cleanUp } from '../rig/cleanup';
import { measureCore } from './core';
import { areaSections, writeSections } from './document';
import { measureHeadless } from './headless';
import { machineFacts, machineLine } from './machine';
import { createReport, tableOf, writeJson, type Report } from './report';
import { measureSearch } from './search';
import { measureSizes } from './sizes';
import { measureVscode } from './vscode/measure';

export interface BenchOptions {
  /** Fewer runs and turns: shows that everything works, and roughly how fast it is. */
  readonly quick: boolean;
  /** The headless runner to measure. */
  readonly bundle: string;
  /** Parts of the VS Code area; undefined means all. */
  readonly parts: readonly string[] | undefined;
}

type Area = (report: Report, options: BenchOptions) => Promise<void>;

const areas: Readonly<Record<string, Area>> = {
  headless: measureHeadless,
  search: measureSearch,
  core: measureCore,
  sizes: measureSizes,
  vscode: measureVscode,
};
const jsonFile = 'out/bench.json';

/** Resolves with the exit code: 1 where an area broke, never because of a figure. */
export async function main(args: readonly string[]): Promise<number> {
  const value = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const names = value('--only')?.split(',') ?? Object.keys(areas);
  const unknown = names.filter((name) => !Object.hasOwn(areas, name));
  if (unknown.length > 0) {
    console.error(`There is no area ${unknown.join(', ')}. There are: ${Object.keys(areas).join(', ')}.`);
    return 1;
  }
  const bundle = value('--bundle');
  if (bundle === undefined) await (buildAll as () => Promise<void>)();
  const options: BenchOptions = {
    quick: args.includes('--quick'),
    bundle: bundle ?? 'dist/headless.js',
    parts: value('--parts')?.split(','),
  };
  const before = machineFacts();
  console.log(machineLine(before));
  const report = createReport((line) => console.log(line));
  let broken = 0;
  try {
    for (const name of names) {
      console.log(`${name} (load ${machineFacts().load[0]})`);
      try {
        await areas[name]?.(report, options);
      } catch (error) {
        broken++;
        console.error(`  broke off: ${error instanceof Error ? error.stack : String(error)}`);
        report.skip(
          name,
          'the rest of this area',
          error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error),
        );
      }
    }
  } finally {
    await cleanUp();
  }
  const after = machineFacts();
  writeJson(jsonFile, report, { before, after });
  if (args.includes('--write')) await writeSections(areaSections(report, before));
  console.log(`\n${tableOf(report)}\n\n${machineLine(after)}\nMedians; also in ${jsonFile}.`);
  return broken > 0 ? 1 : 0;
}
