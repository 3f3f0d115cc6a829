// Which model the provider lists as its newest: read once in a while, for the sessions to come.
import type * as vscode from 'vscode';
import { newestOpus } from '../../core/model/newest-model';
import { type Log } from '../../core/ports/log';
import { type ModelSource } from '../model/model-source';
import { listedModelKey } from './initial-settings';

/** In the background: no session waits for it, the next one uses it. Servers that list nothing change nothing. */
export async function readListedModel(context: vscode.ExtensionContext, models: ModelSource, log: Log): Promise<void> {
  try {
    if (models.demo || !['anthropic', 'gateway'].includes(models.client.provider) || (await models.needsSetup()))
      return;
    const newest = newestOpus(await models.client.listModels(AbortSignal.timeout(10_000)));
    if (newest !== context.globalState.get<string>(listedModelKey))
      await context.globalState.update(listedModelKey, newest);
  } catch (error) {
    log.debug('The list of models could not be read.', String(error));
  }
}
