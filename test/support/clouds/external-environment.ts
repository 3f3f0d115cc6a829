// Puts somebody else's credentials into this process's environment while a suite runs: none of them may be used.

const external: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: 'external-key-of-the-process',
  ANTHROPIC_AUTH_TOKEN: 'external-token-of-the-process',
  ANTHROPIC_BEDROCK_BASE_URL: 'http://127.0.0.1:9',
  ANTHROPIC_VERTEX_BASE_URL: 'http://127.0.0.1:9',
  ANTHROPIC_VERTEX_PROJECT_ID: 'external-project',
  ANTHROPIC_FOUNDRY_BASE_URL: 'http://127.0.0.1:9',
  ANTHROPIC_FOUNDRY_RESOURCE: 'external-resource',
  ANTHROPIC_FOUNDRY_API_KEY: 'external-foundry-key',
  AWS_ACCESS_KEY_ID: 'AKIAFOREIGN',
  AWS_SECRET_ACCESS_KEY: 'external-secret',
  AWS_SESSION_TOKEN: 'external-session',
  AWS_BEARER_TOKEN_BEDROCK: 'external-bearer',
  AWS_PROFILE: 'external',
  AWS_REGION: 'xx-external-1',
  CLOUD_ML_REGION: 'external-region',
  GOOGLE_CLOUD_PROJECT: 'external-project',
  METADATA_SERVER_DETECTION: 'none',
};

/** To be called in a `describe`. */
export function withExternalEnvironment(): void {
  const before: Record<string, string | undefined> = {};
  beforeEach(() => {
    for (const [name, value] of Object.entries(external)) {
      before[name] = process.env[name];
      process.env[name] = value;
    }
  });
  afterEach(() => {
    for (const name of Object.keys(external)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });
}
