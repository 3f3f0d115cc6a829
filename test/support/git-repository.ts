// A real git repository in a folder that is removed again, with one commit of two files.
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export interface TestRepository {
  folder: string;
  git(...args: string[]): Promise<string>;
  write(name: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

/** Whoever runs the tests has settings of their own: none of them counts. */
export const gitEnvironment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'Ann'],
      [`GIT_${who}_EMAIL`, 'ann@example.com'],
    ]),
  ),
};

export async function gitIn(folder: string, ...args: string[]): Promise<string> {
  return (await execute('git', args, { cwd: folder, env: gitEnvironment })).stdout.trim();
}

export async function createTestRepository(): Promise<TestRepository> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-test-')));
  const git = (...args: string[]): Promise<string> => gitIn(folder, ...args);
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  };
  await git('init', '--quiet', '-b', 'main');
  await write('a.txt', 'one\n');
  await write('src/b.txt', 'two\n');
  await write('.gitignore', 'dist\n');
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'First');
  return { folder, git, write, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** A hook that git would run. */
export async function addGitHook({ folder }: TestRepository, name: string, script: string): Promise<void> {
  const file = path.join(folder, '.git/hooks', name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}
