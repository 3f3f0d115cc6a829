// Calls of a session in a folder of VS Code, one after the other, and what the model reads of each.
import assert from 'node:assert/strict';
import { reply, toolUse } from '../support/messages-api/script';
import { createScriptedModel } from '../support/scripted-model';
import { createHarness, type HarnessOptions } from '../support/session-harness';

/** Without an `answer` nobody is asked: edits are accepted. */
export async function runCalls(
  folder: string,
  calls: readonly [tool: string, input: Record<string, unknown>][],
  options: Pick<HarnessOptions, 'tools' | 'ports' | 'answer'>,
): Promise<string[]> {
  const model = createScriptedModel([
    ...calls.map(([tool, input], index) => reply(toolUse(tool, input, `toolu_${index + 1}`))),
    reply('Done.'),
  ]);
  const harness = createHarness({
    model,
    ...options,
    session: {
      mode: options.answer === undefined ? 'acceptEdits' : 'default',
      permission: () => ({
        rules: [],
        folders: [folder],
        ownFolders: [],
        home: '/home/ann',
        ignoreCase: false,
        trusted: true,
      }),
      environment: { cwd: folder, folders: [folder], platform: 'linux', shell: 'bash', date: '2026-11-21' },
    },
  });
  assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
  return model.requests.slice(1).map(({ messages }) => {
    const content = messages.at(-1)?.content;
    const result = Array.isArray(content) ? content.find(({ type: kind }) => kind === 'tool_result') : undefined;
    if (result?.type !== 'tool_result') return '';
    if (typeof result.content === 'string') return result.content;
    return (result.content ?? []).map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('\n');
  });
}
