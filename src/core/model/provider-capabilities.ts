// What each provider's API takes beyond the plain request, as far as public documentation says so.

export interface ProviderCapabilities {
  /** `input_examples` of tools, without a beta header. */
  inputExamples: boolean;
  /** `strict` of tools. */
  strictTools: boolean;
}

/** By ModelClient.provider. Where a header or a certain model would be needed it counts as no: examples are worth no refused request. */
const capabilities: Record<string, ProviderCapabilities> = {
  anthropic: { inputExamples: true, strictTools: true },
  foundry: { inputExamples: false, strictTools: true },
  bedrock: { inputExamples: false, strictTools: false },
  vertex: { inputExamples: false, strictTools: false },
};

/** A provider that is not in the table is sent nothing that it might refuse. */
export function providerCapabilities(provider: string): ProviderCapabilities {
  return capabilities[provider] ?? { inputExamples: false, strictTools: false };
}
