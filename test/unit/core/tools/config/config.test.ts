// Config beyond its table: which values fit, and that setting asks in every mode.
import assert from 'node:assert/strict';
import { type Configuration, type ConfigurationEntry } from '../../../../../src/core/ports/configuration';
import { availabilityOf } from '../../../../../src/core/tool/availability';
import { configTool } from '../../../../../src/core/tools/config/config';
import { misfit } from '../../../../../src/core/tools/config/config-value';
import { getTools } from '../../../../../src/core/tools/registry';
import { type PermissionMode, type PermissionRule } from '../../../../../src/shared/permission';
import { reply, text, toolUse } from '../../../../support/messages-api/script';
import { createScriptedModel } from '../../../../support/scripted-model';
import { createHarness } from '../../../../support/session-harness';

function settings(): Configuration & { written: [string, unknown][] } {
  const entries: ConfigurationEntry[] = [
    {
      key: 'effort',
      value: 'default',
      source: 'default',
      description: 'How much the model thinks.',
      writable: true,
      schema: { type: 'string', enum: ['default', 'high'] },
    },
    {
      key: 'diagnostics.delay',
      value: 500,
      source: 'workspace',
      description: 'Milliseconds.',
      writable: true,
      schema: { type: 'integer', minimum: 0, maximum: 10_000 },
    },
    {
      key: 'baseUrl',
      value: '',
      source: 'default',
      description: 'The address.',
      writable: false,
      schema: { type: 'string' },
    },
  ];
  const written: [string, unknown][] = [];
  return {
    written,
    list: () => entries,
    async set(key, value) {
      written.push([key, value]);
      const entry = entries.find((one) => one.key === key);
      if (entry !== undefined) Object.assign(entry, { value, source: 'user' });
    },
  };
}

type Input = Parameters<typeof configTool.call>[0];

describe('Config', () => {
  const values: [Record<string, unknown>, unknown, string | undefined][] = [
    [{ type: 'boolean' }, true, undefined],
    [{ type: 'boolean' }, 'true', 'must be true or false'],
    [{ type: 'string' }, 'a', undefined],
    [{ type: 'string' }, 1, 'must be a string'],
    [{ type: 'integer' }, 1.5, 'must be a whole number'],
    [{ type: 'number' }, 1.5, undefined],
    [{ type: 'number' }, 'a', 'must be a number'],
    [{ type: 'integer', minimum: 2 }, 1, 'must be at least 2'],
    [{ type: 'integer', maximum: 2 }, 3, 'must be at most 2'],
    [{ type: 'integer', minimum: 0, maximum: 2 }, 2, undefined],
    [{ type: 'object' }, 'a', 'cannot be set by a tool'],
    [{}, 'a', 'cannot be set by a tool'],
  ];
  for (const [schema, value, wrong] of values) {
    it(`${JSON.stringify(value)} in ${JSON.stringify(schema)}: ${wrong ?? 'fits'}`, () =>
      assert.equal(misfit(schema, value), wrong));
  }

  it('is offered only where there are settings', () => {
    const offered = (ports: object): boolean =>
      getTools({
        isDenied: () => false,
        simple: false,
        availability: availabilityOf(ports, { interactive: true, platform: 'linux' }),
      }).includes(configTool);
    assert.deepEqual([offered({ configuration: settings() }), offered({})], [true, false]);
  });

  describe('in a session', () => {
    const bareAllow: PermissionRule = {
      behavior: 'allow',
      value: { toolName: 'Config' },
      source: 'userSettings',
      root: '/',
    };
    async function run(
      input: Input,
      options: { mode?: PermissionMode; rules?: PermissionRule[]; trusted?: boolean; accept?: boolean } = {},
    ) {
      const configuration = settings();
      const model = createScriptedModel([reply(toolUse('Config', { ...input })), reply(text('So it is.'))]);
      const { mode = 'default', rules = [], trusted = true, accept = true } = options;
      const harness = createHarness({
        model,
        tools: [configTool],
        ports: { configuration },
        answer: () => (accept ? { behavior: 'allow' } : { behavior: 'deny', message: 'No.', interrupt: false }),
        session: {
          mode,
          permission: () => ({ rules, folders: ['/w'], ownFolders: [], home: '/home/ann', ignoreCase: false, trusted }),
        },
      });
      await harness.run('Set it');
      return {
        approvals: harness.approvals,
        written: configuration.written,
        result: JSON.stringify(model.requests[1]?.messages.at(-1)),
      };
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
        assert.deepEqual(approvals[0]?.view, {
          kind: 'markdown',
          text: '`deft.effort`: `"default"` → `"high"`\n\nHow much the model thinks.',
        });
        assert.deepEqual(approvals[0]?.suggestions, [], 'no rule would spare the question');
        assert.deepEqual(written, [['effort', 'high']]);
      });
    }

    it('sets nothing that was rejected', async () => {
      assert.deepEqual((await run(set, { accept: false })).written, []);
    });

    for (const [name, options] of [
      ['plan mode', { mode: 'plan' }],
      ['an untrusted workspace', { trusted: false }],
    ] as const) {
      it(`sets nothing in ${name}`, async () => {
        const { approvals, written, result } = await run(set, options);
        assert.deepEqual([approvals.length, written], [0, []]);
        assert.match(result, /Permission denied/);
      });
    }
  });
});
