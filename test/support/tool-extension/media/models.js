// Models, as another extension offers them to VS Code. What they answer stands in the prompt, or is set by a test in the same host.
const vscode = require('vscode');

const information = [
  { id: 'gpt-test', name: 'GPT Test', family: 'gpt', version: '1', maxInputTokens: 64000, maxOutputTokens: 4096, capabilities: { toolCalling: true, imageInput: false } },
  { id: 'claude-sonnet-9.1', name: 'Claude Sonnet 9.1', family: 'claude', version: '1', maxInputTokens: 90000, maxOutputTokens: 8192, capabilities: { toolCalling: true, imageInput: true } },
  { id: 'no-tools', name: 'No Tools', family: 'none', version: '1', maxInputTokens: 64000, maxOutputTokens: 4096, capabilities: {} },
];

/** What went out, as plain data, and what is answered in place of the prompt's own script. */
exports.requests = [];
exports.answer = undefined;
exports.offered = information;

exports.register = () => {
  const { LanguageModelTextPart, LanguageModelToolCallPart, LanguageModelThinkingPart } = vscode;
  const changed = new vscode.EventEmitter();
  exports.offer = (models) => {
    exports.offered = models;
    changed.fire();
  };
  exports.all = information;
  const parts = {
    say: (text) => new LanguageModelTextPart(text),
    think: (text) => new LanguageModelThinkingPart(text),
    call: ([name, input], id) => new LanguageModelToolCallPart(id, name, input),
  };
  exports.parts = parts;
  return vscode.lm.registerLanguageModelChatProvider('deft-test', {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: async () => exports.offered,
    provideTokenCount: async (_model, text) => (typeof text === 'string' ? text : textOf(text)).length,
    async provideLanguageModelChatResponse(model, messages, options, progress, token) {
      const request = { model: model.id, messages: messages.map(plainMessage), tools: (options.tools ?? []).map(({ name, inputSchema }) => ({ name, inputSchema })), toolMode: options.toolMode, raw: messages };
      exports.requests.push(request);
      if (exports.answer !== undefined) return exports.answer(request, progress, token);
      // `SCRIPT [[{"say":"…"},{"call":["Read",{…}]},{"name":true}], …]`: one list of parts for each reply of the turn.
      const texts = request.messages.filter(({ role }) => role === 'user').flatMap(({ parts }) => parts.filter(({ type }) => type === 'text').map(({ text }) => text));
      const written = texts.findLast((text) => text.startsWith('SCRIPT '));
      const at = request.messages.findLastIndex(({ parts }) => parts.some(({ text }) => text !== undefined && text === written));
      const done = request.messages.slice(at + 1).filter(({ role }) => role === 'assistant').length;
      const script = written === undefined ? undefined : JSON.parse(written.slice('SCRIPT '.length))[done];
      for (const [index, part] of (script ?? [{ say: `${model.name} answers.` }]).entries()) {
        if (part.name) progress.report(parts.say(`${model.name} answers.`));
        else if (part.hang) await new Promise((resolve) => token.onCancellationRequested(resolve));
        else for (const [kind, value] of Object.entries(part)) progress.report(parts[kind](value, `call-${index}`));
      }
    },
  });
};

function textOf(message) {
  return JSON.stringify(plainMessage(message).parts);
}

function plainMessage({ role, content }) {
  return { role: role === vscode.LanguageModelChatMessageRole.User ? 'user' : 'assistant', parts: content.map(plainPart) };
}

function plainPart(part) {
  if (part instanceof vscode.LanguageModelTextPart) return { type: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart) return { type: 'call', id: part.callId, name: part.name, input: part.input };
  if (part instanceof vscode.LanguageModelToolResultPart) return { type: 'result', id: part.callId, content: part.content.map(plainPart), isError: part.isError };
  return { type: 'data', mimeType: part.mimeType, bytes: part.data?.length };
}
