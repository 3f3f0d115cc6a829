// What the Agent tool passes on, reports to the model of agents, and shows.
import assert from 'node:assert/strict';
import { agentTool } from '../../../../../src/core/tools/agents/agent';
import { type ToolContext, type ToolProgress } from '../../../../../src/core/tool/tool';
import { scriptedSubagents } from '../../../../support/scripted-subagents';

describe('Agent', () => {
  it('passes on what the call says, and shows each step as plain words', async () => {
    const subagents = scriptedSubagents();
    const reports: ToolProgress[] = [];
    const context = {
      toolUseId: 't',
      signal: new AbortController().signal,
      session: { subagents },
      onProgress: (progress: ToolProgress) => void reports.push(progress),
    } as unknown as ToolContext;
    await agentTool.call(
      { description: 'd', prompt: 'p', subagent_type: 'Explore', model: 'haiku', name: 'n', run_in_background: true },
      context,
    );
    await agentTool.call({ description: 'd', prompt: 'p' }, context);
    assert.deepEqual(subagents.asked, [
      { description: 'd', prompt: 'p', agentType: 'Explore', model: 'haiku', name: 'n', background: true },
      { description: 'd', prompt: 'p', agentType: 'general-purpose', background: false },
    ]);
    assert.deepEqual(reports[0], {
      kind: 'view',
      text: '1 tool use',
      view: { kind: 'markdown', text: '- Reading \\*a\\*.ts …' },
    });
  });

  it('lists the agents of the session with their tools and their use', async () => {
    const base = { toolNames: [], platform: 'linux', shell: 'bash' };
    const agents = [
      { name: 'one', description: 'Use  it\nso', prompt: 'p', source: 'user' as const, tools: ['Read', 'Bash(git *)'] },
      { name: 'two', description: 'd', prompt: 'p', source: 'user' as const, disallowedTools: ['Edit'] },
    ];
    assert.match(
      await agentTool.prompt({ ...base, agents }),
      /Agents:\n- one: Use it so \(Tools: Read, Bash\(git \*\)\)\n- two: d \(Tools: all but Edit\)$/,
    );
    const long = { name: 'long', description: 'x'.repeat(3_000), prompt: 'p', source: 'user' as const };
    assert.match(await agentTool.prompt({ ...base, agents: [long] }), /- long: x{2047}… \(Tools: all\)$/);
    assert.match(await agentTool.prompt(base), /- general-purpose: .*\(Tools: all\)\n- Explore: /s);
  });

  it('shows steps above the report, and nothing of one that runs on', () => {
    const output = {
      status: 'completed' as const,
      agentId: 'a',
      agentType: 'x',
      description: 'd',
      content: 'The **report**.',
      steps: ['Read `a`'],
      totalTokens: 1,
      totalToolUseCount: 1,
      totalDurationMs: 1,
    };
    const input = { description: 'd', prompt: 'p' };
    assert.deepEqual(agentTool.view(output, input), {
      kind: 'markdown',
      text: '- Read \\`a\\`\n\n---\n\nThe **report**.',
    });
    assert.deepEqual(agentTool.view({ ...output, status: 'async_launched' }, input), { kind: 'markdown', text: '' });
    assert.equal(agentTool.detail(output), '1 tool use · 1 tokens');
  });
});
