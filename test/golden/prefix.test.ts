// Golden data of what is before every conversation: system prompt, tools with prompts and schemas, their names and order.
import assert from 'node:assert/strict';
import { capabilitiesOf } from '../../src/core/model/capabilities';
import { readFileSync } from 'node:fs';
import { type ToolDefinition } from '../../src/core/wire/wire';
import { convertToolsForAPI } from '../../src/core/tool/convert-tool';
import { offeredText } from '../../src/core/text/words';
import { builtInAgents } from '../../src/core/subagents/built-in-agents';
import { type AnyTool } from '../../src/core/tool/tool';
import { problemsByCommandsTool } from '../../src/core/tools/problems/problems-by-commands';
import { getAllBaseTools } from '../../src/core/tools/registry';
import { withTeams } from '../../src/core/tools/teams/team-tools';
import { reply } from '../support/messages-api/script';
import { createScriptedModel } from '../support/scripted-model';
import { createHarness } from '../support/session-harness';
import { matchSnapshot, snapshotNames } from './snapshot';

/** As a session with all tools is sent it. */
const whole = (template: string): string => offeredText(template, () => true);

const systemPrompt = whole(readFileSync('src/core/session/system-prompt.md', 'utf8'));
/** Of whole requests, at 3.5 characters a token. */
const maxPrefixTokens = 12_000;
/** Where the API defers nothing, teams, an experiment, come on top of what few sessions need (docs/decisions/0069). */
const maxTeamTokens = 12_500;

async function definitions(tools: readonly AnyTool[] = getAllBaseTools()): Promise<ToolDefinition[]> {
  const prompt = { toolNames: tools.map(({ name }) => name), platform: 'linux', shell: 'bash' };
  return convertToolsForAPI(tools, {
    prompt,
    can: capabilitiesOf('anthropic', 'claude-opus-5'),
    strictTools: false,
    warn: (message) => assert.fail(message),
  });
}

describe('golden prefix', () => {
  it('system prompt', () => matchSnapshot('system-prompt.md', systemPrompt));

  it('prompts of the agents', () => {
    const notes = readFileSync('src/core/features/subagents/agent-notes.md', 'utf8');
    for (const { name, prompt } of builtInAgents) matchSnapshot(`agents/${name}.md`, `${whole(prompt)}\n\n${notes}`);
    assert.deepEqual(snapshotNames('agents'), builtInAgents.map(({ name }) => `${name}.md`).sort());
  });

  it('names of the tools, in the order in which they are sent', async () => {
    matchSnapshot('tool-names.txt', (await definitions()).map(({ name }) => name).join('\n'));
  });

  it('prompt and schema of every tool', async () => {
    const tools = await definitions();
    assert.ok(tools.length >= 6);
    for (const { name, description, input_schema: schema, eager_input_streaming: eager, ...rest } of tools) {
      assert.deepEqual(rest, {});
      assert.equal(eager, ['Edit', 'Write', 'NotebookEdit'].includes(name) ? true : undefined);
      matchSnapshot(
        `tools/${name}.md`,
        `# ${name}\n\n${description.trim()}\n\n## Input\n\n\`\`\`json\n${JSON.stringify(schema, undefined, 2)}\n\`\`\`\n`,
      );
    }
    assert.deepEqual(
      snapshotNames('tools'),
      tools.map(({ name }) => `${name}.md`).sort(),
      'no snapshot of a tool that is gone',
    );
  });

  it('prompt and schema of Problems where commands find them', async () => {
    const [tool] = await definitions([problemsByCommandsTool]);
    matchSnapshot(
      'problems-by-commands.md',
      `${tool?.description.trim()}\n\n\`\`\`json\n${JSON.stringify(tool?.input_schema, undefined, 2)}\n\`\`\`\n`,
    );
  });

  it('is small', async () => {
    // Nobody has asked for it.
    const all = getAllBaseTools().filter(({ name }) => name !== 'TodoWrite');
    const offers = { ordinary: all.filter(({ name }) => !name.startsWith('Team')), teams: withTeams(all, true) };
    const providers = ['gateway', 'anthropic'] as const;
    for (const [[offer, tools], provider] of Object.entries(offers).flatMap((entry) =>
      providers.map((provider) => [entry, provider] as const),
    )) {
      const model = createScriptedModel([reply('Hello.')], { provider });
      await createHarness({ model, tools }).run('Hi');
      const [request] = model.requests;
      // What is deferred is not before the model.
      const whole = request?.tools.filter((tool) => !('defer_loading' in tool));
      const tokens = (JSON.stringify(request?.system).length + JSON.stringify(whole).length) / 3.5;
      assert.ok(tokens > 1_000, 'there is a prefix');
      const most = provider === 'gateway' && offer === 'teams' ? maxTeamTokens : maxPrefixTokens;
      assert.ok(tokens < most, `${offer} at ${provider}: ${Math.round(tokens)} tokens`);
    }
  });
});
