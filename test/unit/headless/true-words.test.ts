// Sentences of a run that must be so: what they name is offered, and what they advise helps.
import assert from 'node:assert/strict';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

interface Body {
  tools: { name: string; description: string }[];
  messages: { content: unknown }[];
}

/** By name: a call, what its result has to say, and what it must not. */
const rows: Record<string, { call: [string, Record<string, unknown>]; says: RegExp; never: RegExp }> = {
  'an unknown tool: only what is offered': {
    call: ['Frobnicate', {}],
    says: /No such tool available: Frobnicate\. Available tools: Read, Edit/,
    never: /McpResource|REPL|AskUserQuestion|EnterPlanMode/,
  },
  'a tool that was misspelled and is not offered': {
    call: ['ListMcpResource', {}],
    says: /No such tool available: ListMcpResource\. Available tools/,
    never: /ListMcpResources|ReadMcpResource/,
  },
  'a plan outside plan mode': {
    call: ['ExitPlanMode', { plan: '# Plan' }],
    says: /No such tool available: ExitPlanMode\. Available tools: Read, Edit/,
    never: /EnterPlanMode|AskUserQuestion|permission mode/,
  },
  'a local address, where no rule would help': {
    call: ['WebFetch', { url: 'http://127.0.0.1:3000/x', prompt: 'What is it?' }],
    says: /127\.0\.0\.1 is an address of this machine or of the local network, which is not fetched/,
    never: /allowedTools|Permission denied/,
  },
  'a local name, where no rule would help': {
    call: ['WebFetch', { url: 'https://localhost/', prompt: 'What is it?' }],
    says: /localhost is an address of this machine/,
    never: /allowedTools|Permission denied/,
  },
  'a public address: a rule helps': {
    call: ['WebFetch', { url: 'https://docs.example.test/', prompt: 'What is it?' }],
    says: /--allowedTools .*WebFetch\(domain:docs\.example\.test\)/,
    never: /address of this machine/,
  },
};

describe('sentences to the model', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  it('are so, in the results of calls and in the descriptions of tools', async () => {
    const calls = Object.values(rows).map(({ call: [name, input] }, index) => toolUse(name, input, `toolu_${index}`));
    server.setScript([reply(...calls), reply('Done.')]);
    const end = await place.run(['-p', 'Go'], { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    const { tools, messages } = server.requests.at(-1)?.body as unknown as Body;
    const results = messages
      .flatMap(({ content }) => (Array.isArray(content) ? (content as Record<string, unknown>[]) : []))
      .filter(({ type }) => type === 'tool_result');
    assert.equal(results.length, calls.length);
    for (const [index, [name, { says, never }]] of Object.entries(rows).entries()) {
      const text = JSON.stringify(results.find((result) => result['tool_use_id'] === `toolu_${index}`)?.['content']);
      assert.match(text, says, name);
      assert.doesNotMatch(text, never, name);
    }
    const absent = ['REPL', 'AskUserQuestion', 'EnterPlanMode', 'ToolSearch', 'ListMcpResources', 'PowerShell'].filter(
      (name) => !tools.some((tool) => tool.name === name),
    );
    assert.ok(absent.includes('REPL') && absent.includes('AskUserQuestion'), absent.join(', '));
    for (const { name, description } of tools)
      for (const one of absent) assert.ok(!new RegExp(`\\b${one}\\b`).test(description), `${name} names ${one}`);
  });
});
