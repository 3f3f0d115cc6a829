// The figures as docs/replay.md shows them, and as the console does.
import { type Figures } from './measure';
import { bySense } from './intents';
import { allowedGrowth, tasks } from './suite';

export const documentFile = 'docs/replay.md';

const introduction = `# Replayed tasks

\`npm run replay\` plays ${tasks.length} recorded tasks (bug fixes and features in small repositories, written in TypeScript, JavaScript,
Python, Go, Rust, shell, Markdown and configuration files) through the built headless runner and counts what the model
would have been sent. The model is a script: it says what it wants ("find this text", "edit this text to that"), and the
suite turns that into calls of the tools that are offered. It goes back for an edit that fails. After each task, the
files are compared with those that the task should leave.

The suite measures the tools, not a model: how few bytes and requests the same work needs. Test runners and compilers
that not every machine has print what is recorded; everything else runs for real. \`npm run replay\` fails if the requests
have in sum over ${100 * allowedGrowth} % more bytes than the figures below, and names the tools that caused it. \`npm test\` does the same with
the first two tasks of each repository. \`npm run replay -- --accept\` renews this page.

Bytes are those of the requests' JSON. Deferred definitions are among them, though the model reads none before a search
has loaded it; the prefix is counted without them. A result is sent again with every later request, so the second table counts it as
often as it was sent, and the third once.

Claude Code plays no scripts of this kind. It was measured beside Deft once, on three real tasks by hand (a feature in nine
files and two bug fixes with tests), before the changes that this suite led to:

| task | bytes sent, Claude Code | bytes sent, Deft | turns, Claude Code | turns, Deft | failed calls, Deft |
| --- | --: | --: | --: | --: | --: |
| feature in nine files | 727,000 | 1,060,000 | 5 | 7 | 3 |
| first bug fix | 472,000 | 517,000 | 5 | 6 | 1 |
| second bug fix | 336,000 | 558,000 | 4 | 6 | 2 |

Its prefix had 50,000 bytes then and that of Deft 27,000; none of its calls failed.
`;

export function replayDocument(figures: Figures): string {
  return [
    introduction,
    summary(figures),
    sent(figures),
    tools(figures),
    failures(figures),
    senses(figures),
    perTask(figures),
  ].join('\n');
}

function summary({ prefix, requests, bytes, tools: byTool }: Figures): string {
  const all = Object.values(byTool);
  return table(
    ['tasks', 'requests', 'calls', 'failed', 'bytes sent', 'bytes of a request', 'prefix'],
    [
      [
        tasks.length,
        requests,
        all.reduce((sum, { calls }) => sum + calls, 0),
        all.reduce((sum, { failed }) => sum + failed, 0),
        bytes,
        Math.round(bytes / requests),
        prefix,
      ],
    ],
  );
}

function sent({ sent: parts, bytes }: Figures): string {
  const rows = Object.entries(groupDefinitions(parts))
    .sort(([, a], [, b]) => b - a)
    .map(([part, count]) => [part, count, `${((100 * count) / bytes).toFixed(1)} %`]);
  return `## What is sent\n\n${table(['part', 'bytes', 'share'], rows)}`;
}

function tools({ tools: byTool }: Figures): string {
  const rows = Object.entries(byTool)
    .sort(([, a], [, b]) => b.bytes - a.bytes)
    .map(([tool, { calls, failed, bytes }]) => [tool, calls, failed, bytes, Math.round(bytes / calls)]);
  return `## Results\n\n${table(['tool', 'calls', 'failed', 'bytes', 'bytes of a result'], rows)}`;
}

function failures({ failures: causes }: Figures): string {
  const rows = Object.entries(causes)
    .sort(([, a], [, b]) => b - a)
    .map(([cause, count]) => [cause.replaceAll('|', '\\|'), count]);
  return `## Failed calls\n\nA command whose tests fail counts too: the tasks were recorded that way.\n\n${table(['cause', 'calls'], rows)}`;
}

const aboutSenses = `## Senses

The same work with and without a sense of the agent's own. The definition of the tool, which a search loads first, is in the bytes
sent. Of the tools that need an editor, which no headless run has, tests in VS Code hold the figures:

| sense | with it | without it | held by |
| --- | --- | --- | --- |
| Refactor | 56 renames of a symbol: one call each; a name in fifty files: at most 2 % of the bytes | an Edit for each line, after a Read of each file: 101 calls for the fifty files | \`test/integration/refactor.test.ts\`, which prints the bytes of both |
| Debug | ten faults: at most 4 calls of at most 2,048 bytes each | prints that are added, run and removed again | \`test/integration/debugger.test.ts\`, which prints the bytes of each call |
| RunTask | one call: exit code and what the problem matcher finds, at most 5 % of the bytes that a build of 300 files prints | the same command with Bash: its whole output, and no problem matcher | \`test/integration/tasks.test.ts\` |
| RunCells | one call: the outputs of the cells, a traceback of 2,000 frames in at most 25 % of its bytes | not possible: no other tool has the kernel's variables | \`test/integration/run-cells.test.ts\` |
| Page | twenty faults: at most 6 calls of at most 3,300 bytes each | not possible: no other tool runs a page's scripts | \`test/unit/headless/page.test.ts\`, in a headless run with a real browser |
`;

function senses({ tasks: byTask }: Figures): string {
  const rows = Object.entries(byTask).flatMap(([name, now]) => {
    const plain = byTask[name.slice(0, -bySense.length)];
    if (!name.endsWith(bySense) || plain === undefined) return [];
    return [['without', plain] as const, ['with', now] as const].map(([how, { requests, calls, read, bytes }]) => [
      name.slice(0, -bySense.length),
      how,
      requests,
      calls,
      read,
      bytes,
    ]);
  });
  return `${aboutSenses}\n${table(['task', 'sense', 'requests', 'calls', 'bytes of results', 'bytes sent'], rows)}`;
}

function perTask({ tasks: byTask }: Figures): string {
  const rows = Object.entries(byTask).map(([name, { requests, calls, failed, bytes, largest }]) => [
    name,
    requests,
    calls,
    failed,
    bytes,
    largest,
  ]);
  return `## Tasks\n\n${table(['task', 'requests', 'calls', 'failed', 'bytes sent', 'largest request'], rows)}`;
}

/** One line for all definitions: each tool's is a line of the figures. */
function groupDefinitions(parts: Readonly<Record<string, number>>): Record<string, number> {
  const grouped: Record<string, number> = {};
  for (const [part, bytes] of Object.entries(parts)) {
    const name = part.replace(/^(deferred )?definition of .*/, '$1definitions of tools');
    grouped[name] = (grouped[name] ?? 0) + bytes;
  }
  return grouped;
}

export function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const first = rows[0] ?? [];
  const marks = heads.map((_, column) => (typeof first[column] === 'number' ? '--:' : '---'));
  return `${[line(heads), line(marks), ...rows.map((row) => line(row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell))))].join('\n')}\n`;
}
