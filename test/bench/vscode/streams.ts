// An answer of 100 KB that streams in: delta to paint, how long it takes to be shown whole, long tasks, bytes.
import { openBenchWindow } from './open';
import { reply, text, type Gate } from '../../support/messages-api/script';
import type { BenchOptions } from '../main';
import type { Report } from '../report';
import { median } from '../samples';
import { painted, readProbe, sinceEpoch, startProbe } from './webview-probe';

const area = 'VS Code';
const characters = 100_000;

export async function measureStreams(report: Report, { quick }: BenchOptions): Promise<void> {
  // As fast as the server can, and as fast as a quick model.
  for (const [pace, interDeltaMs] of [
    ['at once', 0],
    ['paced', 5],
  ] as const) {
    const runs = quick ? 1 : interDeltaMs === 0 ? 3 : 2;
    const shown: number[] = [];
    const paints: number[] = [];
    const tasks: number[] = [];
    const bytes: number[] = [];
    for (let run = 0; run < runs; run++) {
      const streamed = await streamOnce(interDeltaMs);
      shown.push(streamed.shown);
      paints.push(...streamed.paints);
      tasks.push(...streamed.longTasks);
      bytes.push(streamed.bytes / 1e6);
    }
    const name = `100 KB ${pace}`;
    report.add(
      {
        area,
        name: `${name}: shown whole after the last delta`,
        unit: 'ms',
        target: interDeltaMs === 0 ? 300 : 500,
        peer: '4.5 s',
      },
      shown,
    );
    report.add({ area, name: `${name}: delta to paint`, unit: 'ms' }, paints);
    report.add({ area, name: `${name}: posted to the webview`, unit: 'MB', target: 0.2, peer: '0.48 MB' }, bytes);
    const note =
      tasks.length === 0
        ? 'no long task'
        : `${tasks.length} long tasks in ${runs} runs, median ${median(tasks).toFixed(0)} ms`;
    report.add({ area, name: `${name}: longest task of the webview over 50 ms`, unit: 'ms', target: 50, note }, [
      Math.max(0, ...tasks),
    ]);
  }
}

interface Streamed {
  readonly shown: number;
  readonly paints: readonly number[];
  readonly longTasks: readonly number[];
  readonly bytes: number;
}

async function streamOnce(interDeltaMs: number): Promise<Streamed> {
  const sent: Record<string, number> = {};
  const deft = await openBenchWindow(
    (_request, index) =>
      index === 0 ? reply('Ready.') : reply(text(...answerParts((marker) => (sent[marker] ??= performance.now())))),
    { api: { interDeltaMs } },
  );
  try {
    await deft.send('Are you there?');
    await deft.idle();
    await startProbe(deft.chat());
    await deft.send('Write 100 KB.');
    await painted(deft.chat(), marker('end'), 300_000);
    const { painted: seen, longTasks, bytes } = await readProbe(deft.chat());
    const delays = Object.entries(sent).map(([marker, at]) => (seen[marker] ?? Number.NaN) - sinceEpoch(at));
    // A marker that was never seen in the tail came and went between two paints.
    return {
      shown: delays.at(-1) ?? Number.NaN,
      paints: delays.filter((delay) => !Number.isNaN(delay)),
      longTasks,
      bytes,
    };
  } finally {
    await deft.close();
  }
}

/** Markdown of all kinds with a marker in every section; `sent` is called when a marker has gone out. */
function answerParts(sent: (marker: string) => void): (string | Gate)[] {
  const parts: (string | Gate)[] = [];
  let length = 0;
  for (let section = 0; length < characters; section++) {
    const body = sectionText(section);
    parts.push(
      body,
      `${marker(section)}`,
      whenSent(() => sent(marker(section))),
      '\n\n',
    );
    length += body.length + 8;
  }
  parts.push(
    marker('end'),
    whenSent(() => sent(marker('end'))),
  );
  return parts;
}

function marker(name: number | string): string {
  return `⟦${name}⟧`;
}

function sectionText(section: number): string {
  const sentence = `The step ${section} reads \`src/part${section}.ts\`, keeps **what it found** and goes on to the *next* one. `;
  const code = Array.from(
    { length: 12 },
    (_, line) => `  const value${line} = compute(${section}, ${line}); // as before`,
  ).join('\n');
  const list = Array.from(
    { length: 6 },
    (_, item) => `- point ${item} with [a link](https://example.com/${section}) and \`code\``,
  ).join('\n');
  return `## Section ${section}\n\n${sentence.repeat(4)}\n\n\`\`\`ts\nfunction step${section}() {\n${code}\n}\n\`\`\`\n\n${list}\n\n${sentence}`;
}

/** A gate that does not hold the stream: the server asks it when everything before it has gone to the socket. */
function whenSent(note: () => void): Gate {
  const lazy = {
    then(resolve: (value: undefined) => void): Promise<void> {
      note();
      resolve(undefined);
      return Promise.resolve();
    },
  };
  return { kind: 'gate', until: lazy as unknown as Promise<void> };
}
