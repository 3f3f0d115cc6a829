// Plays one task through the built headless runner, in a repository of its own, and compares the files that it leaves with those it should.
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createHeadlessPlace, type HeadlessPlace } from '../support/headless-run';
import { gitEnvironment } from '../support/git-repository';
import { startMessagesApi } from '../support/messages-api/server';
import { type JsonObject } from '../support/messages-api/violation';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readRepository, type Files } from './archive';
import { type Intent, type SenseIntent, type Task } from './intents';
import { playerOf } from './player';

const execute = promisify(execFile);
const date = '2026-03-02T09:00:00Z';

export interface PlayedTask {
  readonly task: Task;
  /** Bodies, in order, without what differs between machines and days. */
  readonly requests: readonly JsonObject[];
}

/** Throws where the run fails, the API would refuse a request, or the files are not those of the task. */
export async function playTask(task: Task): Promise<PlayedTask> {
  const place = await createHeadlessPlace();
  const files = readRepository(task.repository);
  const api = await startMessagesApi(playerOf(task, place.workspace));
  try {
    await commitFiles(place.workspace, files);
    if (task.settings !== undefined) {
      await mkdir(path.join(place.home, '.claude'));
      await writeFile(path.join(place.home, '.claude/settings.json'), JSON.stringify(task.settings));
    }
    const programs = await recordPrograms(task, path.join(path.dirname(place.home), 'bin'));
    // As at the vendor's own address, which takes deferred tools.
    const end = await place.run(['-p', task.prompt, '--permission-mode', 'bypassPermissions'], {
      url: api.url,
      env: { PATH: `${programs}${path.delimiter}${process.env['PATH'] ?? ''}`, CI: 'true', ENABLE_TOOL_SEARCH: 'true' },
    });
    if (end.code !== 0) throw new Error(`${task.name} ended with ${end.code}: ${end.stderr}`);
    if (api.violations.length > 0) throw new Error(`${task.name}: ${JSON.stringify(api.violations[0])}`);
    const wrong = await wrongFiles(place.workspace, expectedFiles(task, files));
    if (wrong.length > 0) throw new Error(`${task.name} left other files than it should: ${wrong.join(', ')}`);
    return { task, requests: api.requests.map(({ body }) => withoutMachine(body, place)) };
  } finally {
    await api.close();
    await place.remove();
  }
}

/** The files after the task's changes, told from the script alone. */
export function expectedFiles(task: Task, files: Files): Files {
  const now = new Map(Object.entries(files));
  for (const intent of task.steps.flat()) {
    if (intent.kind === 'write') now.set(intent.path, intent.text);
    if (intent.kind !== 'edit') continue;
    const before = now.get(intent.path);
    const found = before?.split(intent.old).length ?? 0;
    const fits = intent.everywhere ? found >= 2 : found === 2;
    if (before === undefined || fits === intent.slip)
      throw new Error(`${task.name}: an edit of ${intent.path} finds ${found - 1} places: ${intent.old}`);
    if (!intent.slip) now.set(intent.path, before.split(intent.old).join(intent.text));
  }
  return Object.fromEntries(now);
}

async function wrongFiles(folder: string, expected: Files): Promise<string[]> {
  const found = (await readdir(folder, { recursive: true, withFileTypes: true })).flatMap((entry) => {
    const file = path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/');
    return entry.isFile() && !file.startsWith('.git/') ? [file] : [];
  });
  const names = [...new Set([...found, ...Object.keys(expected)])].sort();
  const same = await Promise.all(
    names.map(
      async (name) => (await readFile(path.join(folder, name), 'utf8').catch(() => undefined)) === expected[name],
    ),
  );
  return names.filter((_, index) => same[index] !== true);
}

/** One commit at a fixed time; files a second apart, so that what sorts by time has one order. */
async function commitFiles(folder: string, files: Files): Promise<void> {
  for (const [index, [name, text]] of Object.entries(files).entries()) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text, { mode: name.endsWith('.sh') ? 0o755 : 0o644 });
    const time = new Date(Date.parse(date) + index * 1_000);
    await utimes(file, time, time);
  }
  const env = { ...gitEnvironment, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  for (const args of [
    ['init', '--quiet', '-b', 'main'],
    ['add', '.'],
    ['commit', '--quiet', '-m', 'Begin'],
  ])
    await execute('git', args, { cwd: folder, env });
}

/** Programs that print what they printed when the task was recorded, one output after the other. Returns their folder. */
async function recordPrograms(task: Task, folder: string): Promise<string> {
  await mkdir(folder);
  const counts = new Map<string, number>();
  for (const { program, output, code } of task.steps.flat().flatMap(recordedRuns)) {
    const count = (counts.get(program) ?? 0) + 1;
    counts.set(program, count);
    const file = path.join(folder, program);
    await writeFile(`${file}.${count}.out`, output);
    await writeFile(`${file}.${count}.code`, String(code));
    await writeFile(
      file,
      '#!/bin/sh\nn=$(($(cat "$0.n" 2>/dev/null || echo 0) + 1))\necho "$n" > "$0.n"\ncat "$0.$n.out"\nexit "$(cat "$0.$n.code")"\n',
      { mode: 0o755 },
    );
  }
  return folder;
}

function recordedRuns(intent: Intent): SenseIntent['programs'] {
  if (intent.kind === 'sense') return intent.programs;
  if (intent.kind !== 'run' || intent.recorded === undefined) return [];
  const program = /^(?:[A-Z_]+=\S+ )*(\S+)/.exec(intent.command)?.[1] ?? '';
  return [{ program, ...intent.recorded }];
}

function withoutMachine(body: JsonObject, { workspace, home }: HeadlessPlace): JsonObject {
  const text = JSON.stringify(body)
    .replaceAll(workspace, '/replay/work')
    .replaceAll(path.dirname(home), '/replay')
    .replaceAll(workspace.replaceAll(/[^A-Za-z0-9]/g, '-'), '-replay-work')
    .replace(/Platform: [^\\]*/, 'Platform: linux; shell: bash')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '00000000-0000-4000-8000-000000000000')
    .replace(/Date: \d{4}-\d\d-\d\d/, 'Date: 2026-03-02');
  return JSON.parse(text) as JsonObject;
}
