// Pure core: an edit in 10 MB, its diff, a permission decision among 500 rules; long sessions, and the list of many.
import { diffTexts } from '../../src/core/edits/diff-hunks';
import { replaceText } from '../../src/core/edits/replace-text';
import { decide } from '../../src/core/permissions/decide';
import type { PermissionCall, PermissionContext } from '../../src/core/permissions/rules/verdict';
import type { PermissionRule } from '../../src/shared/permission';
import { measureFollowedSession } from './followed-session';
import { measureLargeSessions } from './large-session-opening';
import { measureHistory } from './history';
import { measureMarketplace } from './marketplace';
import { measureMcpTools } from './mcp-tools';
import { measureMentions } from './mentions';
import { measureNotebooks } from './notebooks';
import type { BenchOptions } from './main';
import type { Report } from './report';
import { sourceText } from './sources';

const area = 'core';

export async function measureCore(report: Report, options: BenchOptions): Promise<void> {
  const runs = options.quick ? 5 : 20;
  measureEdit(report, runs);
  measureDecide(report, runs);
  await measureLargeSessions(report, options);
  await measureFollowedSession(report, options);
  await measureHistory(report, runs);
  await measureMentions(report, runs);
  await measureMcpTools(report, runs);
  await measureMarketplace(report, runs);
  await measureNotebooks(report, area, runs);
}

function measureEdit(report: Report, runs: number): void {
  const part = sourceText(5, 2_000);
  const filler = part.repeat(Math.ceil(10_000_000 / part.length));
  const middle = filler.indexOf('\n', filler.length / 2) + 1;
  const text = `${filler.slice(0, middle)}const theOnlyPlace = true;\n${filler.slice(middle)}`;
  const replaced = replaceText(text, 'theOnlyPlace = true', 'theOnlyPlace = false', false);
  if (replaced.outcome !== 'replaced') throw new Error(`The edit came out as ${replaced.outcome}.`);
  // Flat strings, as a file that was read is: the result of an edit is a rope until somebody walks it.
  const after = Buffer.from(replaced.text).toString('utf8');
  const megabytes = (text.length / 1e6).toFixed(1);
  report.add(
    { area, name: `edit in ${megabytes} MB of text`, unit: 'ms' },
    timed(runs, () => replaceText(text, 'theOnlyPlace = true', 'theOnlyPlace = false', false)),
  );
  report.add(
    { area, name: 'its diff', unit: 'ms' },
    timed(runs, () => diffTexts(text, after)),
  );
}

function measureDecide(report: Report, runs: number): void {
  const behaviors = ['allow', 'deny', 'ask'] as const;
  const rules: PermissionRule[] = Array.from({ length: 500 }, (_, index) => ({
    behavior: behaviors[index % 3] ?? 'allow',
    value:
      index % 2 === 0
        ? { toolName: 'Bash', ruleContent: `tool${index} run task${index} *` }
        : { toolName: 'Edit', ruleContent: `/packages/p${index}/**/*.generated.ts` },
    source: 'projectSettings',
    root: '/w',
  }));
  const context: PermissionContext = {
    mode: 'default',
    rules,
    folders: ['/w'],
    ownFolders: [],
    cwd: '/w',
    home: '/home/ann',
    ignoreCase: false,
    trusted: true,
  };
  const command = 'cd src && npm run build --silent | head -50; FOO=1 timeout 5 node tool.js > /dev/null';
  const calls: Record<string, PermissionCall> = {
    'a compound command': {
      tool: 'Bash',
      access: 'DangerFullAccess',
      readOnly: false,
      targets: [{ kind: 'command', command, cwd: '/w' }],
    },
    'an edit': {
      tool: 'Edit',
      access: 'WorkspaceWrite',
      readOnly: false,
      targets: [{ kind: 'file', access: 'write', path: '/w/src/a.ts', realPath: '/w/src/a.ts' }],
    },
  };
  const repeats = 100;
  for (const [name, call] of Object.entries(calls)) {
    const perRun = timed(runs, () => {
      for (let index = 0; index < repeats; index++) decide(call, context);
    });
    report.add(
      { area, name: `decide() on ${name}, 500 rules`, unit: 'ms' },
      perRun.map((time) => time / repeats),
    );
  }
}

/** Milliseconds of each run, after three that warm up. */
function timed(runs: number, work: () => unknown): number[] {
  const times: number[] = [];
  for (let run = -3; run < runs; run++) {
    const started = performance.now();
    work();
    if (run >= 0) times.push(performance.now() - started);
  }
  return times;
}
