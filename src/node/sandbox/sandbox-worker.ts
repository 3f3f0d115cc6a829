// A process next to the host that holds one sandbox: the library takes its own working folder for the workspace, and keeps one set of
// permissions for all commands. Its proxy lives here too. Ends with the host.
import { defined } from '../../shared/defined';
import { type SandboxRuntimeConfig, SandboxManager, SandboxRuntimeConfigSchema } from '@anthropic-ai/sandbox-runtime';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf } from '../../core/text/errors';
import { quote } from '../terminal/capture-wrapper';
import { nestedSteering } from './nested-steering';
import { type SandboxAnswer, type SandboxQuestion, type SandboxStart, type WrappedCommand } from './sandbox-messages';

/** Variables that are to be masked and have no value here: what a command's own environment holds of them would go in as it is. */
let unmasked: string[] = [];

/** `temp` may be written inside, `runs` only read. */
let place: { temp: string; runs: string; root: string } | undefined;

async function start({ policy, ripgrep }: SandboxStart): Promise<null> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-sandbox-')));
  place = { root, temp: path.join(root, 'tmp'), runs: path.join(root, 'runs') };
  await Promise.all([mkdir(place.temp), mkdir(place.runs)]);
  const nested =
    policy.nested === undefined || ripgrep === undefined
      ? []
      : await nestedSteering(ripgrep, policy.nested.folders, policy.nested.names);
  const config = {
    filesystem: {
      allowWrite: [...policy.allowWrite, place.temp],
      denyWrite: [...policy.denyWrite, ...nested],
      denyRead: [...policy.denyRead],
      allowRead: [...policy.allowRead, root],
    },
    network: {
      allowedDomains: [...policy.allowedDomains],
      deniedDomains: [...policy.deniedDomains],
      ...defined({ allowUnixSockets: policy.allowUnixSockets?.slice() }),
      ...(policy.allowAllUnixSockets === true ? { allowAllUnixSockets: true } : {}),
      ...(policy.allowLocalBinding === true ? { allowLocalBinding: true } : {}),
      ...(masks(policy.credentials) ? { tlsTerminate: trustedElsewhere() } : {}),
    },
    ...defined({ credentials: policy.credentials }),
    ...(policy.weakerNested === true ? { enableWeakerNestedSandbox: true } : {}),
    ...(ripgrep === undefined ? {} : { ripgrep: { command: ripgrep } }),
  };
  const parsed = SandboxRuntimeConfigSchema.safeParse(config);
  if (!parsed.success) {
    throw new Error(
      parsed.error.issues.map((issue) => `\`sandbox.${issue.path.join('.')}\`: ${issue.message}`).join(' '),
    );
  }
  unmasked = masked(policy.credentials, 'envVars').flatMap(({ name }) =>
    typeof name === 'string' && /^[A-Za-z_]\w*$/.test(name) && process.env[name] === undefined ? [name] : [],
  );
  const missing = await SandboxManager.checkDependenciesAsync(config.ripgrep);
  if (missing.errors.length > 0) throw new Error(`${missing.errors.join(', ')}.`);
  await SandboxManager.initialize(parsed.data as SandboxRuntimeConfig, undefined, true);
  return null;
}

interface Masked {
  name?: unknown;
}

function masked(credentials: Readonly<Record<string, unknown>> | undefined, kind: 'files' | 'envVars'): Masked[] {
  const entries = credentials?.[kind];
  return Array.isArray(entries)
    ? entries.filter(
        (entry: unknown) => typeof entry === 'object' && entry !== null && 'mode' in entry && entry.mode === 'mask',
      )
    : [];
}

/** Only where the proxy sees a request can it put the value in that a command has the mask of. */
function masks(credentials: Readonly<Record<string, unknown>> | undefined): boolean {
  return masked(credentials, 'files').length + masked(credentials, 'envVars').length > 0;
}

/** Commands then trust the proxy's certificates, in addition to those of the machine and of the user's network. */
function trustedElsewhere(): { extraCaCertPaths?: string[] } {
  const file = process.env['NODE_EXTRA_CA_CERTS'];
  return file === undefined || file === '' ? {} : { extraCaCertPaths: [file] };
}

/**
 * Inside, the command is read from a file, since an argument has a maximum size. Another file says which folder the command ends in: a
 * hint like any that a command gives, and whoever reads it checks it.
 */
async function wrap(command: string): Promise<WrappedCommand> {
  if (place === undefined) throw new Error('The sandbox has not started.');
  const name = randomBytes(18).toString('base64url');
  const [file, folder] = [path.join(place.runs, name), path.join(place.temp, `.folder-${name}`)];
  await writeFile(file, command, { mode: 0o600 });
  const inner = `export TMPDIR=${quote(place.temp)}; trap ${quote(`pwd -P 2>/dev/null >${quote(folder)}`)} EXIT; eval "$(<${quote(file)})"`;
  const wrapped = await SandboxManager.wrapWithSandbox(inner, 'bash', undefined, undefined, {
    commandId: name,
    commandText: command,
  });
  const outer = `deft_code=$?; [ -f ${quote(folder)} ] && [ ! -L ${quote(folder)} ] && cd -- "$(head -c 4096 ${quote(folder)} 2>/dev/null)" 2>/dev/null; (exit $deft_code)`;
  const withheld = unmasked.length === 0 ? '' : `unset ${unmasked.join(' ')}\n`;
  return { name, text: `${withheld}${wrapped}\n${outer}\n` };
}

function refused(name: string): string[] {
  const lines = SandboxManager.getSandboxViolationStore()
    .getViolationsForCommand(name)
    .map(({ line }) => line);
  return [...new Set(lines)];
}

async function ended(name: string): Promise<null> {
  SandboxManager.cleanupAfterCommand();
  if (place !== undefined)
    await Promise.all(
      [path.join(place.runs, name), path.join(place.temp, `.folder-${name}`)].map((file) => rm(file, { force: true })),
    );
  return null;
}

function answer(question: SandboxQuestion): Promise<WrappedCommand | string[] | null> | string[] {
  switch (question.ask) {
    case 'start':
      return start(question);
    case 'wrap':
      return wrap(question.command);
    case 'refused':
      return refused(question.name);
    case 'ended':
      return ended(question.name);
  }
}

async function close(): Promise<void> {
  // What hangs must not keep the process.
  setTimeout(() => process.exit(1), 3_000).unref();
  await SandboxManager.reset().catch(() => undefined);
  if (place !== undefined) await rm(place.root, { recursive: true, force: true }).catch(() => undefined);
  process.exit(0);
}

process.on('message', ({ id, ...question }: SandboxQuestion & { id: number }) => {
  const send = (answered: SandboxAnswer): void => void process.send?.(answered, () => undefined);
  void Promise.resolve()
    .then(() => answer(question as SandboxQuestion))
    .then(
      (value) => send({ id, value }),
      (error: unknown) => send({ id, failure: messageOf(error) }),
    );
});
process.once('disconnect', () => void close());
// The terminal's Ctrl+C goes to the host, which says when it is over.
process.on('SIGINT', () => undefined);
