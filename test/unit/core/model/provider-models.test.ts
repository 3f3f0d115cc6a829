// The names of models at each cloud.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  isRegionalEndpoint,
  modelListNote,
  offeredModels,
  providerModel,
} from '../../../../src/core/model/provider-models';
import { defaultModel, smallModel } from '../../../../src/core/model/models';
import { priceOf } from '../../../../src/core/model/prices';

describe('names of models at a cloud', () => {
  it("are Bedrock's with the inference profile of the region", () => {
    const names: [model: string, region: string | undefined, there: string][] = [
      ['claude-opus-5', 'us-east-1', 'us.anthropic.claude-opus-5'],
      ['claude-opus-5', 'ca-central-1', 'us.anthropic.claude-opus-5'],
      ['claude-opus-5-5', 'ap-northeast-1', 'jp.anthropic.claude-opus-5-5'],
      ['claude-sonnet-4-6', 'ap-southeast-2', 'au.anthropic.claude-sonnet-4-6'],
      ['claude-opus-4-6', 'ap-south-1', 'global.anthropic.claude-opus-4-6-v1'],
      ['claude-sonnet-4-5', 'us-gov-west-1', 'us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0'],
      ['claude-sonnet-4-5-20250929', 'eu-west-1', 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'],
      ['claude-opus-5[1m]', undefined, 'global.anthropic.claude-opus-5'],
    ];
    for (const [model, region, there] of names) assert.equal(providerModel('bedrock', model, region), there);
  });

  it('tell whether requests stay in one part of the world, which costs more', () => {
    const rows: [
      provider: 'bedrock' | 'vertex' | 'foundry',
      model: string,
      region: string | undefined,
      regional: boolean,
    ][] = [
      ['bedrock', 'claude-opus-5', 'us-east-1', true],
      ['bedrock', 'claude-opus-5', 'eu-west-1', true],
      ['bedrock', 'claude-opus-5', 'ap-south-1', false],
      ['bedrock', 'global.anthropic.claude-opus-5', 'us-east-1', false],
      ['bedrock', 'jp.anthropic.claude-opus-5', undefined, true],
      ['vertex', 'claude-opus-5', 'us-east5', true],
      ['vertex', 'claude-opus-5', 'global', false],
      ['foundry', 'claude-opus-5', undefined, false],
    ];
    for (const [provider, model, region, regional] of rows)
      assert.equal(isRegionalEndpoint(provider, model, region), regional, `${provider} ${model} ${region}`);
    assert.equal(
      isRegionalEndpoint('bedrock', 'claude-opus-5', 'us-east-1', {
        'claude-opus-5': 'global.anthropic.claude-opus-5',
      }),
      false,
    );
  });

  it("are Vertex AI's with a date where they have one, and Foundry's without", () => {
    assert.equal(providerModel('vertex', 'claude-opus-5', 'global'), 'claude-opus-5');
    assert.equal(providerModel('vertex', 'claude-opus-4-5', 'global'), 'claude-opus-4-5@20251101');
    assert.equal(providerModel('vertex', 'claude-opus-4-5@20251101', 'global'), 'claude-opus-4-5@20251101');
    assert.equal(providerModel('foundry', 'claude-opus-4-5-20251101', undefined), 'claude-opus-4-5');
  });

  it('know the default and the small model everywhere', () => {
    for (const model of [defaultModel, smallModel]) {
      for (const provider of ['bedrock', 'vertex', 'foundry'] as const)
        assert.match(providerModel(provider, model, 'us-east-1'), /claude-(opus|haiku)-\d/);
    }
    assert.equal(
      providerModel('bedrock', 'claude-haiku-4-5-20251001', 'us-east-1'),
      'us.anthropic.claude-haiku-4-5-20251001-v1:0',
    );
    assert.equal(providerModel('vertex', 'claude-haiku-4-5-20251001', 'us-east5'), 'claude-haiku-4-5@20251001');
  });

  it("stay as they are where they are a provider's own, or settings say another", () => {
    for (const own of [
      'anthropic.claude-opus-5',
      'apac.anthropic.claude-sonnet-4-20250514-v1:0',
      'arn:aws:bedrock:us-east-1:1:inference-profile/x',
      'my-deployment',
      'claude-opus-5-preview',
    ]) {
      assert.equal(providerModel('bedrock', own, 'us-east-1'), own);
    }
    assert.equal(
      providerModel('bedrock', 'claude-haiku-4-5-20251001', 'us-east-1', { 'claude-haiku-4-5': 'arn:x' }),
      'arn:x',
    );
    assert.equal(
      providerModel('foundry', 'claude-opus-5', undefined, { 'claude-opus-5': 'contoso-opus' }),
      'contoso-opus',
    );
  });

  it('are offered by the names that Deft knows limits of, with a note', () => {
    for (const { id, displayName } of offeredModels()) {
      assert.notEqual(priceOf(id), undefined, id);
      assert.match(displayName, /^Claude [A-Z][a-z]+ \d/);
    }
    assert.match(modelListNote('bedrock'), /provides no list/);
    assert.equal(modelListNote('anthropic'), 'Pick a model, or type its id');
    assert.match(readFileSync('src/vscode/commands/pick-model.ts', 'utf8'), /placeholder = modelListNote\(/);
  });
});
