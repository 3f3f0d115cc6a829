// Config: what it tells, what it may set, and that setting asks in every mode.
import assert from 'node:assert/strict';
import { DeftError } from '../../../../src/core/errors';
import { type Configuration, type ConfigurationEntry } from '../../../../src/core/ports/configuration';
import { availabilityOf } from '../../../../src/core/tools/availability';
import { configTool } from '../../../../src/core/tools/config';
import { misfit } from '../../../../src/core/tools/config-value';
import { getTools } from '../../../../src/core/tools/registry';
import { isFailure, type ToolContext } from '../../../../src/core/tools/tool';
import { type PermissionMode, type PermissionRule } from '../../../../src/shared/permission';
import { reply, text, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

function settings(effective?: unknown): Configuration & { written: [string, unknown][] } {
  const entries: ConfigurationEntry[] = [
    { key: 'effort', value: 'default', source: 'default', description: 'How much the model thinks.', writable: true, schema: { type: 'string', enum: ['default', 'high'] } },
    { key: 'diagnostics.delay', value: 500, source: 'workspace', description: 'Milliseconds.', writable: true, schema: { type: 'integer', minimum: 0, maximum: 10_000 } },
    { key: 'baseUrl', value: '', source: 'default', description: 'The address.', writable: false, schema: { type: 'string' } },
  ];
  const written: [string, unknown][] = [];
  return {
    written,
    list: () => entries,
    async set(key, value) {
      if (value === 'refuse') throw new DeftError('settings-refused', 'The disk is full.');
      written.push([key, value]);
      const entry = entries.find((one) => one.key === key);
      if (entry !== undefined) Object.assign(entry, effective === undefined ? { value, source: 'user' } : { value: effective });
    },
  };
}

type Input = Parameters<typeof configTool.call>[0];

describe('Config', () => {
  const said = async (input: Input, configuration = settings()): Promise<string> => {
    const result = await configTool.call(input, { ports: { configuration } } as unknown as ToolContext);
    if (isFailure(result)) return `${result.failure.code}: ${result.failure.message}`;
    assert.equal(configTool.outputSchema?.safeParse(result.data).success, true);
    return String(configTool.mapToolResultToToolResultBlockParam(result.data, 't').content);
  };
  const refused = async (input: Input): Promise<string> => {
    const valid = await configTool.validateInput(input, { ports: { configuration: settings() } } as unknown as ToolContext);
    return valid.ok ? 'valid' : `${valid.code}: ${valid.message}`;
  };

  it('lists every setting with its value and where it comes from', async () => {
    assert.equal(await said({}), 'effort = "default" (default, can be set)\ndiagnostics.delay = 500 (workspace, can be set)\nbaseUrl = "" (default)');
  });

  it('tells of one, by its short and its long name', async () => {
    assert.equal(await said({ setting: 'effort' }), 'effort = "default" (default, can be set)\nHow much the model thinks.');
    assert.equal(await said({ setting: 'deft.effort' }), await said({ setting: 'effort' }));
  });

  it('sets one, and says what it was', async () => {
    const configuration = settings();
    assert.equal(await said({ setting: 'deft.effort', value: 'high' }, configuration), 'Set effort in the user\'s settings: "default" is now "high".');
    assert.deepEqual(configuration.written, [['effort', 'high']]);
  });

  it('says where another value goes on to hold', async () => {
    assert.match(await said({ setting: 'diagnostics.delay', value: 900 }, settings(500)), /500 is now 900\. It does not hold here: the workspace settings say 500\.$/);
  });

  it('says why the host refused', async () => {
    assert.equal(await said({ setting: 'effort', value: 'refuse' }), 'settings-refused: effort was not changed: The disk is full.');
  });

  const refusals: [string, Input, RegExp][] = [
    ['a setting that is not there', { setting: 'efort' }, /^unknown-setting: There is no setting efort\. There are: effort, diagnostics\.delay, baseUrl\./],
    ['a value without a setting', { value: 1 }, /^no-setting: /],
    ['what is not for the agent', { setting: 'baseUrl', value: 'http://x' }, /^not-writable: .*ask the user to change deft\.baseUrl/],
    ['a value that is none', { setting: 'effort', value: 'huge' }, /^bad-value: effort must be one of "default", "high"; "huge" does not fit\./],
  ];
  for (const [name, input, message] of refusals) it(`refuses ${name}`, async () => assert.match(await refused(input), message));

  const values: [Record<string, unknown>, unknown, string | undefined][] = [
    [{ type: 'boolean' }, true, undefined],
    [{ type: 'boolean' }, 'true', 'must be true or false'],
    [{ type: 'string' }, 'a', undefined],
    [{ type: 'string' }, 1, 'must be a text'],
    [{ type: 'integer' }, 1.5, 'must be a whole number'],
    [{ type: 'number' }, 1.5, undefined],
    [{ type: 'number' }, 'a', 'must be a number'],
    [{ type: 'integer', minimum: 2 }, 1, 'must be 2 at least'],
    [{ type: 'integer', maximum: 2 }, 3, 'must be 2 at most'],
    [{ type: 'integer', minimum: 0, maximum: 2 }, 2, undefined],
    [{ type: 'object' }, 'a', 'cannot be set by a tool'],
    [{}, 'a', 'cannot be set by a tool'],
  ];
  for (const [schema, value, wrong] of values) {
    it(`${JSON.stringify(value)} in ${JSON.stringify(schema)}: ${wrong ?? 'fits'}`, () => assert.equal(misfit(schema, value), wrong));
  }

  it('is offered only where there are settings', () => {
    const offered = (ports: object): boolean =>
      getTools({ isDenied: () => false, simple: false, availability: availabilityOf(ports, { interactive: true, platform: 'linux' }) }).includes(configTool);
    assert.deepEqual([offered({ configuration: settings() }), offered({})], [true, false]);
  });

  describe('in a session', () => {
    const bareAllow: PermissionRule = { behavior: 'allow', value: { toolName: 'Config' }, source: 'userSettings', root: '/' };
    async function run(input: Input, options: { mode?: PermissionMode; rules?: PermissionRule[]; trusted?: boolean; accept?: boolean } = {}) {
      const configuration = settings();
      const model = createScriptedModel([reply(toolUse('Config', { ...input })), reply(text('So it is.'))]);
      const { mode = 'default', rules = [], trusted = true, accept = true } = options;
      const harness = createHarness({
        model,
        tools: [configTool],
        ports: { configuration },
        answer: () => (accept ? { behavior: 'allow' } : { behavior: 'deny', message: 'No.', interrupt: false }),
        session: { mode, permission: () => ({ rules, folders: ['/w'], ownFolders: [], home: '/home/ann', ignoreCase: false, trusted }) },
      });
      await harness.run('Set it');
      return { approvals: harness.approvals, written: configuration.written, result: JSON.stringify(model.requests[1]?.messages.at(-1)) };
    }
    const set: Input = { setting: 'effort', value: 'high' };

    it('looks without a question, in every mode', async () => {
      for (const mode of ['default', 'plan', 'bypassPermissions'] as const) {
        const { approvals, result } = await run({ setting: 'effort' }, { mode });
        assert.deepEqual(approvals, [], mode);
        assert.match(result, /How much the model thinks/);
      }
    });

    const asking: [string, Parameters<typeof run>[1]][] = [
      ['in Manual', {}],
      ['where edits are accepted', { mode: 'acceptEdits' }],
      ['where nothing else asks', { mode: 'bypassPermissions' }],
      ['where a rule allows the tool', { rules: [bareAllow] }],
    ];
    for (const [name, options] of asking) {
      it(`asks before it sets ${name}, and shows old and new`, async () => {
        const { approvals, written } = await run(set, options);
        assert.equal(approvals.length, 1);
        assert.deepEqual(approvals[0]?.view, { kind: 'markdown', text: '`deft.effort`: `"default"` → `"high"`\n\nHow much the model thinks.' });
        assert.deepEqual(approvals[0]?.suggestions, [], 'no rule would spare the question');
        assert.deepEqual(written, [['effort', 'high']]);
      });
    }

    it('sets nothing that was rejected', async () => {
      assert.deepEqual((await run(set, { accept: false })).written, []);
    });

    for (const [name, options] of [['plan mode', { mode: 'plan' }], ['an untrusted workspace', { trusted: false }]] as const) {
      it(`sets nothing in ${name}`, async () => {
        const { approvals, written, result } = await run(set, options);
        assert.deepEqual([approvals.length, written], [0, []]);
        assert.match(result, /Permission denied/);
      });
    }
  });
});
