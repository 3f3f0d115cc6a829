// All tasks, played two at a time; the figures that are kept, and what costs more than it did.
import { readFileSync, writeFileSync } from 'node:fs';
import { type Task, withList } from './intents';
import { type Figures } from './measure';
import { playTask, type PlayedTask } from './play-task';
import { clientTasks } from './tasks/client';
import { cacheTasks } from './tasks/cache';
import { cartTasks } from './tasks/cart';
import { csvTasks } from './tasks/csv';
import { deployTasks } from './tasks/deploy';
import { handbookTasks } from './tasks/handbook';
import { ledgerTasks } from './tasks/ledger';
import { optionsTasks } from './tasks/options';
import { queueTasks } from './tasks/queue';

export const figuresFile = 'test/replay/figures.json';
/** More than this on the whole is told. */
export const allowedGrowth = 0.02;

/** Longer work, for which a model keeps a list. */
const listed: Readonly<Record<string, readonly string[]>> = {
  'queue/rename-waiting-list': [
    'Find all uses of the name',
    'Read what uses it',
    'Rename the class and its file',
    'Check types and run the tests',
  ],
  'ledger/json-report': [
    'Find the report command',
    'Read command, report, tests and README',
    'Add --format json with a test and a line in the README',
    'Run the tests',
  ],
};

const written: readonly Task[] = [
  ...queueTasks,
  ...clientTasks,
  ...optionsTasks,
  ...ledgerTasks,
  ...cacheTasks,
  ...csvTasks,
  ...deployTasks,
  ...handbookTasks,
  ...cartTasks,
];

export const tasks: readonly Task[] = written.flatMap((task) => {
  const subjects = listed[task.name];
  return subjects === undefined ? [task] : [task, withList(task, subjects)];
});

/** The first two of each repository: what `npm test` has the time for. */
export const coreTasks: readonly Task[] = tasks.filter(
  ({ repository }, index) => index - tasks.findIndex((other) => other.repository === repository) < 2,
);

export async function play(chosen: readonly Task[]): Promise<PlayedTask[]> {
  const played: PlayedTask[] = [];
  const waiting = chosen.map((task, index) => ({ task, index }));
  const player = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      played[next.index] = await playTask(next.task);
  };
  await Promise.all([player(), player()]);
  return played;
}

export interface KeptFigures {
  all: Figures;
  core: Figures;
}

export function keptFigures(): KeptFigures {
  return JSON.parse(readFileSync(figuresFile, 'utf8')) as KeptFigures;
}

export function keepFigures(figures: KeptFigures): void {
  writeFileSync(figuresFile, `${JSON.stringify(figures, undefined, 1)}\n`);
}

/** Says by how much the suite costs more and which parts of the requests grew most; undefined within what is allowed. */
export function growth(before: Figures, now: Figures): string | undefined {
  if (now.bytes <= before.bytes * (1 + allowedGrowth)) return undefined;
  const parts = [...new Set([...Object.keys(before.sent), ...Object.keys(now.sent)])]
    .map((part) => ({ part, more: (now.sent[part] ?? 0) - (before.sent[part] ?? 0) }))
    .filter(({ more }) => more > 0)
    .sort((a, b) => b.more - a.more)
    .slice(0, 3);
  const share = (bytes: number): string => `${((100 * bytes) / before.bytes).toFixed(1)} %`;
  return [
    `The requests of the replayed tasks have ${share(now.bytes - before.bytes)} more bytes than ${figuresFile} has (${before.bytes} before, ${now.bytes} now; requests: ${before.requests}, ${now.requests}).`,
    `Most of it: ${parts.map(({ part, more }) => `${part} +${share(more)}`).join(', ')}.`,
    'If that is worth it, keep the new figures: npm run replay -- --accept',
  ].join('\n');
}
