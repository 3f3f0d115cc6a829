// The vendor's SDKs, each read at its first use. Built once for both hosts (esbuild.mjs, `sdks`), into files that share what they have in common.

/** One of each, for what a client needs of it: nothing else of the providers imports an SDK. */
export const providerSdks = {
  anthropic: async () => (await import('@anthropic-ai/sdk')).Anthropic,
  bedrock: async () => (await import('@anthropic-ai/bedrock-sdk/client')).AnthropicBedrock,
  awsCredentials: async () => (await import('./aws-sdk')).awsSdk,
  vertex: async () => (await import('@anthropic-ai/vertex-sdk/client')).AnthropicVertex,
  googleAuth: async () => (await import('./google-sdk')).googleSdk.GoogleAuth,
  foundry: async () => (await import('@anthropic-ai/foundry-sdk/client')).AnthropicFoundry,
};
