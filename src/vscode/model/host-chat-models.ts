// VS Code's language models as plain functions: Deft's messages into the host's parts, the host's parts into plain answers.
import * as vscode from 'vscode';
import { type AnswerPart } from './chat-answer';
import { type ChatMessage, type ImagePart, type TextPart } from './chat-messages';
import { type HostChatModel, type HostChatModels } from './language-models';
import {
  chatModelCapabilities,
  dataPart,
  hasDataParts,
  thinkingText,
  toolResultPart,
} from './newer-language-model-api';

export const hostChatModels: HostChatModels = {
  async list() {
    const seen = new Set<string>();
    return (await vscode.lm.selectChatModels()).flatMap((model) => {
      const key = `${model.vendor}/${model.id}`;
      if (seen.has(key) || chatModelCapabilities(model).tools === false) return [];
      seen.add(key);
      return [hostChatModel(model)];
    });
  },
};

function hostChatModel(model: vscode.LanguageModelChat): HostChatModel {
  const { vendor, id, family, name, maxInputTokens } = model;
  return {
    vendor,
    id,
    family,
    name,
    maxInputTokens,
    takesImages: hasDataParts() && chatModelCapabilities(model).images !== false,
    async send(messages, tools, mode, signal) {
      const token = tokenOf(signal);
      const { stream } = await model.sendRequest(
        messages.map(hostMessage),
        {
          justification: 'Deft answers your messages with the model that you picked.',
          ...(tools.length === 0
            ? {}
            : {
                tools: [...tools],
                toolMode:
                  mode === 'required'
                    ? vscode.LanguageModelChatToolMode.Required
                    : vscode.LanguageModelChatToolMode.Auto,
              }),
        },
        token,
      );
      return answerParts(stream);
    },
    count: async (text, signal) =>
      model.countTokens(typeof text === 'string' ? text : hostMessage(text), tokenOf(signal)),
  };
}

function hostMessage({ role, parts }: ChatMessage): vscode.LanguageModelChatMessage {
  if (role === 'assistant') {
    return vscode.LanguageModelChatMessage.Assistant(
      parts.map((part) =>
        part.type === 'text'
          ? new vscode.LanguageModelTextPart(part.text)
          : new vscode.LanguageModelToolCallPart(part.id, part.name, part.input),
      ),
    );
  }
  const content = parts.map((part) =>
    part.type === 'result' ? toolResultPart(part.id, part.content.map(contentPart), part.isError) : contentPart(part),
  );
  // The types of this version know no pictures in messages.
  return vscode.LanguageModelChatMessage.User(
    content as (vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart)[],
  );
}

function contentPart(part: TextPart | ImagePart): object {
  if (part.type === 'text') return new vscode.LanguageModelTextPart(part.text);
  return (
    dataPart(Buffer.from(part.base64, 'base64'), part.mediaType) ??
    new vscode.LanguageModelTextPart('[An image that this version of VS Code cannot send.]')
  );
}

async function* answerParts(stream: AsyncIterable<unknown>): AsyncGenerator<AnswerPart> {
  for await (const part of stream) {
    if (part instanceof vscode.LanguageModelTextPart) yield { type: 'text', text: part.value };
    else if (part instanceof vscode.LanguageModelToolCallPart)
      yield { type: 'call', id: part.callId, name: part.name, input: part.input };
    else {
      const thinking = thinkingText(part);
      if (thinking !== undefined) yield { type: 'thinking', text: thinking };
    }
  }
}

function tokenOf(signal: AbortSignal): vscode.CancellationToken {
  const source = new vscode.CancellationTokenSource();
  if (signal.aborted) source.cancel();
  else signal.addEventListener('abort', () => source.cancel(), { once: true });
  return source.token;
}
