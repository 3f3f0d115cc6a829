// What the list of models of this window goes by.
import { defaultModel } from '../../core/model/models';
import { type ModelPickServices } from '../commands/pick-model';
import { readConfiguration } from '../host/configuration';
import { variablesNow } from '../session/variables-now';
import { type WindowParts } from './window-parts';

export function modelPicks({ models, rules }: Pick<WindowParts['options'], 'models' | 'rules'>): ModelPickServices {
  return {
    client: models.client,
    available: () => rules.values().availableModels,
    environment: () => variablesNow(rules),
    usual: () => [readConfiguration().model, defaultModel],
  };
}
