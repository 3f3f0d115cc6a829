// A kernel for cells of JavaScript, in one context for all of them: what they print, and the value of the last line.
const { existsSync } = require('node:fs');
const path = require('node:path');
const util = require('node:util');
const vm = require('node:vm');
const vscode = require('vscode');

exports.offer = () => {
  const controller = vscode.notebooks.createNotebookController('deft-test-kernel', 'jupyter-notebook', 'JavaScript');
  const { NotebookCellOutput: Output, NotebookCellOutputItem: Item } = vscode;
  let printed = [];
  let order = 0;
  const context = vm.createContext({
    console: { log: (...values) => void printed.push(util.format(...values)) },
    /** Resolves as soon as the workspace has a file of this name. */
    until: async (name) => {
      const file = path.join(vscode.workspace.workspaceFolders[0].uri.fsPath, name);
      while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 50));
    },
  });
  controller.supportedLanguages = ['javascript'];
  controller.supportsExecutionOrder = true;
  controller.executeHandler = async (cells) => {
    for (const cell of cells) {
      const execution = controller.createNotebookCellExecution(cell);
      execution.executionOrder = ++order;
      execution.start(Date.now());
      await execution.clearOutput();
      printed = [];
      let error;
      try {
        const value = await vm.runInContext(cell.document.getText(), context);
        if (value !== undefined) printed.push(util.inspect(value));
      } catch (thrown) {
        error = thrown;
      }
      if (printed.length > 0) await execution.appendOutput(new Output([Item.stdout(`${printed.join('\n')}\n`)]));
      if (error !== undefined) await execution.appendOutput(new Output([Item.error(error)]));
      execution.end(error === undefined, Date.now());
    }
  };
  return controller;
};
