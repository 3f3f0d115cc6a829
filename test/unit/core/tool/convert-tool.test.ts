// A tool as the API gets it: description, schema, strictness, examples.
import assert from 'node:assert/strict';
import { z } from 'zod/v3';
import { type ConvertContext, convertToolForAPI, convertToolsForAPI } from '../../../../src/core/tool/convert-tool';
import { capabilitiesOf } from '../../../../src/core/model/capabilities';
import { type ProviderId } from '../../../../src/core/wire/model-capabilities';
import { getAllBaseTools } from '../../../../src/core/tools/registry';
import { buildTool } from '../../../../src/core/tool/build-tool';
import { fakeTool } from '../../../support/fake-tools';
import { reply, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

const context = (more: Partial<ConvertContext> = {}): ConvertContext => ({
  prompt: { toolNames: [], platform: 'linux', shell: 'bash' },
  can: capabilitiesOf('anthropic', 'claude-opus-5'),
  strictTools: false,
  warn: () => undefined,
  ...more,
});

describe('convertToolForAPI', () => {
  it('sends name, description and schema of every built-in tool, in shape', async () => {
    const tools = await Promise.all(getAllBaseTools().map((tool) => convertToolForAPI(tool, context())));
    assert.ok(tools.length >= 6);
    for (const tool of tools) {
      assert.match(tool.name, /^[a-zA-Z0-9_-]{1,64}$/);
      assert.ok(tool.description.length > 100, tool.name);
      assert.deepEqual(Object.keys(tool).sort(), [
        ...(['Edit', 'NotebookEdit', 'Write'].includes(tool.name)
          ? ['description', 'eager_input_streaming']
          : ['description']),
        'input_schema',
        'name',
      ]);
    }
  });

  it('prefers the schema that the tool brings', async () => {
    const own = { type: 'object', properties: { a: { type: 'string' } } };
    assert.equal((await convertToolForAPI(fakeTool('Act', { inputJSONSchema: own }), context())).input_schema, own);
  });

  const strictCases: [flag: boolean, tool: boolean, model: string, provider: ProviderId, sent: true | undefined][] = [
    [true, true, 'claude-opus-5', 'anthropic', true],
    [false, true, 'claude-opus-5', 'anthropic', undefined],
    [true, false, 'claude-opus-5', 'anthropic', undefined],
    [true, true, 'claude-sonnet-4-20250514', 'anthropic', undefined],
    [true, true, 'claude-opus-5', 'vertex', true],
    [true, true, 'claude-opus-5', 'gateway', undefined],
  ];
  for (const [strictTools, strict, model, provider, sent] of strictCases) {
    it(`strict: flag ${strictTools}, tool ${strict}, ${model}, ${provider}`, async () => {
      assert.equal(
        (
          await convertToolForAPI(
            fakeTool('Act', { strict }),
            context({ strictTools, can: capabilitiesOf(provider, model) }),
          )
        ).strict,
        sent,
      );
    });
  }

  it('makes no more than 20 tools strict, the first ones, and says which are not', async () => {
    const warnings: string[] = [];
    const tools = Array.from({ length: 22 }, (_, index) =>
      fakeTool(`Act${index}`, { strict: true, inputSchema: z.strictObject({ text: z.string() }) }),
    );
    const sent = await convertToolsForAPI(
      tools,
      context({ strictTools: true, warn: (message) => void warnings.push(message) }),
    );
    assert.deepEqual(
      sent.map(({ name }) => name),
      tools.map(({ name }) => name),
    );
    assert.deepEqual(
      sent.map(({ strict }) => strict),
      [...Array<true>(20).fill(true), undefined, undefined],
    );
    assert.match(warnings.join(), /^Act20 is sent without strict.*Act21/);
  });

  it('leaves bounds out of strict schemas only, and keeps parameters that are called like one', async () => {
    const inputSchema = z.strictObject({
      minimum: z.number().int().min(3).describe('At least'),
      names: z.array(z.string().min(1).max(9)).max(4),
    });
    const tool = fakeTool('Act', { strict: true, inputSchema: inputSchema as never });
    const plain = JSON.stringify((await convertToolForAPI(tool, context())).input_schema);
    for (const word of ['"minimum":3', 'minLength', 'maxLength', 'maxItems']) assert.ok(plain.includes(word), word);
    const [strict] = await convertToolsForAPI([tool], context({ strictTools: true, warn: assert.fail }));
    assert.equal(strict?.strict, true);
    assert.deepEqual(strict.input_schema.properties, {
      minimum: { type: 'integer', description: 'At least' },
      names: { type: 'array', items: { type: 'string' } },
    });
    const open = fakeTool('Open', {
      strict: true,
      inputSchema: z.object({ any: z.record(z.number().min(1)) }) as never,
    });
    const [refused] = await convertToolsForAPI([open], context({ strictTools: true }));
    assert.equal(refused?.strict, undefined);
    assert.match(JSON.stringify(refused?.input_schema), /"minimum":1/, 'what is not strict keeps its bounds');
  });

  it('fits all built-in tools that are strict into what the API takes of them together', async () => {
    const sent = await convertToolsForAPI(getAllBaseTools(), context({ strictTools: true, warn: assert.fail }));
    assert.deepEqual(
      sent.flatMap(({ name, strict }) => (strict === true ? [name] : [])),
      [
        ...['Read', 'Edit', 'Write', 'Glob', 'Bash', 'PowerShell', 'Agent', 'LSP', 'WebFetch', 'TodoWrite'],
        'ExitPlanMode',
      ],
    );
  });

  it('sends examples that fit where the provider takes them, and warns of the others', async () => {
    const warnings: string[] = [];
    const tool = fakeTool('Act', { input_examples: [{ text: 'a' }, { text: 3 } as never] });
    const sent = await convertToolForAPI(tool, context({ warn: (message) => void warnings.push(message) }));
    assert.deepEqual(sent.input_examples, [{ text: 'a' }]);
    assert.equal(warnings.length, 1);
    for (const provider of ['bedrock', 'vertex', 'foundry', 'demo', 'gateway'] as const) {
      assert.equal(
        (await convertToolForAPI(tool, context({ can: capabilitiesOf(provider, 'claude-opus-5') }))).input_examples,
        undefined,
        provider,
      );
    }
    assert.equal(
      (await convertToolForAPI(fakeTool('Act', { input_examples: [{ text: 3 } as never] }), context())).input_examples,
      undefined,
    );
  });

  it('is asked for once a session, so that the prefix stands', async () => {
    let asked = 0;
    const tool = buildTool({ ...fakeTool('Act'), prompt: async () => `Prompt ${++asked}` });
    const model = createScriptedModel([reply(toolUse('Act', {})), reply('a'), reply('b')]);
    const harness = createHarness({ model, tools: [tool] });
    await harness.run('Go');
    await harness.run('Again');
    assert.equal(asked, 1);
    assert.deepEqual(
      model.requests.map(({ tools }) => tools[0]?.description),
      ['Prompt 1', 'Prompt 1', 'Prompt 1'],
    );
  });

  it('a prompt that fails ends the turn with a sentence, and is tried again', async () => {
    let asked = 0;
    const tool = buildTool({
      ...fakeTool('Act'),
      inputSchema: z.strictObject({}),
      prompt: async () => (++asked === 1 ? assert.fail('not yet') : 'Prompt'),
    });
    const model = createScriptedModel([reply('Hello.')]);
    const harness = createHarness({ model, tools: [tool] });
    const end = await harness.run('Go');
    assert.equal(end.reason, 'error');
    assert.match(end.message ?? '', /not yet/);
    assert.ok(harness.stored().some((record) => record.type === 'system' && record.subtype === 'turn_end'));
    assert.deepEqual(await harness.run('Again'), { reason: 'completed' });
  });
});

describe('isFrom45', () => {
  const cases: [string, boolean][] = [
    ['claude-opus-5', true],
    ['claude-fable-5', true],
    ['claude-haiku-4-5-20251001', true],
    ['claude-sonnet-4-6', true],
    ['anthropic.claude-opus-4-5-20251101', true],
    ['claude-sonnet-4-20250514', false],
    ['claude-opus-4-1', false],
    ['claude-3-5-sonnet-20241022', false],
    ['my-local-model', false],
  ];
  for (const [model, expected] of cases)
    it(`${model}: ${expected}`, () => assert.equal(capabilitiesOf('anthropic', model).strictTools, expected));
});
