// Makes the vendor's own API answer: no earlier address gets what is meant for it.
import * as vscode from 'vscode';
import { isVendorAddress } from '../../core/model/provider-choice';
import { type ModelSource } from '../model/model-source';
import { vendorMessage } from './address-choice';

export async function useAnthropic(models: ModelSource): Promise<void> {
  models.demo = false;
  const settings = vscode.workspace.getConfiguration('deft');
  const before = settings.inspect<string>('baseUrl')?.globalValue ?? '';
  // First the address: nothing may go there by the new provider.
  if (before !== '') await settings.update('baseUrl', undefined, vscode.ConfigurationTarget.Global);
  await settings.update('provider', 'anthropic', vscode.ConfigurationTarget.Global);
  const remaining = await models.environmentAddress();
  if (before === '' && isVendorAddress(remaining)) return;
  void vscode.window[isVendorAddress(remaining) ? 'showInformationMessage' : 'showWarningMessage'](
    vendorMessage(before, remaining),
  );
}
