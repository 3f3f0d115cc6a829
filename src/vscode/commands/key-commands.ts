// Commands around the API key: it goes into secret storage and nowhere else.
import * as vscode from 'vscode';
import { type ModelSource } from '../model/model-source';

export function keyCommands(models: ModelSource): Record<string, () => Promise<void>> {
  return {
    'deft.setApiKey': async () => {
      const key = await vscode.window.showInputBox({
        title: 'API key',
        prompt: 'Kept in VS Code\'s secret storage. Leave empty to cancel.',
        password: true,
        ignoreFocusOut: true,
        validateInput: (value) => (/\s/.test(value.trim()) ? 'A key has no spaces or line breaks in it.' : undefined),
      });
      if (key === undefined || key.trim() === '') return;
      await models.setKey(key.trim());
      void vscode.window.showInformationMessage('Deft: the API key is set.');
    },
    'deft.clearApiKey': async () => {
      await models.clearKey();
      void vscode.window.showInformationMessage('Deft: the stored API key is gone. A key in the environment still counts.');
    },
  };
}
