// Small session files as Claude Code and Codex write them, made for tests.
import { defined } from '../../src/shared/defined';

type Line = Record<string, unknown>;

/** Lines that are linked to each other as Claude Code does it. */
export function claudeCodeLog(facts: { id?: string; cwd?: string } = {}) {
  const lines: Line[] = [];
  let parent: string | null = null;
  let count = 0;
  const add = (type: string, fields: Line, from: string | null = parent): string => {
    const uuid = `u${++count}`;
    const minute = String(count).padStart(2, '0');
    lines.push({
      parentUuid: from,
      isSidechain: false,
      userType: 'external',
      cwd: facts.cwd ?? '/w',
      sessionId: facts.id ?? 's-1',
      version: '2.0.1',
      gitBranch: 'main',
      type,
      uuid,
      timestamp: `2026-11-01T10:${minute}:00.000Z`,
      ...fields,
    });
    if (fields['isSidechain'] !== true) parent = uuid;
    return uuid;
  };
  return {
    lines,
    text: () => lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    add,
    raw: (line: Line) => void lines.push(line),
    prompt: (text: string, from?: string | null) => add('user', { message: { role: 'user', content: text } }, from),
    reply: (id: string, ...content: Line[]) =>
      content
        .map((block) =>
          add('assistant', {
            requestId: 'r',
            message: {
              id,
              type: 'message',
              role: 'assistant',
              model: 'claude-sonnet-5',
              content: [block],
              stop_reason: null,
              usage: { input_tokens: 3, output_tokens: 5 },
            },
          }),
        )
        .at(-1) ?? '',
    result: (toolUseId: string, content: unknown, more: { error?: boolean; output?: unknown; from?: string } = {}) =>
      add(
        'user',
        {
          message: {
            role: 'user',
            content: [
              {
                tool_use_id: toolUseId,
                type: 'tool_result',
                content,
                ...(more.error === true ? { is_error: true } : {}),
              },
            ],
          },
          ...defined({ toolUseResult: more.output }),
        },
        more.from,
      ),
  };
}

export const said = (text: string): Line => ({ type: 'text', text });
export const used = (id: string, name: string, input: Line = {}): Line => ({ type: 'tool_use', id, name, input });

/** A rollout of today's Codex. */
export function codexLog(facts: { id?: string; cwd?: string } = {}) {
  const lines: Line[] = [];
  const add = (type: string, payload: Line): void =>
    void lines.push({ timestamp: `2026-11-01T10:${String(lines.length).padStart(2, '0')}:00.000Z`, type, payload });
  add('session_meta', {
    id: facts.id ?? 'c-1',
    timestamp: '2026-11-01T10:00:00.000Z',
    cwd: facts.cwd ?? '/w',
    originator: 'codex_cli_rs',
    cli_version: '0.60.0',
    instructions: null,
    git: { branch: 'main' },
  });
  return {
    lines,
    text: () => lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    add,
    item: (payload: Line) => add('response_item', payload),
    prompt: (text: string) => {
      add('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
      add('event_msg', { type: 'user_message', message: text });
    },
    says: (text: string) => {
      add('event_msg', { type: 'agent_message', message: text });
      add('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
    },
    call: (id: string, name: string, args: string) =>
      add('response_item', { type: 'function_call', name, arguments: args, call_id: id }),
    output: (id: string, output: unknown) =>
      add('response_item', { type: 'function_call_output', call_id: id, output }),
  };
}
