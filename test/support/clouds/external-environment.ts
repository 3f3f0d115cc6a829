// Puts somebody else's credentials into this process's environment while a suite runs: none of them may be used.

const foreign: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: 'foreign-key-of-the-process',
  ANTHROPIC_AUTH_TOKEN: 'foreign-token-of-the-process',
  ANTHROPIC_BEDROCK_BASE_URL: 'http://127.0.0.1:9',
  ANTHROPIC_VERTEX_BASE_URL: 'http://127.0.0.1:9',
  ANTHROPIC_VERTEX_PROJECT_ID: 'foreign-project',
  ANTHROPIC_FOUNDRY_BASE_URL: 'http://127.0.0.1:9',
  ANTHROPIC_FOUNDRY_RESOURCE: 'foreign-resource',
  ANTHROPIC_FOUNDRY_API_KEY: 'foreign-foundry-key',
  AWS_ACCESS_KEY_ID: 'AKIAFOREIGN',
  AWS_SECRET_ACCESS_KEY: 'foreign-secret',
  AWS_SESSION_TOKEN: 'foreign-session',
  AWS_BEARER_TOKEN_BEDROCK: 'foreign-bearer',
  AWS_PROFILE: 'foreign',
  AWS_REGION: 'xx-foreign-1',
  CLOUD_ML_REGION: 'foreign-region',
  GOOGLE_CLOUD_PROJECT: 'foreign-project',
  METADATA_SERVER_DETECTION: 'none',
};

/** To be called in a `describe`. */
export function withForeignEnvironment(): void {
  const before: Record<string, string | undefined> = {};
  beforeEach(() => {
    for (const [name, value] of Object.entries(foreign)) {
      before[name] = process.env[name];
      process.env[name] = value;
    }
  });
  afterEach(() => {
    for (const name of Object.keys(foreign)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });
}
