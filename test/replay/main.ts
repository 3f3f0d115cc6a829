// `npm run replay`: plays the tasks, prints their figures next to those that are kept, and with --accept keeps the new ones.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { documentFile, replayDocument, table } from './report';
import { figuresOf } from './measure';
import { coreTasks, growth, keepFigures, keptFigures, play, tasks } from './suite';

export async function main(args: readonly string[]): Promise<number> {
  const { values: options } = parseArgs({
    args: [...args],
    options: { accept: { type: 'boolean', default: false }, filter: { type: 'string', default: '' } },
  });
  const chosen = tasks.filter(({ name }) => name.includes(options.filter));
  if (options.accept && chosen.length < tasks.length) {
    console.error('--accept keeps the figures of all tasks: leave out --filter.');
    return 1;
  }
  const played = await play(chosen);
  const figures = figuresOf(played);
  if (options.accept) {
    keepFigures({ all: figures, core: figuresOf(played.filter(({ task }) => coreTasks.includes(task))) });
    writeFileSync(documentFile, `${replayDocument(figures).trimEnd()}\n`);
    console.log(`${documentFile} and the figures are renewed: ${figures.bytes} bytes in ${figures.requests} requests.`);
    return 0;
  }
  const before = keptFigures().all;
  const rows = Object.entries(figures.tasks).map(([name, { requests, failed, bytes }]) => {
    const kept = before.tasks[name]?.bytes;
    return [name, requests, failed, bytes, kept === undefined ? 'new' : `${(100 * (bytes / kept - 1)).toFixed(1)} %`];
  });
  console.log(table(['task', 'requests', 'failed', 'bytes', 'to the kept figures'], rows));
  for (const [cause, count] of Object.entries(figures.failures)) console.log(`${count} x ${cause}`);
  console.log(`\n${figures.bytes} bytes in ${figures.requests} requests; the prefix has ${figures.prefix} bytes.`);
  const more = chosen.length === tasks.length ? growth(before, figures) : undefined;
  if (more === undefined) return 0;
  console.error(`\n${more}`);
  return 1;
}
