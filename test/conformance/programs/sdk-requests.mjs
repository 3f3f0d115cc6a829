// Asks Deft everything that the SDK's query offers while it runs; prints the answers, as JSON. Arguments: the runner, a file that the model writes.
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { spokenInput } from './spoken-input.mjs';

const [, , runner, written] = process.argv;
const heard = { hooks: [], asked: [], stderr: '' };
const add = tool('add', 'Adds.', { a: z.number(), b: z.number() }, async ({ a, b }) => ({
  content: [{ type: 'text', text: String(a + b) }],
}));
const { input, say } = spokenInput();
const run = query({
  prompt: input,
  options: {
    pathToClaudeCodeExecutable: runner,
    model: 'claude-sonnet-4-5',
    systemPrompt: { type: 'preset', preset: 'claude_code', append: 'And be brief.' },
    settingSources: [],
    agents: { rev: { description: 'Reviews.', prompt: 'You review.' } },
    mcpServers: { calc: createSdkMcpServer({ name: 'calc', tools: [add] }) },
    disallowedTools: ['Bash', 'WebFetch'],
    extraArgs: { 'replay-user-messages': null },
    enableFileCheckpointing: true,
    canUseTool: async (name, given) => {
      heard.asked.push(name);
      return { behavior: 'allow', updatedInput: given };
    },
    hooks: {
      PostToolUse: [
        {
          matcher: 'Write',
          hooks: [async ({ hook_event_name, tool_name }) => (heard.hooks.push([hook_event_name, tool_name]), {})],
        },
      ],
    },
    stderr: (text) => (heard.stderr += text),
  },
});
const messages = [];
let waiting;
const reading = (async () => {
  for await (const message of run) {
    messages.push(message);
    if (message.type === 'result') waiting?.(message);
  }
})();
const turn = async (text) => {
  const ended = new Promise((resolve) => (waiting = resolve));
  say(text);
  return ended;
};
const failed = (promise) =>
  promise.then(
    () => 'accepted',
    (error) => error.message,
  );

const answers = {
  commands: (await run.supportedCommands()).map(({ name }) => name),
  models: (await run.supportedModels()).length,
  agents: (await run.supportedAgents()).map(({ name }) => name),
  account: await run.accountInfo(),
};
answers.first = await turn('Write it');
answers.servers = (await run.mcpServerStatus()).map(({ name, status }) => [name, status]);
answers.context = (await run.getContextUsage()).maxTokens;
const prompt = messages.find(({ type, isReplay }) => type === 'user' && isReplay);
answers.dry = await run.rewindFiles(prompt.uuid, { dryRun: true });
answers.there = existsSync(written);
answers.rewound = (await run.rewindFiles(prompt.uuid)).canRewind;
answers.gone = !existsSync(written);
await run.setPermissionMode('acceptEdits');
await run.setModel('claude-haiku-4-5');
await run.setMaxThinkingTokens(2000);
await run.applyFlagSettings({ effortLevel: 'low' });
answers.flags = await failed(run.applyFlagSettings({ hooks: {} }));
answers.bypass = await failed(run.setPermissionMode('bypassPermissions'));
answers.second = await turn('Again');
answers.set = await run.setMcpServers({});
answers.serversLater = await run.mcpServerStatus();
const third = turn('Wait');
// The model is at it once the prompt is in the session.
while (messages.filter(({ isReplay }) => isReplay === true).length < 3)
  await new Promise((resolve) => setTimeout(resolve, 20));
await run.interrupt();
answers.third = await third;
say(undefined);
await reading;
console.log(JSON.stringify({ answers, heard, kinds: messages.map(({ type, subtype }) => subtype ?? type) }));
