// The variables that steer requests: read alike in every host, and named where they are wrong.
import assert from 'node:assert/strict';
import { capabilitiesOf } from '../../../../src/core/model/capabilities';
import { buildRequest } from '../../../../src/core/loop/build-request';
import { resolveModelName } from '../../../../src/core/model/model-name';
import { answerLanguage } from '../../../../src/core/settings/answer-language';
import { requestVariables } from '../../../../src/core/settings/request-variables';
import { settingsOfFiles } from '../../../../src/core/session/settings-of-files';
import { writeBody } from '../../../../src/providers/request-body';

const settings = { system: [], tools: [], maxOutputTokens: 32_000, sessionId: 's' };

describe('request variables', () => {
  it('are read', () => {
    const { variables, problems } = requestVariables({
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: ' 4000 ',
      MAX_THINKING_TOKENS: '0',
      CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY: '2',
      CLAUDE_CODE_MAX_RETRIES: '3',
      API_TIMEOUT_MS: '5000',
      CLAUDE_CODE_EXTRA_BODY: '{"service_tier":"auto"}',
      CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: '1',
      CLAUDE_CODE_SIMPLE: 'yes',
      DISABLE_PROMPT_CACHING: '1',
      DEFT_STRICT_TOOLS: '1',
      MAX_MCP_OUTPUT_TOKENS: '9',
      MCP_TOOL_BACKGROUND_MS: '0',
      CLAUDE_CODE_EFFORT_LEVEL: 'High',
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
      CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000',
    });
    const { retry, ...others } = variables;
    assert.deepEqual(problems, []);
    assert.equal(retry.maxAttempts, 4);
    assert.deepEqual(others, {
      maxOutputTokens: 4000,
      maxThinkingTokens: 0,
      maxConcurrentTools: 2,
      timeoutMs: 5000,
      extraBody: { service_tier: 'auto' },
      withoutBetas: true,
      withoutCaching: true,
      withoutBackground: true,
      strictTools: true,
      simple: true,
      toolSearch: { deferral: 'on', references: false, certain: false },
      effort: 'high',
      autoCompactWindow: 100_000,
      mcpOutputTokens: 9,
      mcpBackgroundMs: 0,
    });
  });

  it("tools are deferred unless ENABLE_TOOL_SEARCH says no, and told to the vendor's own address only unless it says yes", () => {
    const mode = (environment: Record<string, string>): string => {
      const { deferral, references } = requestVariables(environment).variables.toolSearch;
      return [deferral, references].join();
    };
    assert.equal(mode({}), 'on,true');
    assert.equal(mode({ ANTHROPIC_BASE_URL: 'https://api.anthropic.com' }), 'on,true');
    assert.equal(mode({ ANTHROPIC_BASE_URL: 'https://api.anthropic.com.example.org' }), 'on,false');
    assert.equal(mode({ ANTHROPIC_BASE_URL: 'https://gateway.example.org' }), 'on,false');
    assert.equal(mode({ ANTHROPIC_BASE_URL: 'https://gateway.example.org', ENABLE_TOOL_SEARCH: 'true' }), 'on,true');
    assert.equal(mode({ ENABLE_TOOL_SEARCH: 'false' }), 'off,true');
    assert.equal(mode({ ENABLE_TOOL_SEARCH: 'auto:5' }), 'auto,true');
  });

  it('that are wrong are left out and named', () => {
    const { variables, problems } = requestVariables({
      API_TIMEOUT_MS: 'soon',
      CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY: '0',
      CLAUDE_CODE_EXTRA_BODY: '[1]',
      CLAUDE_CODE_EFFORT_LEVEL: 'huge',
      CLAUDE_CODE_AUTO_COMPACT_WINDOW: '-1',
    });
    assert.deepEqual([variables.effort, variables.autoCompactWindow], [undefined, undefined]);
    assert.deepEqual(
      [variables.timeoutMs, variables.maxConcurrentTools, variables.extraBody],
      [undefined, undefined, undefined],
    );
    assert.deepEqual(problems, [
      'CLAUDE_CODE_EXTRA_BODY takes a JSON object.',
      'CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY takes a whole number from 1, not "0".',
      'API_TIMEOUT_MS takes a whole number from 1, not "soon".',
      'CLAUDE_CODE_EFFORT_LEVEL takes low, medium, high, xhigh, max, not "huge".',
      'CLAUDE_CODE_AUTO_COMPACT_WINDOW takes a whole number from 1, not "-1".',
    ]);
  });

  it('CLAUDE_CODE_AUTO_COMPACT_WINDOW wins over the settings', () => {
    const windowOf = (environment: Record<string, string>): number | undefined => {
      const { variables } = requestVariables(environment);
      return settingsOfFiles(() => ({ autoCompactWindow: 150_000 }), variables).requests.autoCompact?.().window;
    };
    assert.equal(windowOf({ CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000' }), 100_000);
    assert.equal(windowOf({}), 150_000);
  });

  it('choose no other model for a body', () => {
    const { variables, problems } = requestVariables({ CLAUDE_CODE_EXTRA_BODY: '{"model":"m","service_tier":"auto"}' });
    assert.deepEqual(variables.extraBody, { service_tier: 'auto' });
    assert.deepEqual(problems, ['CLAUDE_CODE_EXTRA_BODY cannot choose the model: use ANTHROPIC_MODEL.']);
  });

  it('MAX_THINKING_TOKENS limits the budget, and 0 asks for no thinking', () => {
    const thinking = (model: string, maxThinkingTokens: number) =>
      buildRequest([], {
        ...settings,
        model,
        can: capabilitiesOf('anthropic', model),
        thinking: { on: true, summaries: true, limit: maxThinkingTokens },
      }).thinking;
    assert.deepEqual(thinking('claude-haiku-4-5', 4_000), { type: 'enabled', budget_tokens: 4_000 });
    assert.deepEqual(thinking('claude-haiku-4-5', 20_000), { type: 'enabled', budget_tokens: 20_000 });
    assert.equal(thinking('claude-haiku-4-5', 0), undefined);
    assert.deepEqual(thinking('claude-opus-5', 0), { type: 'disabled' }, 'it thinks where nothing is said');
    assert.equal(thinking('claude-opus-4-8', 0), undefined);
    assert.deepEqual(
      thinking('claude-fable-5', 0),
      { type: 'adaptive', display: 'summarized' },
      'it cannot be switched off',
    );
  });

  it('the extra body is in every request, and takes nothing away', () => {
    const request = buildRequest([], {
      ...settings,
      model: 'claude-opus-5',
      can: capabilitiesOf('anthropic', 'claude-opus-5'),
    });
    const body = JSON.parse(
      Buffer.concat(writeBody(request, { top_k: 5, stream: false, messages: 'none', tools: 'none' })).toString(),
    ) as Record<string, unknown>;
    assert.deepEqual(
      [body['top_k'], body['stream'], body['messages'], body['tools'], body['model']],
      [5, true, [], undefined, 'claude-opus-5'],
    );
  });

  it('short names of models stand for what the environment says', () => {
    assert.equal(resolveModelName('opus', {}), 'claude-opus-5-5');
    assert.equal(resolveModelName('sonnet', { ANTHROPIC_DEFAULT_SONNET_MODEL: 'mine' }), 'mine');
    assert.equal(resolveModelName('claude-x', {}), 'claude-x');
    assert.equal(resolveModelName('constructor', {}), 'constructor');
  });

  it('a language is a short name', () => {
    assert.match(answerLanguage({ language: ' Brazilian\nPortuguese ' }) ?? '', /in Brazilian Portuguese\./);
    assert.equal(answerLanguage({ language: '' }), undefined);
    assert.equal(answerLanguage({ language: 'x'.repeat(61) }), undefined);
    assert.equal(answerLanguage({}), undefined);
  });
});
