// Tools for language models, and models, as another extension registers them.
const vscode = require('vscode');
const kernel = require('./kernel.js');
const memoryFiles = require('./memory-files.js');
const languageServer = require('./language-server.js');
const models = require('./models.js');

exports.activate = ({ subscriptions }) => {
  const { LanguageModelTextPart, LanguageModelToolResult, lm } = vscode;
  // Newer than the types: versions that know it take pictures.
  const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  const pictures = vscode.LanguageModelDataPart === undefined ? [] : [vscode.LanguageModelDataPart.image(picture, 'image/png')];
  // Newer than the types: versions that know it let extensions bring models.
  if (lm.registerLanguageModelChatProvider !== undefined) subscriptions.push(models.register());
  const use = async (tool, input) => {
    const { content } = await lm.invokeTool(tool, { input, toolInvocationToken: undefined });
    return content.map(({ value }) => value).join('');
  };
  const show = (text) => void vscode.window.showInformationMessage(text);
  subscriptions.push(
    memoryFiles.register(),
    // It ends with the window at the latest.
    vscode.commands.registerCommand('deft-test.serve', async (given) => {
      const served = await languageServer.serve(given);
      subscriptions.push(served);
      return served;
    }),
    // Deft's own tools, as any other extension uses them.
    vscode.commands.registerCommand('deft-test.review', async () => show(await use('deft_review', {}))),
    vscode.commands.registerCommand('deft-test.rewind', async () => {
      const [, checkpoint] = /\n(\S+) \d{4}-/.exec(await use('deft_rewind', {})) ?? [];
      show(await use('deft_rewind', { checkpoint }).catch((error) => `Not rewound: ${error.message}`));
    }),
    vscode.commands.registerCommand('deft-test.kernel', () => void subscriptions.push(kernel.offer())),
    lm.registerTool('deft-test_shout', { invoke: ({ input }) => new LanguageModelToolResult([new LanguageModelTextPart(`${input.text.toUpperCase()}!`), ...pictures]) }),
    lm.registerTool('deft-test_fail', { invoke: () => Promise.reject(new Error('It cannot do that.')) }),
    lm.registerTool('deft-test_hang', { invoke: (_options, token) => new Promise((_resolve, reject) => token.onCancellationRequested(() => reject(new vscode.CancellationError()))) }),
  );
  return models;
};
