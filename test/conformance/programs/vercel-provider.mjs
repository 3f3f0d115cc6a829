// Asks Deft through the Vercel AI SDK's provider for the agent SDK, as its users do; prints what came, as JSON. Argument: the runner.
import { createClaudeCode } from 'ai-sdk-provider-claude-code';

const asked = [];
const provider = createClaudeCode({
  defaultSettings: {
    pathToClaudeCodeExecutable: process.argv[2],
    cwd: process.cwd(),
    canUseTool: async (tool, input) => {
      asked.push(tool);
      return tool === 'Bash'
        ? { behavior: 'deny', message: 'No commands.' }
        : { behavior: 'allow', updatedInput: input };
    },
  },
});
const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Write it' }] }];
const { stream } = await provider('sonnet').doStream({ prompt });
const parts = [];
for await (const part of stream) parts.push(part);
console.log(JSON.stringify({ asked, parts }));
