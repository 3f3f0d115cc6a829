// What a ledger offers to run: a check once more, or one that `verify` asks for. It is the user's act, and no reply of the model's made it.
import { isObject } from '../../../shared/plain-object';
import { executeTool } from '../../calls/execute-tool';
import { type ExecutedCall } from '../../calls/tool-call';
import { textOf } from '../../calls/tool-result-storage';
import { provides } from '../../feature/feature-key';
import { type FeatureFactory, type SessionAccess } from '../../feature/session-feature';
import { callRecord } from '../../sessions/call-records';
import { slimOutput } from '../../sessions/slim-output';
import { subjectOf } from '../../ledger/facts/call-facts';
import { proof, type UserRun } from './proof-key';

export const proofFeature: FeatureFactory = (access) => provides(proof, { run: (run) => runForUser(access, run) });

interface Repeated {
  tool: string;
  input: unknown;
  /** Where the call ran before; the session's folder otherwise. */
  cwd?: string;
}

async function runForUser(access: SessionAccess, { of, signal, began, ended }: UserRun): Promise<string | undefined> {
  const repeated = repeatedBy(access, of);
  if (repeated === undefined) return 'The session no longer has this call.';
  const { tool, input, cwd } = repeated;
  const { ports, writer, messages } = access;
  const id = `user_${ports.uuid()}`;
  const result = await access.alone(async () => {
    const services = access.execution(signal);
    let isShown = false;
    const executed = await executeTool(
      { id, name: tool, input },
      {
        ...services,
        ...(cwd === undefined ? {} : { session: { ...services.session, cwd } }),
        emit(event) {
          services.emit(event);
          if (event.type !== 'tool_progress' || isShown) return;
          isShown = true;
          began?.(id);
        },
      },
      signal,
    );
    const { state, structured } = executed;
    writer.write({
      type: 'system',
      subtype: 'user_call',
      toolUseId: id,
      tool,
      input,
      state,
      result: slimOutput(structured),
    });
    return executed;
  });
  const notRun = whyNotRun(result);
  if (notRun !== undefined) return notRun;
  ended?.(result.state === 'done', outcomeOf(result));
  const what =
    'setUp' in of ? 'To set up this worktree, the user has run' : 'The user has run this again by themselves';
  messages.remind(`${what}: ${subjectOf({ name: tool, input })}\n${outcomeOf(result)}`);
  return undefined;
}

function repeatedBy({ settings, registry, session }: SessionAccess, of: UserRun['of']): Repeated | undefined {
  if ('task' in of) return { tool: 'RunTask', input: { task: of.task } };
  if ('run' in of || 'setUp' in of) {
    const tool = ['Bash', 'PowerShell'].find((name) => registry.find(name) !== undefined) ?? 'Bash';
    return {
      tool,
      input: 'run' in of ? { command: of.run } : { command: of.setUp, timeout: setUpMs },
      ...(session.folders[0] === undefined ? {} : { cwd: session.folders[0] }),
    };
  }
  const own = settings.records.findLast(
    (record) => record.type === 'system' && record.subtype === 'user_call' && record.toolUseId === of.toolUseId,
  );
  if (own?.type === 'system' && own.subtype === 'user_call') return { tool: own.tool, input: own.input, cwd: own.cwd };
  const record = callRecord(settings.records, of.toolUseId);
  const block = record?.message.content.find((one) => one.type === 'tool_use' && one.id === of.toolUseId);
  if (record === undefined || block?.type !== 'tool_use') return undefined;
  return { tool: block.name, input: inForeground(block.input), cwd: record.cwd };
}

/** The user waits for its result. */
function inForeground(input: unknown): unknown {
  if (!isObject(input) || input['run_in_background'] === undefined) return input;
  const { run_in_background: _background, ...rest } = input;
  return rest;
}

function whyNotRun({ state, block, structured }: ExecutedCall): string | undefined {
  if (state === 'denied') return textOf(block.content).replace(/^Permission denied: /, '');
  return state === 'failed' && !isObject(structured) ? textOf(block.content) : undefined;
}

const mostChars = 1_500;
/** Installing packages takes its time; the longest that a command may have. */
const setUpMs = 600_000;

function outcomeOf({ block }: ExecutedCall): string {
  const text = textOf(block.content).trim();
  return text.length <= mostChars ? text : `[…]\n${text.slice(-mostChars)}`;
}
