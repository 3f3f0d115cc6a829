// Names of the models that VS Code offers: marked, so that no other provider is ever asked for one, and none gets a price.

const prefix = 'vscode:';

/** For users who have named none, until the list of models is read. */
export const usualVscodeModel = `${prefix}usual`;

/** `vscode:copilot/claude-sonnet-4.5`. */
export function vscodeModelId(vendor: string, id: string): string {
  return `${prefix}${vendor}/${id}`;
}

export function isVscodeModel(model: string): boolean {
  return model.startsWith(prefix);
}

/** What follows the vendor: enough for a button. */
export function vscodeModelLabel(model: string): string {
  if (model === usualVscodeModel) return "VS Code's model";
  return model.slice(prefix.length).replace(/^[^/]*\//, '') || model;
}
