// Asks Deft for files, settings, skills, plugins, servers and tasks by the SDK's query; prints the answers, as JSON. Arguments: the runner, the folders.
import { createSdkMcpServer, query } from '@anthropic-ai/claude-agent-sdk';
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spokenInput } from './spoken-input.mjs';

const [, , runner, workspace, home, outside] = process.argv;
const inWorkspace = (name) => join(workspace, name);
const heard = { elicited: [], stderr: '' };
const { input, say } = spokenInput();
const run = query({
  prompt: input,
  options: {
    pathToClaudeCodeExecutable: runner,
    settingSources: ['user', 'project', 'local'],
    settings: JSON.stringify({ permissions: { deny: ['Read(./secret.txt)'], allow: ['mcp__official', 'Bash'] } }),
    mcpServers: {
      official: {
        type: 'stdio',
        command: process.execPath,
        args: [fileURLToPath(new URL('official-server.mjs', import.meta.url))],
      },
      inside: createSdkMcpServer({ name: 'inside', tools: [] }),
    },
    canUseTool: async (_name, given) => ({ behavior: 'allow', updatedInput: given }),
    onElicitation: async (asked) => {
      heard.elicited.push(asked);
      return { action: 'accept', content: { name: 'Ada' } };
    },
    stderr: (text) => (heard.stderr += text),
  },
});
const messages = [];
const listeners = new Set();
const reading = (async () => {
  for await (const message of run) {
    messages.push(message);
    for (const listener of [...listeners]) listener(message);
  }
})();
const next = (fits) =>
  new Promise((resolve) => {
    const listener = (message) => {
      if (!fits(message)) return;
      listeners.delete(listener);
      resolve(message);
    };
    listeners.add(listener);
  });
const turn = async (text) => {
  const ended = next(({ type }) => type === 'result');
  say(text);
  return ended;
};
const tried = (promise) =>
  promise.then(
    (value) => value ?? 'done',
    (error) => ({ refused: error.message, code: error.errorCode }),
  );
const server = async (name) => (await run.mcpServerStatus()).find((one) => one.name === name)?.status;
const plugin = (name, files) => {
  const folder = join(outside, name);
  for (const [file, text] of Object.entries({ '.claude-plugin/plugin.json': JSON.stringify({ name }), ...files })) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return { type: 'local', path: folder };
};
const answers = {};

answers.read = await run.readFile('notes.txt');
answers.cut = await run.readFile(inWorkspace('notes.txt'), { maxBytes: 3 });
answers.encoded = await run.readFile('bytes.bin', { encoding: 'base64' });
answers.lossy = (await run.readFile('bytes.bin')).lossy;
answers.denied = await run.readFile('secret.txt');
answers.outside = await run.readFile(join(outside, 'other.txt'));
answers.throughLink = await run.readFile('link.txt');

await run.seedReadState('notes.txt', Math.floor(statSync(inWorkspace('notes.txt')).mtimeMs));
const old = statSync(inWorkspace('changed.txt')).mtimeMs;
utimesSync(inWorkspace('changed.txt'), new Date(), new Date(old + 10_000));
await run.seedReadState('changed.txt', Math.floor(old));
answers.seedDenied = await tried(run.seedReadState('secret.txt', Date.now()));
answers.edited = (await turn('Edit them')).result;

mkdirSync(join(home, '.claude/skills/late'), { recursive: true });
writeFileSync(join(home, '.claude/skills/late/SKILL.md'), '---\ndescription: Comes late.\n---\nBe late.\n');
answers.skills = (await run.reloadSkills()).skills.map(({ name, description }) => [name, description]);

const shout = plugin('shout', { 'commands/loud.md': 'Say it loudly: $ARGUMENTS' });
const odd = plugin('odd', {
  '.mcp.json': JSON.stringify({ mcpServers: { own: { command: process.execPath, args: ['-e', ''] } } }),
});
const named = ({ plugins, commands, mcpServers, held, cache_impact, error_count }) => ({
  plugins: plugins.map(({ name }) => name),
  loud: commands.some(({ name }) => name === 'shout:loud'),
  servers: mcpServers.map(({ name }) => name),
  ...{ held, cache_impact, error_count },
});
answers.added = named(await run.reloadPlugins({ addPlugins: [shout] }));
answers.held = named(await run.reloadPlugins({ addPlugins: [odd], holdOnCacheImpact: true }));
answers.without = named(await run.reloadPlugins({ addPlugins: [{ ...odd, skipMcpDiscovery: true }] }));
answers.relative = await tried(run.reloadPlugins({ addPlugins: [{ type: 'local', path: 'shout' }] }));
answers.loud = (await turn('/shout:loud hello')).result;

answers.off = [await tried(run.toggleMcpServer('official', false)), await server('official')];
answers.on = [await tried(run.toggleMcpServer('official', true)), await server('official')];
answers.unknown = await tried(run.toggleMcpServer('nobody', true));
answers.widget = await run.readMcpResource('official', 'ui://official/widget');
answers.notUi = await tried(run.readMcpResource('official', 'file:///etc/passwd'));
answers.ofProgram = await tried(run.readMcpResource('inside', 'ui://x'));

answers.asked = (await turn('Ask')).result;
answers.died = (await turn('Die')).result;
answers.reconnected = [await tried(run.reconnectMcpServer('official')), await server('official')];

answers.effort = await tried(run.updateSettings('userSettings', { effortLevel: 'low' }));
answers.max = await tried(run.updateSettings('userSettings', { effortLevel: 'max' }));
answers.style = await tried(run.updateSettings('localSettings', { outputStyle: 'Explanatory' }));
answers.noStyle = await tried(run.updateSettings('localSettings', { outputStyle: 'Nobody' }));
answers.rules = await tried(run.updateSettings('localSettings', { permissions: { allow: ['Bash'] } }));
answers.hooks = await tried(run.updateSettings('userSettings', { effortLevel: 'low', hooks: {} }));
answers.styled = (await turn('Explain')).result;

answers.nothing = await run.backgroundTasks('toolu_none');
const moved = turn('Wait for it');
while (!(await run.backgroundTasks('toolu_wait'))) await new Promise((resolve) => setTimeout(resolve, 20));
answers.moved = (await moved).result;
const busy = turn('Be busy');
await next(({ type, message }) => type === 'assistant' && JSON.stringify(message).includes('toolu_busy'));
answers.busy = await tried(run.reloadPlugins({ refuseIfBusy: true }));
writeFileSync(inWorkspace('busy'), '');
await busy;
const told = next(({ type }) => type === 'result');
writeFileSync(inWorkspace('go'), '');
const { result, origin } = await told;
answers.told = [result, origin];

say(undefined);
await reading;
const started = messages.filter(({ subtype }) => subtype === 'task_started').map(({ tool_use_id }) => tool_use_id);
const ended = messages.filter(({ subtype }) => subtype === 'task_notification').map(({ status }) => status);
const { capabilities } = messages.find(({ subtype }) => subtype === 'init');
console.log(JSON.stringify({ answers, heard, started, ended, capabilities }));
