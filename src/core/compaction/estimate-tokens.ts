// About how many tokens a request takes, where no reply has said it yet.
import { type ModelRequest } from '../model/wire';

/** Code and JSON are denser than prose: newer tokenizers make a token of fewer than four characters. */
const charsPerToken = 3.5;
/** An image or a page of a PDF, whatever its bytes. */
const fileTokens = 1_600;

export function textTokens(text: string): number {
  return Math.ceil(text.length / charsPerToken);
}

export function charsOf(tokens: number): number {
  return Math.floor(tokens * charsPerToken);
}

export function estimateTokens(content: Partial<Pick<ModelRequest, 'system' | 'tools' | 'messages'>>): number {
  let files = 0;
  const { tools } = content;
  // What is deferred is not before the model.
  const read = tools === undefined ? content : { ...content, tools: tools.filter((tool) => !('defer_loading' in tool)) };
  const text = JSON.stringify(read, (key, value: unknown) => {
    if (key !== 'source') return value;
    files++;
    return undefined;
  });
  return textTokens(text) + files * fileTokens;
}
