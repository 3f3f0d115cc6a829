// Why Deft may ask no model in this window: locks of an organization that it cannot hold.
import { chooseProvider } from '../../core/model/provider-choice';
import { stopSentence } from '../../core/settings/start-stops';
import { readConfiguration } from '../host/configuration';
import { type RuleSource } from './rule-source';
import { variablesNow } from './variables-now';

/** Undefined where nothing keeps Deft from starting. */
export function startRefusal(rules: Pick<RuleSource, 'stops' | 'environment'>): string | undefined {
  const provider = chooseProvider(readConfiguration().provider, variablesNow(rules));
  return stopSentence(rules.stops(), provider !== 'anthropic' && provider !== 'vscode');
}
