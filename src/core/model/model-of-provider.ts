// Whether a model's name can be one of a provider's: a session that changes its provider must not go on with another's names.
import { type ProviderId } from '../wire/model-capabilities';
import { isVscodeModel } from './vscode-models';

/** Refuses only what certainly belongs elsewhere: gateways and deployments name models as they like. */
export function canBeModelOf(provider: ProviderId, model: string): boolean {
  if (provider === 'demo') return true;
  if (isVscodeModel(model)) return provider === 'vscode';
  switch (provider) {
    case 'gateway':
    case 'foundry':
    case 'vscode':
      return true;
    case 'bedrock':
      return !model.includes('@');
    case 'anthropic':
    case 'vertex':
      return !/[:/]|^([a-z]{2,6}\.)?anthropic\./.test(model) && (provider === 'vertex' || !model.includes('@'));
  }
}
