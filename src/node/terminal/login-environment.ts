// Asks the user's login shell once for its environment, so that commands find what nvm, Homebrew and asdf put on the PATH.
import { spawn } from 'node:child_process';
import { userInfo } from 'node:os';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { messageOf } from '../../core/text/errors';
import { cleanEnvironment } from './command-environment';
import { type ShellNames } from '../../core/permissions/bash/shell-names';
import { send } from './process-tree';
import { namesScript, readNames } from './shell-definitions';

/** A start-up file that takes longer, or waits for something, does not hold up commands for ever. */
const LOGIN_LIMIT_MS = 5000;
const KNOWN_SHELLS = new Set(['bash', 'zsh', 'fish']);
/** What describes the asking shell itself rather than the user's settings. */
const OWN = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD', 'TERM', 'COLUMNS', 'LINES']);

export type LoginEnvironment =
  | {
      outcome: 'asked';
      environment: NodeJS.ProcessEnv;
      /** Aliases and functions of its start-up files. */ names: ShellNames;
    }
  /** The sentence says why the shell's answer is not used. */
  | { outcome: 'failed'; message: string };

/** Without credentials. `environment` is what the shell starts with; the shell is `$SHELL`, else the account's own. */
export async function loginEnvironment(
  environment: NodeJS.ProcessEnv,
  limitMs = LOGIN_LIMIT_MS,
): Promise<LoginEnvironment> {
  const base = cleanEnvironment(environment);
  const shell = base['SHELL'] || accountShell();
  if (!shell || !KNOWN_SHELLS.has(path.basename(shell))) {
    return { outcome: 'failed', message: `The login shell ${shell || '(none)'} is not bash, zsh or fish.` };
  }
  const mark = `deft-${randomBytes(8).toString('hex')}`;
  const text = await ask(shell, mark, base, limitMs);
  if (text.outcome === 'failed') return text;
  const [, between, aliases = '', functions = ''] = text.output.split(mark);
  const entries = (between ?? '').split('\0').flatMap((entry): [string, string][] => {
    const equals = entry.indexOf('=');
    return equals > 0 ? [[entry.slice(0, equals), entry.slice(equals + 1)]] : [];
  });
  if (entries.length === 0) return { outcome: 'failed', message: `${shell} did not print its environment.` };
  const asked = Object.fromEntries(entries.filter(([name]) => !OWN.has(name)));
  const complete = cleanEnvironment({ ...base, ...asked });
  return {
    outcome: 'asked',
    environment: complete,
    names: await readNames(aliases, functions, { ...environment, ...asked }),
  };
}

type Answer = { outcome: 'answered'; output: string } | { outcome: 'failed'; message: string };

function ask(shell: string, mark: string, environment: NodeJS.ProcessEnv, limitMs: number): Promise<Answer> {
  return new Promise((resolve) => {
    const printMark = `printf %s ${mark}`;
    const names = namesScript(shell);
    const script = [
      printMark,
      'command env -0',
      printMark,
      ...(names === undefined ? [] : [names.aliases, printMark, names.functions, printMark]),
    ].join('; ');
    const marks = names === undefined ? 2 : 4;
    const child = spawn(shell, ['-l', '-i', '-c', script], {
      env: environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const chunks: Buffer[] = [];
    const finish = (answer: Answer) => {
      clearTimeout(timer);
      // After an answer, what start-up files left running (agents) is the user's own.
      if (answer.outcome === 'failed' && child.pid !== undefined) send(-child.pid, 'SIGKILL');
      child.stdout.destroy();
      resolve(answer);
    };
    const timer = setTimeout(
      () => finish({ outcome: 'failed', message: `${shell} did not answer within ${limitMs / 1000} s.` }),
      limitMs,
    );
    const output = () => Buffer.concat(chunks).toString('utf8');
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      // What start-up files left running may hold the pipe open: the last mark is the end.
      if (output().split(mark).length > marks) finish({ outcome: 'answered', output: output() });
    });
    child.on('error', (error) => finish({ outcome: 'failed', message: messageOf(error) }));
    child.unref();
    child.on('close', () => finish({ outcome: 'answered', output: output() }));
  });
}

function accountShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    return undefined;
  }
}
