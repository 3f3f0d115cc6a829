// buildTool(): what a definition may leave out.
import assert from 'node:assert/strict';
import { availabilityOf } from '../../../../src/core/tool/availability';
import { z } from 'zod/v3';
import { buildTool, concurrencySafe, TOOL_DEFAULTS } from '../../../../src/core/tool/build-tool';
import { type Tool } from '../../../../src/core/tool/tool';

const least = {
  name: 'Least',
  prompt: async () => 'p',
  inputSchema: z.strictObject({}),
  access: 'ReadOnly' as const,
  describe: () => ({ now: 'n', past: 'p' }),
  call: async () => ({ data: 1 }),
  mapToolResultToToolResultBlockParam: (_output: number, id: string) => ({
    type: 'tool_result' as const,
    tool_use_id: id,
    content: 'x',
  }),
};

describe('buildTool', () => {
  it('gives every omitted field its safe default', async () => {
    const tool = buildTool(least);
    assert.deepEqual(
      [
        tool.aliases,
        tool.isMcp,
        tool.strict,
        tool.maxResultSizeChars,
        tool.isEnabled(availabilityOf({}, { interactive: false, platform: 'linux' })),
        tool.isReadOnly({}),
        tool.isDestructive({}),
        tool.isConcurrencySafe({}),
        tool.targets({}, '/'),
      ],
      [[], false, false, 50_000, true, false, false, false, []],
    );
    assert.deepEqual(await tool.validateInput({}, {} as never), { ok: true });
    assert.equal(await tool.checkPermissions({}, {} as never), undefined);
    assert.deepEqual(tool.view(1, {}), { kind: 'json', text: '1' });
    assert.equal(tool.detail(1), '');
    assert.equal(tool.preview, undefined);
  });

  for (const field of Object.keys(TOOL_DEFAULTS) as (keyof typeof TOOL_DEFAULTS)[]) {
    it(`gives ${field} its default where it is undefined, and keeps it where it is given`, () => {
      assert.equal(buildTool({ ...least, [field]: undefined } as never)[field], TOOL_DEFAULTS[field]);
      const own = () => 'own';
      assert.equal((buildTool({ ...least, [field]: own } as never) as unknown as Record<string, unknown>)[field], own);
    });
  }

  it('shows output that JSON does not know', () => {
    const { view } = buildTool({ ...least } as never) as Tool<unknown, unknown>;
    assert.deepEqual(view(undefined, {}), { kind: 'json', text: '' });
  });
});

/** What every tool has (S13); the types fail to compile where a field is gone or has become optional. */
type Required =
  | 'name'
  | 'aliases'
  | 'prompt'
  | 'inputSchema'
  | 'access'
  | 'isMcp'
  | 'strict'
  | 'maxResultSizeChars'
  | 'isEnabled'
  | 'isReadOnly'
  | 'isDestructive'
  | 'isConcurrencySafe'
  | 'targets'
  | 'describe'
  | 'validateInput'
  | 'checkPermissions'
  | 'call'
  | 'mapToolResultToToolResultBlockParam'
  | 'view'
  | 'detail';
type Optional =
  | 'inputJSONSchema'
  | 'deferred'
  | 'seldom'
  | 'bulky'
  | 'searchText'
  | 'outputSchema'
  | 'hookOutput'
  | 'input_examples'
  | 'liveInput'
  | 'standsAlone'
  | 'accessOf'
  | 'runs'
  | 'furtherFiles'
  | 'furtherAddress'
  | 'furtherCommands'
  | 'runsSandboxed'
  | 'preview';

describe('isConcurrencySafe', () => {
  it('may be a plain boolean', () => {
    const safe = buildTool({ ...least, isConcurrencySafe: true });
    const unsafe = buildTool({ ...least, isConcurrencySafe: false });
    const byInput = buildTool({ ...least, isConcurrencySafe: (input: unknown) => input === 1 });
    assert.deepEqual(
      [
        concurrencySafe(safe, {}),
        concurrencySafe(unsafe, {}),
        concurrencySafe(byInput, 1),
        concurrencySafe(byInput, 2),
      ],
      [true, false, true, false],
    );
  });
});

describe('Tool', () => {
  it('has the fields that the field knows it by', () => {
    const required: Record<Required, true> & Record<Exclude<keyof Tool, Optional>, true> = {
      name: true,
      aliases: true,
      prompt: true,
      inputSchema: true,
      access: true,
      isMcp: true,
      strict: true,
      maxResultSizeChars: true,
      isEnabled: true,
      isReadOnly: true,
      asksUser: true,
      isDestructive: true,
      isConcurrencySafe: true,
      targets: true,
      describe: true,
      validateInput: true,
      checkPermissions: true,
      call: true,
      mapToolResultToToolResultBlockParam: true,
      view: true,
      detail: true,
    };
    const optional: Record<Optional, true> & {
      [Field in keyof Tool as undefined extends Tool[Field] ? Field : never]-?: true;
    } = {
      inputJSONSchema: true,
      deferred: true,
      seldom: true,
      bulky: true,
      searchText: true,
      outputSchema: true,
      hookOutput: true,
      input_examples: true,
      liveInput: true,
      standsAlone: true,
      accessOf: true,
      runs: true,
      furtherFiles: true,
      furtherAddress: true,
      furtherCommands: true,
      runsSandboxed: true,
      preview: true,
    };
    const built = buildTool(least);
    for (const field of Object.keys(required)) assert.notEqual(built[field as Required], undefined, field);
    for (const field of Object.keys(optional)) assert.equal(built[field as Optional], undefined, field);
  });
});

describe('concurrencySafe', () => {
  const cases: [string, (input: never) => unknown, boolean][] = [
    ['true', () => true, true],
    ['false', () => false, false],
    ['something else that is true', () => 'yes', false],
    ['a throw', () => assert.fail(), false],
    ['an answer by input', (input) => (input as { safe: boolean }).safe, true],
  ];
  for (const [name, isConcurrencySafe, expected] of cases) {
    it(`of ${name}`, () =>
      assert.equal(concurrencySafe(buildTool({ ...least, isConcurrencySafe } as never), { safe: true }), expected));
  }
});
