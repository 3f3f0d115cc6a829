// What newer versions of VS Code have of the language model API and the pinned types do not: each part is looked for at run time.
import * as vscode from 'vscode';

type DataPart = new (data: Uint8Array, mimeType: string) => object;
type ThinkingPart = abstract new (...args: never[]) => { value: string | string[] };

const newer = vscode as unknown as { LanguageModelDataPart?: DataPart; LanguageModelThinkingPart?: ThinkingPart };

/** Undefined where this VS Code knows no part for data: pictures cannot be sent then. */
export function dataPart(data: Uint8Array, mimeType: string): object | undefined {
  return newer.LanguageModelDataPart === undefined ? undefined : new newer.LanguageModelDataPart(data, mimeType);
}

export function hasDataParts(): boolean {
  return newer.LanguageModelDataPart !== undefined;
}

/** Undefined for any other part. */
export function thinkingText(part: unknown): string | undefined {
  if (newer.LanguageModelThinkingPart === undefined || !(part instanceof newer.LanguageModelThinkingPart))
    return undefined;
  return Array.isArray(part.value) ? part.value.join('') : part.value;
}

/** Undefined: this VS Code does not say. */
export function chatModelCapabilities(model: vscode.LanguageModelChat): {
  images: boolean | undefined;
  tools: boolean | undefined;
} {
  const { capabilities } = model as {
    capabilities?: { supportsImageToText?: boolean; supportsToolCalling?: boolean | number };
  };
  const tools = capabilities?.supportsToolCalling;
  return { images: capabilities?.supportsImageToText, tools: tools === undefined ? undefined : Boolean(tools) };
}

/** Newer versions take a third argument; the others pass over it. */
export function toolResultPart(
  callId: string,
  content: unknown[],
  isError: boolean,
): vscode.LanguageModelToolResultPart {
  const Part = vscode.LanguageModelToolResultPart as new (
    callId: string,
    content: unknown[],
    isError?: boolean,
  ) => vscode.LanguageModelToolResultPart;
  return new Part(callId, content, isError);
}
