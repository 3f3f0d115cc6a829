// What each provider's API takes beyond the plain request, as far as public documentation says so.

export interface ProviderCapabilities {
  /** `input_examples` of tools, without a beta header. */
  inputExamples: boolean;
  /** `strict` of tools. */
  strictTools: boolean;
  /** `defer_loading` of tools and `tool_reference` in results. */
  toolReferences: boolean;
}

/** By ModelClient.provider. Where a header or a certain model would be needed it counts as no: examples are worth no refused request. */
const capabilities: Record<string, ProviderCapabilities> = {
  anthropic: { inputExamples: true, strictTools: true, toolReferences: true },
  foundry: { inputExamples: false, strictTools: true, toolReferences: false },
  bedrock: { inputExamples: false, strictTools: false, toolReferences: false },
  vertex: { inputExamples: false, strictTools: false, toolReferences: false },
};

/** A provider that is not in the table is sent nothing that it might refuse. */
export function providerCapabilities(provider: string): ProviderCapabilities {
  return capabilities[provider] ?? { inputExamples: false, strictTools: false, toolReferences: false };
}

/** Of the 4.5 models or later: with them came strict and deferred tools. */
export function isFrom45(model: string): boolean {
  const version = /(?:opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?!\d)(?:-(\d{1,2})(?!\d))?/.exec(model);
  if (version === null) return false;
  return Number(version[1]) > 4 || (Number(version[1]) === 4 && Number(version[2] ?? 0) >= 5);
}
