// Bash: runs a shell command where the user can see it.
import { defined } from '../../../shared/defined';
import { z } from 'zod/v3';
import { headOf, tailOf } from '../../../shared/cut-text';
import { type TerminalView, type ToolSentence, type ToolView } from '../../../shared/tool-view';
import { isReadOnlyCommand } from '../../permissions/bash/bash-line';
import { type PermissionVerdict } from '../../permissions/rules/verdict';
import { type CommandProgress, type CommandResult, type Shell } from '../../ports/terminal';
import { meaningOfOne, onTimeoutOf } from './bash-command';
import { nextFolder, placeNote } from './bash-folder';
import { bashForHooks } from './bash-for-hooks';
import { bashOutput, bashOutputSchema, type BashOutput } from './bash-output';
import { runInPlace } from './bash-sandbox';
import { bashResultBlock, isBashError, MAX_RESULT_CHARACTERS } from './bash-result';
import prompt from './bash.md';
import { buildTool, promptOf } from '../../tool/build-tool';
import { type CommandLimits } from '../../settings/command-limits';
import { inThousands } from '../../text/size-text';
import { jsonSchemaOf } from '../../tool/tool-schema';
import {
  isFailure,
  type Tool,
  type ToolContext,
  type ToolFailure,
  type ToolResult,
  type ToolSession,
} from '../../tool/tool';

export const DEFAULT_TIMEOUT_MS = 120_000;
export const MAX_TIMEOUT_MS = 600_000;
/** Of Deft's own, after the output. */
export const NOTES_CHARACTERS = 10_000;
const TAIL_CHARACTERS = 4000;
const TITLE_CHARACTERS = 100;

const bashInputSchema = z.strictObject({
  command: z.string().describe('The command to run'),
  timeout: z.number().positive().optional().describe('Timeout in milliseconds'),
  description: z.string().optional().describe('What the command does, in five to ten words, active voice'),
  run_in_background: z
    .boolean()
    .optional()
    .describe('Return at once and let the command run; its output goes to a file'),
  dangerouslyDisableSandbox: z.boolean().optional().describe('Run without the sandbox, if there is one'),
});
export type BashInput = z.infer<typeof bashInputSchema>;

/** Without a sandbox to leave, or without permission to leave it: not offered, and ignored in calls that have it from elsewhere. */
export const plainInput = {
  inputSchema: bashInputSchema.transform(({ dangerouslyDisableSandbox: _passedOver, ...input }): BashInput => input),
  inputJSONSchema: jsonSchemaOf(bashInputSchema.omit({ dangerouslyDisableSandbox: true })),
};

/** The host passes the limits that the user has set. */
export function createBashTool(options: CommandLimits = {}): Tool<BashInput, BashOutput> {
  const defaultMs = options.defaultTimeoutMs ?? DEFAULT_TIMEOUT_MS;
  const maxMs = Math.max(options.maxTimeoutMs ?? MAX_TIMEOUT_MS, defaultMs);
  const maxLength = options.maxOutputLength ?? MAX_RESULT_CHARACTERS;
  return buildTool<BashInput, BashOutput>({
    name: 'Bash',
    aliases: ['bash', 'BashTool'],
    prompt: promptOf(
      [
        wordsOf(options)
          .replace('{default}', String(defaultMs))
          .replace('{max}', String(maxMs))
          .replace('{limit}', inThousands(maxLength)),
        ...sandboxWords(options),
      ].join('\n\n'),
    ),
    ...(options.sandbox?.allowsUnsandboxed === true ? { inputSchema: bashInputSchema } : plainInput),
    outputSchema: bashOutputSchema,
    strict: true,
    hookOutput: bashForHooks,
    access: 'DangerFullAccess',
    // Longer output is cut where it is made a result; this leaves room for notes.
    maxResultSizeChars: maxLength + NOTES_CHARACTERS,
    // On Windows there may be none; PowerShell is offered then.
    isEnabled: ({ platform, shells, runsCommands }) =>
      runsCommands?.() !== false && (platform !== 'win32' || shells === undefined || shells.includes('bash')),
    isReadOnly: ({ command }) => isReadOnlyCommand(command),
    isConcurrencySafe: (input) => input.run_in_background !== true && isReadOnlyCommand(input.command),
    targets: ({ command }) => [{ kind: 'command', command }],
    describe: commandSentence,
    validateInput: async ({ command }) =>
      command.includes('\0')
        ? { ok: false, code: 'nul-character', message: 'command must not contain a NUL character.' }
        : { ok: true },
    checkPermissions: async (input, { session }) => (placeOf(input, session) === 'left' ? leaving : undefined),
    runsSandboxed: async (input, { session }) =>
      placeOf(input, session) === 'inside' && session.sandbox?.autoAllows() === true,
    preview: async (input, { session }) => ({
      view: {
        kind: 'terminal',
        command: input.command,
        state: 'not-started',
        tail: '',
        bytes: 0,
        ...(placeOf(input, session) === 'inside' ? { sandboxed: true } : {}),
      },
    }),
    call: (input, context) =>
      runCommand(
        input,
        context,
        { timeoutMs: Math.min(input.timeout ?? defaultMs, maxMs), shown: maxLength },
        options.withoutBackground === true ? killedAtTimeout(bashWords) : bashWords,
      ),
    mapToolResultToToolResultBlockParam: (output, toolUseId, offers) =>
      bashResultBlock(output, toolUseId, maxLength, offers),
    view: commandView,
    detail: commandDetail,
  });
}

export const bashTool = createBashTool();

/** How to work with git is last. */
function wordsOf({ gitInstructions }: CommandLimits): string {
  return (gitInstructions === false ? prompt.slice(0, prompt.lastIndexOf('\n\nGit\n')) : prompt).trim();
}

function placeOf(
  { command, dangerouslyDisableSandbox }: BashInput,
  { sandbox }: ToolSession,
): 'inside' | 'left' | 'outside' {
  return sandbox?.placeOf(command, dangerouslyDisableSandbox === true) ?? 'outside';
}

const leaving: PermissionVerdict = {
  behavior: 'ask',
  code: 'unsandboxed',
  reason: 'It would run outside the sandbox.',
  suggestions: [],
};

/** The prompt stays the same for a whole session, so it speaks of what the session began with. */
function sandboxWords({ sandbox }: CommandLimits): string[] {
  if (sandbox === undefined) return [];
  const way = sandbox.allowsUnsandboxed
    ? ' If a command fails because of that and needs the access, run it again with `dangerouslyDisableSandbox: true`, which asks the user each time. Do not start with it.'
    : ' Commands cannot leave the sandbox.';
  return [
    `Sandbox\n- Commands run in a sandbox: they write only in the workspace and in $TMPDIR (not elsewhere in /tmp), and reach only the hosts that settings allow.${way}`,
  ];
}

/** What a shell says about its commands. */
export interface ShellWords {
  shell: Shell;
  onTimeoutOf(command: string): 'background' | 'kill';
  /** What a code other than 0 means where it is not a failure. */
  meaningOf(command: string, code: number): string | undefined;
}

const bashWords: ShellWords = {
  shell: 'bash',
  onTimeoutOf,
  meaningOf: (command, code) => (code === 1 ? meaningOfOne(command) : undefined),
};

/** For commands that may not continue in the background. */
export function killedAtTimeout(words: ShellWords): ShellWords {
  return { ...words, onTimeoutOf: () => 'kill' };
}

export async function runCommand(
  input: BashInput,
  context: ToolContext,
  { timeoutMs, shown }: { timeoutMs: number; shown: number },
  words: ShellWords,
): Promise<ToolResult<BashOutput> | ToolFailure> {
  const { session, ports, toolUseId } = context;
  const report = (progress: CommandProgress) => context.onProgress({ kind: 'command', progress });
  const placed = await runInPlace(
    {
      id: toolUseId,
      command: input.command,
      ...(words.shell === 'bash' ? {} : { shell: words.shell }),
      // The one that the call was judged in.
      cwd: session.cwd,
      timeoutMs,
      shownCharacters: shown,
      background: input.run_in_background === true,
      onTimeout: words.onTimeoutOf(input.command),
      ...defined({ description: input.description }),
    },
    input.dangerouslyDisableSandbox === true,
    context,
    report,
  );
  if (isFailure(placed)) return placed;
  const { sandboxed, refusals } = placed;
  const result = wholeSecrets(placed.result, context);
  const next = await nextFolder(result.cwd, session, ports.files);
  const notes = [...(next.note === undefined ? [] : [next.note]), ...refusals];
  const output = bashOutput(timeoutMs, result, notes, (code) => words.meaningOf(input.command, code));
  const place = placeNote(session, isBashError(output));
  return {
    data: {
      ...output,
      ...(place === undefined ? {} : { stderr: [place, output.stderr].filter((part) => part !== '').join('\n') }),
      ...(sandboxed ? { sandboxed } : {}),
    },
    ...(next.cwd === session.cwd ? {} : { contextModifier: { cwd: next.cwd } }),
  };
}

/** Output that ends where the command was left or ended may end in the middle of a secret. */
function wholeSecrets(result: CommandResult, { redactedPart }: ToolContext): CommandResult {
  const isWhole = result.end.state === 'exited' && !result.incomplete;
  return isWhole || redactedPart === undefined ? result : { ...result, output: redactedPart(result.output) };
}

export function commandSentence({ command, run_in_background }: BashInput): ToolSentence {
  const [first = '', ...more] = command.trim().split('\n');
  const line =
    first.length > TITLE_CHARACTERS ? `${headOf(first, TITLE_CHARACTERS)}…` : `${first}${more.length > 0 ? ' …' : ''}`;
  return run_in_background
    ? { now: `Starting ${line}`, past: `Started ${line}` }
    : { now: `Running ${line}`, past: `Ran ${line}` };
}

export function commandView(output: BashOutput, { command }: BashInput): ToolView {
  const state: TerminalView['state'] =
    output.state === 'exited' && output.incomplete ? 'incomplete-output' : output.state;
  return {
    kind: 'terminal',
    command,
    state,
    ...defined({ exitCode: output.exitCode }),
    tail: output.isImage ? '' : tailOf(output.stdout, TAIL_CHARACTERS),
    bytes: output.totalBytes,
    ...(output.outputPath === '' ? {} : { outputPath: output.outputPath }),
    ...defined({ taskId: output.backgroundTaskId }),
    ...(output.stderr === '' ? {} : { note: output.stderr }),
    ...(output.sandboxed === true ? { sandboxed: true } : {}),
  };
}

export function commandDetail(output: BashOutput): string {
  return [...(output.sandboxed === true ? ['sandboxed'] : []), ...endDetail(output)].join(', ');
}

function endDetail(output: BashOutput): string[] {
  if (output.state === 'background') return ['in the background'];
  if (output.state === 'exited') return isBashError(output) ? [`exit ${output.exitCode}`] : [];
  return [output.state.replace('-', ' ')];
}
